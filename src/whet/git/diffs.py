"""Differences between trees: diffs, changes by file, patches, applying a diff, merging three texts."""

import hashlib
import tempfile
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from whet.domain.change import Change, ChangeStatus
from whet.domain.patch import Patch
from whet.errors import GitFailed
from whet.git.objects import Objects, path_of

_TEXTS_KEPT = 64
_MOST_CONFLICTS = 127  # the exit code of `git merge-file` is the number of conflicts, at most this; above is an error
_MARKER_SIZE = 41  # longer than the conflict markers that a text about merging would contain
_DIFF_OPTIONS = (
    "--no-renames",  # a rename is a deletion and an addition, so that the guard judges both paths
    "--no-ext-diff",  # no program from .gitattributes
    "--no-textconv",  # no program from .gitattributes
    "--no-color",
    "--full-index",
    "--binary",  # the diff can be applied again, binary files included
)
_STATUS = {
    "A": ChangeStatus.ADDED, "M": ChangeStatus.MODIFIED, "D": ChangeStatus.DELETED, "T": ChangeStatus.TYPE_CHANGED,
}  # fmt: skip


class Diffs(Objects):
    """Compares trees, and applies diffs in a temporary index."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._cached_blob = lru_cache(_TEXTS_KEPT)(self.blob)

    def diff(self, old: str, new: str) -> bytes:
        return self._ask_about((old, new), "diff-tree", "-r", "-p", *_DIFF_OPTIONS)

    def changes(self, old: str, new: str) -> tuple[Change, ...]:
        """Return the changed files between two trees, with modes, hashes and line counts."""
        options = ("diff-tree", "-r", "-z", "--raw", "--numstat", "--no-renames", "--no-abbrev")
        rows = iter(self._ask_about((old, new), *options).split(b"\0"))
        metas: dict[str, bytes] = {}
        counts: dict[str, tuple[int, int] | None] = {}
        for row in rows:
            if row.startswith(b":"):  # --raw: the path is a field of its own
                metas[path_of(next(rows))] = row
            elif row:  # --numstat: "-" instead of a count for a binary file
                added, removed, path = row.split(b"\t", 2)
                counts[path_of(path)] = None if added == b"-" else (int(added), int(removed))
        return tuple(_change(meta, path, counts) for path, meta in metas.items())

    def patch(self, base: str, tree: str, summary: str) -> Patch:
        """Return the patch that turns the commit `base` into `tree`."""
        diff = self.diff(base, tree)
        return Patch(
            base=base,
            tree=tree,
            diff=diff.decode(errors="backslashreplace"),
            digest=hashlib.sha256(diff).hexdigest(),
            changes=self.changes(base, tree),
            summary=summary,
        )

    def apply(self, base: str, diff: bytes, *, reverse: bool = False) -> str | None:
        """Return the tree that results from applying a diff to `base`, or None if it does not apply."""
        if not diff:
            return self.text("rev-parse", "--verify", f"{base}^{{tree}}")
        with self.temporary_index(base) as env:
            flags = ("--reverse",) if reverse else ()
            done = self.run(("apply", "--cached", "--binary", *flags, "-"), diff, env)
            return self.ask("write-tree", env=env).decode().strip() if done.code == 0 else None

    def texts(self, changes: Iterable[Change]) -> dict[str, tuple[str, str]]:
        """Return the text before and after for each changed path; empty where there is no regular file."""
        return {
            change.path: (self._text(change.old_mode, change.old_blob), self._text(change.new_mode, change.new_blob))
            for change in changes
        }

    def _text(self, mode: str, blob: str) -> str:
        return self._cached_blob(blob).decode(errors="replace") if mode.startswith("100") else ""

    def merge_texts(self, base: bytes, ours: bytes, theirs: bytes) -> tuple[bytes, list[tuple[list[str], list[str]]]]:
        """Merge two versions of a text; return the result and, for each conflict, our lines and their lines."""
        with tempfile.TemporaryDirectory(prefix="whet-merge-") as folder:
            names = [str(Path(folder) / name) for name in ("ours", "base", "theirs")]
            for name, text in zip(names, (ours, base, theirs), strict=True):
                Path(name).write_bytes(text)
            done = self.run(("merge-file", "--stdout", f"--marker-size={_MARKER_SIZE}", *names))
        if done.code < 0 or done.code > _MOST_CONFLICTS:
            raise GitFailed(f"git merge-file failed: {done.err.strip()}")
        return done.out, _conflicts(done.out.decode(errors="replace")) if done.code else []


def _change(meta: bytes, path: str, counts: Mapping[str, tuple[int, int] | None]) -> Change:
    old_mode, new_mode, old_blob, new_blob, status = meta.decode().lstrip(":").split(" ")
    lines = counts.get(path)
    return Change(
        path=path,
        status=_STATUS[status[0]],
        old_mode=old_mode,
        new_mode=new_mode,
        old_blob=old_blob,
        new_blob=new_blob,
        added_lines=lines[0] if lines else 0,
        removed_lines=lines[1] if lines else 0,
        binary=lines is None,
    )


def _conflicts(text: str) -> list[tuple[list[str], list[str]]]:
    """Return the lines of both sides for each conflict that is marked in a merged text."""
    conflicts: list[tuple[list[str], list[str]]] = []
    side: list[str] | None = None
    for line in text.splitlines():
        if line.startswith("<" * _MARKER_SIZE):
            conflicts.append(([], []))
            side = conflicts[-1][0]
        elif line == "=" * _MARKER_SIZE:
            side = conflicts[-1][1]
        elif line.startswith(">" * _MARKER_SIZE):
            side = None
        elif side is not None:
            side.append(line)
    return conflicts
