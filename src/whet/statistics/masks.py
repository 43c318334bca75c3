"""Parts of a message that vary from one occurrence to the next, as patterns: addresses, ids, numbers."""

import re

WILDCARD = "<*>"

MASKS: tuple[tuple[str, str], ...] = (
    # a time or a date
    (r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?", WILDCARD),
    (r"\b\d{4}[-/.]\d\d[-/.]\d\d\b", WILDCARD),
    (r"\b\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?\b", WILDCARD),
    # a UUID, an address of the network, with its port
    (r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b", WILDCARD),
    (r"/?\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b", WILDCARD),
    (r"\b[\w-]+(?:\.[\w-]+)+:\d+\b", WILDCARD),
    (r"\b(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}\b", WILDCARD),
    # hexadecimal numbers and long identifiers
    (r"\b0[xX][0-9a-fA-F]+\b", WILDCARD),
    (r"\bblk_-?\d+\b", WILDCARD),
    (r"\b(?=[0-9a-fA-F]*\d)(?=[0-9a-fA-F]*[a-fA-F])[0-9a-fA-F]{8,}\b", WILDCARD),
    # numbers, with a sign or a unit
    (r"(?<![\w.])[-+]?\d+(?:[.,]\d+)*(?:%|[kKMGT]?i?[bB]|ms|us|ns|s|sec|secs)?(?![\w.]\w)(?!\w)", WILDCARD),
)
_COMPILED = tuple((re.compile(pattern), text) for pattern, text in MASKS)


def mask(message: str) -> str:
    """Return the message with every varying part replaced by a wildcard."""
    for pattern, text in _COMPILED:
        message = pattern.sub(text, message)
    return message
