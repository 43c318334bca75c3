"""Read the edits in a model's answer: search/replace blocks and whole files, each under the path of its file.

src/shop.py
```python
<<<<<<< SEARCH
lines as they are
=======
lines as they should be
>>>>>>> REPLACE
```
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_SEARCH = re.compile(r"<{5,9} ?SEARCH\s*")
_DIVIDER = re.compile(r"={5,9}\s*")
_REPLACE = re.compile(r">{5,9} ?REPLACE\s*")
_FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,})(?P<info>[^`]*)")
_WHOLE = re.compile(r"[#*\s]*WHOLE FILE:(?P<path>.+)", re.IGNORECASE)
_DECORATION = "`*#:\"' \t"
MOST_EDITS = 100
MOST_CHARACTERS = 2_000_000


@dataclass(frozen=True)
class FileEdit:
    """One edit of a file: replace `search` by `replace`. `search` is None if `replace` is the whole file."""

    path: str
    search: str | None
    replace: str

    @property
    def format(self) -> str:
        return "whole_file" if self.search is None else "search_replace"


@dataclass(frozen=True)
class ParsedAnswer:
    """The edits of an answer in their order, and the reason why it cannot be read further, if there is one."""

    edits: tuple[FileEdit, ...]
    problem: str = ""

    @property
    def format(self) -> str:
        return self.edits[0].format if self.edits else ""


def parse_answer(text: str) -> ParsedAnswer:
    """Return the edits of an answer. Text around them is ignored; a block without a path or an end is a problem."""
    if len(text) > MOST_CHARACTERS:
        return ParsedAnswer((), f"the answer has {len(text)} characters, and {MOST_CHARACTERS} are the most")
    edits: list[FileEdit] = []
    try:
        for edit in _edits(text.replace("\r\n", "\n").split("\n")):
            edits.append(edit)
            if len(edits) > MOST_EDITS:
                return ParsedAnswer(tuple(edits[:MOST_EDITS]), f"the answer has more than {MOST_EDITS} edits")
    except _Unreadable as problem:
        return ParsedAnswer(tuple(edits), str(problem))
    return ParsedAnswer(tuple(edits), "" if edits else "the answer has no SEARCH/REPLACE block")


class _Unreadable(Exception):
    """The answer has a block that cannot be read."""


def _edits(lines: Sequence[str]) -> Iterator[FileEdit]:
    at, path = 0, ""
    while at < len(lines):
        if whole := _WHOLE.fullmatch(lines[at]):
            path = _clean(whole["path"])
            at, content = _fenced(lines, at + 1, path)
            yield FileEdit(path, None, content)
        elif _SEARCH.fullmatch(lines[at]):
            path = _path_above(lines, at) or path
            if not path:
                raise _Unreadable("a SEARCH/REPLACE block has no path on the line above it")
            at, search, replacement = _block(lines, at + 1, path)
            yield FileEdit(path, search, replacement)
        else:
            at += 1


def _block(lines: Sequence[str], start: int, path: str) -> tuple[int, str, str]:
    """Return the line after a block, and its two halves, each ending in a newline unless it is empty."""
    end = _next(lines, start, _REPLACE, f"the SEARCH/REPLACE block for {path} has no >>>>>>> REPLACE line")
    dividers = [at for at in range(start, end) if _DIVIDER.fullmatch(lines[at])]
    exact = [at for at in dividers if lines[at].rstrip() == "======="]
    if len(dividers) != 1 and len(exact) != 1:
        number = "several ======= lines" if dividers else "no ======= line"
        raise _Unreadable(f"the SEARCH/REPLACE block for {path} has {number}")
    [divider] = dividers if len(dividers) == 1 else exact
    return end + 1, _joined(lines[start:divider]), _joined(lines[divider + 1 : end])


def _next(lines: Sequence[str], start: int, marker: re.Pattern[str], problem: str) -> int:
    for at in range(start, len(lines)):
        if marker.fullmatch(lines[at]):
            return at
        if _SEARCH.fullmatch(lines[at]):
            break
    raise _Unreadable(problem)


def _fenced(lines: Sequence[str], start: int, path: str) -> tuple[int, str]:
    """Return the line after a fenced block, and its content."""
    opened = _FENCE.fullmatch(lines[start]) if start < len(lines) else None
    if opened is None:
        raise _Unreadable(f"the whole file {path} does not begin with a fence on the next line")
    for at in range(start + 1, len(lines)):
        if lines[at].strip() == opened["fence"]:
            return at + 1, _joined(lines[start + 1 : at])
    raise _Unreadable(f"the whole file {path} has no closing fence")


def _path_above(lines: Sequence[str], at: int) -> str:
    """Return the path in the fence above a line, or on the line above that fence; empty if there is none."""
    above = at - 1
    if above >= 0 and (fence := _FENCE.fullmatch(lines[above])):
        words = fence["info"].split()
        if words and _is_path(words[-1]):
            return _clean(words[-1])
        above -= 1
    while above >= 0 and not lines[above].strip():
        above -= 1
    line = _clean(lines[above]) if above >= 0 else ""
    line = line.removeprefix("path:").removeprefix("file:").strip() if line else ""
    return line if _is_path(line) else ""


def _is_path(text: str) -> bool:
    """True if a text can be meant as a path; whether the path may be changed is decided later."""
    return bool(text) and " " not in text and ("/" in text or "." in text)


def _clean(text: str) -> str:
    return text.strip().strip(_DECORATION).strip()


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
