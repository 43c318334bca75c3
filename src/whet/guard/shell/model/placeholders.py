"""Characters of the private area that stand, in a resolved word, for text that is not written down.

A resolved word is a plain string; where part of it cannot be known, one of these says so and says where the unknown
part comes from. They travel through variables, substitutions, pipes and nested command texts like any other character.
"""

HOLE = "\ue000"  # unknown
NETWORK = "\ue001"  # unknown, and it came over the network
DECODED = "\ue002"  # what follows was decoded
CONTENT = "\ue003"  # the content of a file that is nobody else's business
SUBSTITUTED = "\ue004"  # with a number after it: the file that a process substitution stands for
OPEN, COMMA, CLOSE = "\ue005", "\ue006", "\ue007"  # unquoted braces, until they are expanded
EVERY_ONE = "\ue008"  # what follows is every one of its kind: each process of the machine, each tag
ENDLESS = "\ue009"  # what follows never ends
OWN_PROCESS = "\ue00a"  # what follows is the number of the shell itself, or of what started it

UNKNOWN = frozenset({HOLE, NETWORK, CONTENT})
ORIGINS = frozenset({NETWORK, DECODED, CONTENT, EVERY_ONE, ENDLESS, OWN_PROCESS})
_ALL = frozenset({HOLE, NETWORK, DECODED, CONTENT, SUBSTITUTED, EVERY_ONE, ENDLESS, OWN_PROCESS, OPEN, COMMA, CLOSE})
_SHOWN = str.maketrans(
    {
        HOLE: "…",
        NETWORK: "…",
        CONTENT: "…",
        DECODED: "",
        SUBSTITUTED: "",
        EVERY_ONE: "",
        ENDLESS: "",
        OWN_PROCESS: "",
        OPEN: "{",
        COMMA: ",",
        CLOSE: "}",
    }
)
_FORGED = str.maketrans(dict.fromkeys(_ALL, HOLE))
_BARE = str.maketrans(dict.fromkeys(_ALL, ""))


def forged(text: str) -> str:
    """Text from outside in which a mark would be a lie: unknown, whatever it claims to be."""
    return text if text.isascii() else text.translate(_FORGED)


def has_marks(text: str) -> bool:
    return not text.isascii() and not _ALL.isdisjoint(text)


def is_known(text: str) -> bool:
    return text.isascii() or UNKNOWN.isdisjoint(text)


def origins(text: str) -> str:
    """The origins that are in a text, each once: what a filter passes on."""
    return "" if text.isascii() else "".join(sorted(ORIGINS.intersection(text)))


def bare(text: str) -> str:
    """The text with nothing in the unknown places."""
    return text if text.isascii() else text.translate(_BARE)


def shown(text: str) -> str:
    return text if text.isascii() else text.translate(_SHOWN)
