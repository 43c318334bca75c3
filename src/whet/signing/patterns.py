"""Pattern lists of OpenSSH: names with `*` and `?`, separated by commas, excluded by a leading `!`."""


def list_matches(patterns: tuple[str, ...], text: str) -> bool:
    """True if a pattern matches `text` and no pattern with `!` does."""
    excluded = any(pattern.startswith("!") and matches(pattern[1:], text) for pattern in patterns)
    return not excluded and any(not pattern.startswith("!") and matches(pattern, text) for pattern in patterns)


def matches(pattern: str, text: str) -> bool:
    """True if `pattern` matches all of `text`: `*` any number of characters, `?` one.

    A star first takes nothing, and one character more each time the rest does not match. Only the last star is ever
    extended, so the time is bounded by the product of both lengths.
    """
    at, done, star, taken = 0, 0, -1, 0
    while done < len(text):
        if at < len(pattern) and pattern[at] == "*":
            star, taken, at = at, done, at + 1
        elif at < len(pattern) and pattern[at] in ("?", text[done]):
            at, done = at + 1, done + 1
        elif star >= 0:
            taken += 1
            at, done = star + 1, taken
        else:
            return False
    return not pattern[at:].strip("*")


def is_plain(name: str) -> bool:
    """True if `name` names one person and is not a pattern."""
    return bool(name) and not name.startswith("!") and not set("*?,") & set(name)
