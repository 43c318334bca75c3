"""Numbers with their nouns, for messages."""


def count(number: int, noun: str) -> str:
    """Return the number with its noun in the right form: `1 test`, `2 tests`, `3 entries`, `4 batches`."""
    if number == 1:
        return f"{number:,} {noun}"
    if noun.endswith("y"):
        return f"{number:,} {noun[:-1]}ies"
    return f"{number:,} {noun}{'es' if noun.endswith(('s', 'ch', 'x')) else 's'}"
