"""Expand braces: `{a,b}` and `{1..9}` make several words of one."""

import re

from whet.guard.shell.model.placeholders import BRACE_COMMA, CLOSE_BRACE, OPEN_BRACE, UNKNOWN

MAX_WORDS = 64
_NUMBER_OR_LETTER = r"(-?\d{1,9}|[A-Za-z])"
_RANGE = re.compile(rf"{OPEN_BRACE}{_NUMBER_OR_LETTER}\.\.{_NUMBER_OR_LETTER}(?:\.\.(-?\d{{1,9}}))?{CLOSE_BRACE}")
_INNERMOST = re.compile(
    f"{OPEN_BRACE}([^{OPEN_BRACE}{CLOSE_BRACE}]*{BRACE_COMMA}[^{OPEN_BRACE}{CLOSE_BRACE}]*){CLOSE_BRACE}"
)
_LITERAL = str.maketrans({OPEN_BRACE: "{", BRACE_COMMA: ",", CLOSE_BRACE: "}"})


def expand(word: str) -> list[str] | None:
    """Return all words that a word with unquoted braces expands to; None if there are more than `MAX_WORDS`."""
    pending, expanded = [_RANGE.sub(_as_list, word)], []
    while pending:
        current = pending.pop()
        match = _INNERMOST.search(current)
        if match is None:
            expanded.append(current.translate(_LITERAL))
        else:
            before, after = current[: match.start()], current[match.end() :]
            pending.extend(before + choice + after for choice in reversed(match[1].split(BRACE_COMMA)))
        if len(pending) + len(expanded) > MAX_WORDS:
            return None
    return expanded


def _as_list(match: re.Match[str]) -> str:
    """Rewrite a range as a list: `{1..3}` as `{1,2,3}`. A range that is too long or descends in letters is unknown."""
    first, last, _ = match.groups()
    if not (first.lstrip("-").isdigit() and last.lstrip("-").isdigit()):
        letters = range(ord(first[0]), ord(last[0]) + 1)
        items = [chr(letter) for letter in letters][:MAX_WORDS]
    else:
        start, stop = int(first), int(last)
        if abs(stop - start) >= MAX_WORDS:
            return UNKNOWN
        items = [str(number) for number in range(min(start, stop), max(start, stop) + 1)]
    if len(items) > 1:
        return f"{OPEN_BRACE}{BRACE_COMMA.join(items)}{CLOSE_BRACE}"
    return "".join(items) or UNKNOWN
