"""How tools are named: ASCII letters, digits, `_` and `-` in segments between dots, compared as they are. No case and no
look-alike is folded."""

LONGEST_NAME = 200
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


def is_name(text: object) -> bool:
    return (
        type(text) is str
        and len(text) <= LONGEST_NAME
        and all(segment and _LETTERS.issuperset(segment) for segment in text.split("."))
    )
