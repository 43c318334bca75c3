"""Apply a model's edits to the files of a tree: exactly, else without regard to whitespace, never by guessing."""

import difflib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from whet.domain.redact import MARK
from whet.guard.answer import Refuse
from whet.guard.paths.names import safe_name, shown
from whet.phases.propose.model.edits import FileEdit

SMALL_FILE_LINES = 150
_NEAREST_LINES = 12
_REDACTED = MARK.partition("{")[0]
Reader = Callable[[str], str | None]
"""Return the text of a file; None if the tree does not have it. Raise ValueError, as a sentence, for an unreadable one."""


@dataclass(frozen=True)
class Misfit:
    """An edit that was not applied, with the reason and the lines of the file that come nearest to it."""

    edit: FileEdit
    reason: str
    nearest: str = ""


@dataclass(frozen=True)
class Applied:
    """The files that the edits change, by path, and the edits that do not fit."""

    files: dict[str, str]
    misfits: tuple[Misfit, ...]


def apply_edits(edits: Sequence[FileEdit], read: Reader, *, whole_files: bool = False) -> Applied:
    """Apply the edits in their order. `whole_files` allows to replace large files as a whole.

    An edit that changes nothing is dropped. Nothing of an edit that does not fit is applied.
    """
    files: dict[str, str | None] = {}
    misfits = []
    for edit in edits:
        path = edit.path.removeprefix("./")
        try:
            if path not in files:
                files[path] = _readable(path, read)
            files[path] = _edited(files[path], edit, whole_files=whole_files)
        except _DoesNotFit as problem:
            misfits.append(Misfit(edit, str(problem), problem.nearest))
    changed = {path: text for path, text in files.items() if text is not None and text != _base(path, read)}
    return Applied(changed, tuple(misfits))


class _DoesNotFit(Exception):
    def __init__(self, reason: str, nearest: str = "") -> None:
        super().__init__(reason)
        self.nearest = nearest


def _readable(path: str, read: Reader) -> str | None:
    safe = safe_name(path)
    if isinstance(safe, Refuse):
        raise _DoesNotFit(safe.reason)
    try:
        return read(path)
    except ValueError as problem:
        raise _DoesNotFit(str(problem)) from problem


def _base(path: str, read: Reader) -> str | None:
    try:
        return read(path)
    except ValueError:
        return None


def _edited(text: str | None, edit: FileEdit, *, whole_files: bool) -> str | None:
    """Return the text after the edit. Raise _DoesNotFit if the edit does not say unambiguously what to change."""
    if _REDACTED in edit.replace or _REDACTED in (edit.search or ""):
        raise _DoesNotFit("the edit contains a mark of a redacted secret; leave the lines with such marks alone")
    if edit.search is None:
        return _whole(text, edit, allowed=whole_files)
    if edit.search == edit.replace:
        return text
    if not edit.search.strip():
        if text is None or not text.strip():
            return edit.replace
        raise _DoesNotFit(f"the SEARCH part is empty, and {shown(edit.path)} exists already")
    if text is None:
        raise _DoesNotFit(f"there is no file {shown(edit.path)}; a new file needs an empty SEARCH part")
    newline = "\r\n" if "\r\n" in text else "\n"
    return _replaced(text.replace("\r\n", "\n"), edit.search, edit.replace).replace("\n", newline)


def _whole(text: str | None, edit: FileEdit, *, allowed: bool) -> str:
    lines = text.count("\n") if text else 0
    if lines > SMALL_FILE_LINES and not allowed:
        raise _DoesNotFit(
            f"{shown(edit.path)} has {lines} lines, which is too long to replace as a whole; use SEARCH/REPLACE blocks"
        )
    return edit.replace.replace("\n", "\r\n") if text and "\r\n" in text else edit.replace


def _replaced(text: str, search: str, replacement: str) -> str:
    padded = text if text.endswith("\n") else f"{text}\n"
    starts = list(_exact(padded, search))
    if len(starts) == 1:
        after = padded[: starts[0]] + replacement + padded[starts[0] + len(search) :]
        return after if padded is text else after.removesuffix("\n")
    if starts:
        raise _DoesNotFit(f"the SEARCH part occurs {len(starts)} times in the file; add lines to make it unique")
    return _loosely_replaced(padded.split("\n"), search, replacement)


def _exact(text: str, search: str) -> Iterator[int]:
    """Yield the positions where a text occurs at the beginning of a line."""
    at = text.find(search)
    while at >= 0:
        if at == 0 or text[at - 1] == "\n":
            yield at
        at = text.find(search, at + 1)


def _loosely_replaced(lines: list[str], search: str, replacement: str) -> str:
    """Replace lines that differ from `search` only in whitespace; their own indentation is kept."""
    searched = search.strip("\n").split("\n")
    keys = [_without_spaces(line) for line in searched]
    present = [_without_spaces(line) for line in lines]
    size = len(keys)
    starts = [at for at in range(len(lines) - size + 1) if present[at : at + size] == keys]
    if not starts:
        raise _DoesNotFit("the SEARCH part does not occur in the file", _nearest(lines, searched))
    if len(starts) > 1:
        raise _DoesNotFit(f"the SEARCH part occurs {len(starts)} times in the file; add lines to make it unique")
    at = starts[0]
    body = replacement.strip("\n").split("\n") if replacement.strip() else []
    moved = _reindented(body, searched, lines[at : at + size])
    return "\n".join([*lines[:at], *moved, *lines[at + size :]])


def _reindented(body: list[str], searched: list[str], present: list[str]) -> list[str]:
    """Return the new lines with the indentation of the file, where the model's SEARCH part had another one."""
    old, new = next(
        (
            (_indentation(theirs), _indentation(ours))
            for theirs, ours in zip(searched, present, strict=True)
            if theirs.strip()
        ),
        ("", ""),
    )
    if old == new:
        return body
    return [f"{new}{line[len(old) :]}" if line.strip() and line.startswith(old) else line for line in body]


def _without_spaces(line: str) -> str:
    return "".join(line.split())


def _indentation(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _nearest(lines: list[str], searched: list[str]) -> str:
    """Return the lines of the file that are most similar to the searched ones."""
    size = min(len(searched), _NEAREST_LINES)
    anchor = max(searched, key=len).strip()
    close = difflib.get_close_matches(anchor, [line.strip() for line in lines[:20_000]], n=1, cutoff=0.5)
    if not close:
        return ""
    at = next(index for index, line in enumerate(lines) if line.strip() == close[0])
    begin = max(at - size // 2, 0)
    return "\n".join(lines[begin : begin + size + 1])
