"""`{a,b}` and `{1..9}`: a word that is several words."""

import re

from whet.guard.shell.model.placeholders import CLOSE, COMMA, HOLE, OPEN

MOST = 64
_RANGE = re.compile(rf"{OPEN}(-?\d{{1,9}}|[A-Za-z])\.\.(-?\d{{1,9}}|[A-Za-z])(?:\.\.(-?\d{{1,9}}))?{CLOSE}")
_INNERMOST = re.compile(f"{OPEN}([^{OPEN}{CLOSE}]*{COMMA}[^{OPEN}{CLOSE}]*){CLOSE}")
_LITERAL = str.maketrans({OPEN: "{", COMMA: ",", CLOSE: "}"})


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
            words.extend(before + choice + after for choice in reversed(match[1].split(COMMA)))
        if len(words) + len(done) > MOST:
            return None
    return done


def _numbers(match: re.Match[str]) -> str:
    first, last, _ = match.groups()
    if not (first.lstrip("-").isdigit() and last.lstrip("-").isdigit()):
        letters = range(ord(first[0]), ord(last[0]) + 1)
        chosen = [chr(letter) for letter in letters][:MOST]
    else:
        start, stop = int(first), int(last)
        if abs(stop - start) >= MOST:
            return HOLE
        chosen = [str(number) for number in range(min(start, stop), max(start, stop) + 1)]
    return f"{OPEN}{COMMA.join(chosen)}{CLOSE}" if len(chosen) > 1 else "".join(chosen) or HOLE
