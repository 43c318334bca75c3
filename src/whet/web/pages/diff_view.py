"""A patch as HTML: line numbers on both sides, guard remarks at their lines, hidden characters as escapes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from markupsafe import Markup, escape

from whet.domain.evidence import GuardFinding
from whet.domain.sanitize import one_line
from whet.web.pages.highlight import highlight

MOST_HIGHLIGHTED = 1_500
"""Lines of a patch that are still highlighted. Longer ones are shown in full, in one colour: lexing them takes seconds."""

_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)")
_LINE = re.compile(r"\bline (\d+)\b")
_SIGNS = {"+": "added", "-": "removed", " ": "same", "\\": "note"}


@dataclass
class DiffLine:
    """A line of a hunk. `old` and `new` are its numbers; None on the side that does not have it."""

    kind: str
    text: str
    old: int | None = None
    new: int | None = None


@dataclass
class FileDiff:
    """The part of a patch about one path. `hunks` are (heading, lines)."""

    path: str
    notes: list[str] = field(default_factory=list)
    hunks: list[tuple[str, list[DiffLine]]] = field(default_factory=list)

    @property
    def added(self) -> int:
        return sum(line.kind == "added" for _, lines in self.hunks for line in lines)

    @property
    def removed(self) -> int:
        return sum(line.kind == "removed" for _, lines in self.hunks for line in lines)


@dataclass(frozen=True)
class ShownFile:
    """A file of a patch, ready for the page. `remarks` are those without a line of the patch."""

    path: str
    anchor: str
    added: int
    removed: int
    notes: tuple[str, ...]
    remarks: tuple[GuardFinding, ...]
    rows: Markup


def parse_diff(diff: str) -> list[FileDiff]:
    """Return the files of a unified diff. Only a line feed ends a line: other separators are content."""
    files: list[FileDiff] = []
    lines: list[DiffLine] | None = None
    old = new = 0
    for text in diff.split("\n"):
        if text.startswith("diff --git "):
            files.append(FileDiff(_path_of(text)))
            lines = None
        elif files and (hunk := _HUNK.match(text)):
            old, new = int(hunk[1]), int(hunk[2])
            lines = []
            files[-1].hunks.append((text, lines))
        elif files and lines is None:
            _read_header(files[-1], text)
        elif lines is not None and text and text[0] in _SIGNS:
            kind = _SIGNS[text[0]]
            in_old, in_new = kind in ("removed", "same"), kind in ("added", "same")
            lines.append(DiffLine(kind, text[1:], old if in_old else None, new if in_new else None))
            old, new = old + in_old, new + in_new
    return files


def _path_of(heading: str) -> str:
    return heading.rpartition(" b/")[2] or heading.removeprefix("diff --git ")


def _read_header(file: FileDiff, text: str) -> None:
    """Keep the lines of a header that say more than the names and the blobs."""
    if text.startswith("+++ b/"):
        file.path = text.removeprefix("+++ b/").removesuffix("\t")
    elif text and not text.startswith(("index ", "--- ", "+++ ")):
        file.notes.append(text)


@lru_cache(maxsize=64)
def show_diff(diff: str, guard: tuple[GuardFinding, ...]) -> tuple[ShownFile, ...]:
    """Return the files of a patch as HTML rows. Cached, because lexing takes a while."""
    files = parse_diff(diff)
    coloured = sum(len(lines) for file in files for _, lines in file.hunks) <= MOST_HIGHLIGHTED
    return tuple(_show(number, file, guard, coloured=coloured) for number, file in enumerate(files, 1))


def is_coloured(diff: str) -> bool:
    """True if a patch is short enough to be highlighted."""
    return diff.count("\n") <= MOST_HIGHLIGHTED


def _show(number: int, file: FileDiff, guard: Sequence[GuardFinding], *, coloured: bool) -> ShownFile:
    at_line: dict[int, list[GuardFinding]] = {}
    shown_lines = {line.new for _, lines in file.hunks for line in lines if line.new}
    elsewhere: list[GuardFinding] = []
    for remark in guard:
        if remark.path == file.path:
            place = _LINE.search(remark.reason)
            where = int(place[1]) if place else 0
            (at_line.setdefault(where, []) if where in shown_lines else elsewhere).append(remark)
    rows = Markup("").join(_rows(number, file, at_line, coloured=coloured))
    return ShownFile(file.path, f"file-{number}", file.added, file.removed, tuple(file.notes), tuple(elsewhere), rows)


def _rows(
    number: int, file: FileDiff, at_line: Mapping[int, Sequence[GuardFinding]], *, coloured: bool
) -> Iterator[Markup]:
    for index, (heading, lines) in enumerate(file.hunks, 1):
        yield Markup('<tr class="hunk" id="file-{}-{}"><td colspan="4">{}</td></tr>\n').format(
            number, index, one_line(heading)
        )
        for line, code in zip(lines, highlight(file.path, lines, coloured=coloured), strict=True):
            yield _row(line, code)
            for remark in at_line.get(line.new or -1, ()):
                yield _remark(remark)


def _row(line: DiffLine, code: Markup) -> Markup:
    sign = {"added": "+", "removed": "−"}.get(line.kind, "")
    numbers = f'<td class="no">{line.old or ""}</td><td class="no">{line.new or ""}</td>'
    # Markup.format takes four times as long, and a patch may have 5,000 rows.
    return Markup(  # noqa: S704 - kind, numbers and sign are whet's own, and the code is escaped
        f'<tr class="{line.kind}">{numbers}<td class="sign">{sign}</td><td class="code">{escape(code)}</td></tr>\n'
    )


def _remark(remark: GuardFinding) -> Markup:
    return Markup('<tr class="remark {}"><td colspan="3">guard</td><td><strong>{}</strong> {}</td></tr>\n').format(
        _word(remark.severity), remark.severity, one_line(remark.reason)
    )


def _word(severity: str) -> str:
    return severity if severity in ("block", "raise", "require", "note") else "note"
