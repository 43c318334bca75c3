"""Placeholder characters for text that cannot be known without running the command.

A resolved word is a plain string. A character of Unicode's private use area stands for a part that cannot be known,
and tells where that part comes from. Placeholders pass through variables, substitutions, pipes and nested command texts
like any other character. A command that contains one of them from the start is refused (`judge.py`).
"""

UNKNOWN = "\ue000"  # any text
FROM_NETWORK = "\ue001"  # any text, received over the network
DECODED = "\ue002"  # the following text is the result of decoding (base64, escapes, ...)
PRIVATE_CONTENT = "\ue003"  # the content of a private file
PROCESS_FILE = "\ue004"  # followed by a number: the file name of a process substitution
OPEN_BRACE, BRACE_COMMA, CLOSE_BRACE = "\ue005", "\ue006", "\ue007"  # unquoted braces, until they are expanded
EVERY_ITEM = "\ue008"  # the following text lists all items of a kind: every process, every tag
ENDLESS = "\ue009"  # the following text never ends, such as /dev/zero
OWN_PROCESS = "\ue00a"  # the following text is the process id of the shell or of its parent
IDENTITY = "\ue00b"  # the following text is the name of the user: private to others, but not a secret

_UNKNOWN_PARTS = frozenset({UNKNOWN, FROM_NETWORK, PRIVATE_CONTENT})
ORIGINS = frozenset({FROM_NETWORK, DECODED, PRIVATE_CONTENT, EVERY_ITEM, ENDLESS, OWN_PROCESS, IDENTITY})
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
        IDENTITY,
        OPEN_BRACE,
        BRACE_COMMA,
        CLOSE_BRACE,
    }
)
_DISPLAYED = str.maketrans(
    {
        UNKNOWN: "…",
        FROM_NETWORK: "…",
        PRIVATE_CONTENT: "…",
        DECODED: "",
        PROCESS_FILE: "",
        EVERY_ITEM: "",
        ENDLESS: "",
        OWN_PROCESS: "",
        IDENTITY: "",
        OPEN_BRACE: "{",
        BRACE_COMMA: ",",
        CLOSE_BRACE: "}",
    }
)
_NEUTRAL = str.maketrans(dict.fromkeys(_ALL, UNKNOWN))
_REMOVED = str.maketrans(dict.fromkeys(_ALL, ""))


def neutralise(text: str) -> str:
    """Replace placeholder characters in decoded text by `UNKNOWN`, so that a command cannot forge one."""
    return text if text.isascii() else text.translate(_NEUTRAL)


def has_placeholders(text: str) -> bool:
    return not text.isascii() and not _ALL.isdisjoint(text)


def is_known(text: str) -> bool:
    return text.isascii() or _UNKNOWN_PARTS.isdisjoint(text)


def origins(text: str) -> str:
    """Return the origin placeholders in a text, each once: a filter passes them on with its output."""
    return "" if text.isascii() else "".join(sorted(ORIGINS.intersection(text)))


def without_placeholders(text: str) -> str:
    """Return the text with its placeholders removed."""
    return text if text.isascii() else text.translate(_REMOVED)


def has_secret_content(text: str) -> bool:
    """True if a text contains private content that is more than the name of the user."""
    return text.count(PRIVATE_CONTENT) > text.count(IDENTITY)


def display(text: str) -> str:
    return text if text.isascii() else text.translate(_DISPLAYED)
