"""`{a,b}` and `{1..9}`: a word that is several words."""

import re

from whet.guard.shell.model.placeholders import BRACE_COMMA, CLOSE_BRACE, OPEN_BRACE, UNKNOWN

MAX_WORDS = 64
_RANGE = re.compile(rf"{OPEN_BRACE}(-?\d{{1,9}}|[A-Za-z])\.\.(-?\d{{1,9}}|[A-Za-z])(?:\.\.(-?\d{{1,9}}))?{CLOSE_BRACE}")
_INNERMOST = re.compile(
    f"{OPEN_BRACE}([^{OPEN_BRACE}{CLOSE_BRACE}]*{BRACE_COMMA}[^{OPEN_BRACE}{CLOSE_BRACE}]*){CLOSE_BRACE}"
)
_LITERAL = str.maketrans({OPEN_BRACE: "{", BRACE_COMMA: ",", CLOSE_BRACE: "}"})


def expand(word: str) -> list[str] | None:
    """Every word it stands for; None if they are more than `MOST`."""
    words, done = [_RANGE.sub(_numbers, word)], []
    while words:
        current = words.pop()
        match = _INNERMOST.search(current)
        if match is None:
            done.append(current.translate(_LITERAL))
        else:
            before, after = current[: match.start()], current[match.end() :]
            words.extend(before + choice + after for choice in reversed(match[1].split(BRACE_COMMA)))
        if len(words) + len(done) > MAX_WORDS:
            return None
    return done


def _numbers(match: re.Match[str]) -> str:
    first, last, _ = match.groups()
    if not (first.lstrip("-").isdigit() and last.lstrip("-").isdigit()):
        letters = range(ord(first[0]), ord(last[0]) + 1)
        chosen = [chr(letter) for letter in letters][:MAX_WORDS]
    else:
        start, stop = int(first), int(last)
        if abs(stop - start) >= MAX_WORDS:
            return UNKNOWN
        chosen = [str(number) for number in range(min(start, stop), max(start, stop) + 1)]
    return f"{OPEN_BRACE}{BRACE_COMMA.join(chosen)}{CLOSE_BRACE}" if len(chosen) > 1 else "".join(chosen) or UNKNOWN
