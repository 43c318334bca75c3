"""Characters of the private area that stand, in a resolved word, for text that is not written down.

A resolved word is a plain string; where part of it cannot be known, one of these says so and says where the unknown
part comes from. They travel through variables, substitutions, pipes and nested command texts like any other character.
"""

UNKNOWN = "\ue000"  # unknown
FROM_NETWORK = "\ue001"  # unknown, and it came over the network
DECODED = "\ue002"  # what follows was decoded
PRIVATE_CONTENT = "\ue003"  # the content of a file that is nobody else's business
PROCESS_FILE = "\ue004"  # with a number after it: the file that a process substitution stands for
OPEN_BRACE, BRACE_COMMA, CLOSE_BRACE = "\ue005", "\ue006", "\ue007"  # unquoted braces, until they are expanded
EVERY_ITEM = "\ue008"  # what follows is every one of its kind: each process of the machine, each tag
ENDLESS = "\ue009"  # what follows never ends
OWN_PROCESS = "\ue00a"  # what follows is the number of the shell itself, or of what started it

_UNKNOWN_PARTS = frozenset({UNKNOWN, FROM_NETWORK, PRIVATE_CONTENT})
ORIGINS = frozenset({FROM_NETWORK, DECODED, PRIVATE_CONTENT, EVERY_ITEM, ENDLESS, OWN_PROCESS})
_ALL = frozenset(
    {
        UNKNOWN,
        FROM_NETWORK,
        DECODED,
        PRIVATE_CONTENT,
        PROCESS_FILE,
        EVERY_ITEM,
        ENDLESS,
        OWN_PROCESS,
        OPEN_BRACE,
        BRACE_COMMA,
        CLOSE_BRACE,
    }
)
_SHOWN = str.maketrans(
    {
        UNKNOWN: "…",
        FROM_NETWORK: "…",
        PRIVATE_CONTENT: "…",
        DECODED: "",
        PROCESS_FILE: "",
        EVERY_ITEM: "",
        ENDLESS: "",
        OWN_PROCESS: "",
        OPEN_BRACE: "{",
        BRACE_COMMA: ",",
        CLOSE_BRACE: "}",
    }
)
_FORGED = str.maketrans(dict.fromkeys(_ALL, UNKNOWN))
_BARE = str.maketrans(dict.fromkeys(_ALL, ""))


def neutralise(text: str) -> str:
    """Text from outside in which a mark would be a lie: unknown, whatever it claims to be."""
    return text if text.isascii() else text.translate(_FORGED)


def has_placeholders(text: str) -> bool:
    return not text.isascii() and not _ALL.isdisjoint(text)


def is_known(text: str) -> bool:
    return text.isascii() or _UNKNOWN_PARTS.isdisjoint(text)


def origins(text: str) -> str:
    """The origins that are in a text, each once: what a filter passes on."""
    return "" if text.isascii() else "".join(sorted(ORIGINS.intersection(text)))


def without_placeholders(text: str) -> str:
    """The text with nothing in the unknown places."""
    return text if text.isascii() else text.translate(_BARE)


def display(text: str) -> str:
    return text if text.isascii() else text.translate(_SHOWN)
