"""Tool names: segments of ASCII letters, digits, `_` and `-`, separated by dots. Names are compared exactly, without
folding case or look-alike characters."""

LONGEST_NAME = 200
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


def is_name(text: object) -> bool:
    return (
        type(text) is str
        and len(text) <= LONGEST_NAME
        and all(segment and _LETTERS.issuperset(segment) for segment in text.split("."))
    )
