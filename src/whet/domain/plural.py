"""Counts and lists in words, for messages."""

from collections.abc import Sequence


def count(number: int, noun: str) -> str:
    """Return the number with its noun in the right form: `1 test`, `2 days`, `3 entries`, `4 batches`."""
    if number == 1:
        return f"{number:,} {noun}"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{number:,} {noun[:-1]}ies"
    return f"{number:,} {noun}{'es' if noun.endswith(('s', 'ch', 'x')) else 's'}"


def shorten(names: Sequence[str], most: int) -> str:
    """Return the first `most` names in one line, and the number of the others: `a, b and 3 more`."""
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")
