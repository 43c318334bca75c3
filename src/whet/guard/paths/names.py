"""Path names that mean the same to git, to every file system and to a person; others are refused."""

import re
import unicodedata

from whet.guard.answer import Allow, GuardAnswer, Refuse
from whet.guard.paths.lookalikes import mixed_words

_LONGEST = 1024
_DEVICE = re.compile(r"con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]", re.IGNORECASE)
_NOT_PORTABLE = frozenset('\\:*?"<>|')
# Characters that are displayed as nothing although Unicode classes them as letters or marks.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff]"
)


def safe_name(path: str) -> GuardAnswer:
    """Refuse a path that is not plain, relative and visible. Other rules could misread such a path."""
    problem = _problem(path)
    return Refuse(f"{shown(path)} {problem}", "path_unsafe") if problem else Allow()


def shown(path: str) -> str:
    """Return a path that is safe to print: hidden characters and terminal escapes are spelled out."""
    return path if _problem(path) is None else ascii(path)[:200]


def _problem(path: str) -> str | None:
    if not isinstance(path, str) or not path:
        return "is not a path"
    if len(path) > _LONGEST:
        return "is too long for a path"
    problems = [_path_problem(path), *map(_segment_problem, path.split("/"))]
    return next((problem for problem in problems if problem), None)


def _path_problem(path: str) -> str | None:
    if path.startswith("/"):
        return "is absolute"
    if path.startswith("-"):
        return "would be read as an option"
    if not path.isprintable() or _INVISIBLE.search(path):
        return "has characters that do not show"
    if _NOT_PORTABLE & set(path):
        return "has characters that not every file system can hold"
    if any(mixed_words(path)):
        return "mixes letters that look alike"
    if not unicodedata.is_normalized("NFC", path):
        return "is not in Unicode's normal form"
    return None


def _segment_problem(part: str) -> str | None:
    if not part:
        return "has an empty segment"
    if part in (".", ".."):
        return f"has a {part!r} segment"
    if _DEVICE.fullmatch(part.partition(".")[0].rstrip()):
        return "has a segment that is a device on Windows"
    if part.startswith(" ") or part.endswith((" ", ".")):
        return "has a segment that begins or ends with a space, or ends with a dot"
    return None
