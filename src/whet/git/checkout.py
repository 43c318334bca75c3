"""A checkout that somebody works in: what is in it that must not be lost, and how it follows its branch."""

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from whet.domain.change import Change, ChangeStatus
from whet.git.git import Git, blob_name, path_of


class Checkout(Git):
    def dirt(self) -> list[str]:
        """Tracked paths that differ from HEAD in the index or the files; untracked ones are no dirt."""
        out = self.ask(
            "status", "--porcelain=v1", "-z", "--untracked-files=no", "--ignore-submodules=none", "--no-renames"
        )
        return [row[3:].decode(errors="replace") for row in out.split(b"\0") if row]

    def in_the_way(self, paths: Sequence[str]) -> list[str]:
        """What lies untracked, ignored or not, where these paths would be written: it would be destroyed."""
        tracked = {path_of(row) for row in self.ask("ls-files", "-z").split(b"\0") if row}
        found = (self._obstacle(path, tracked) for path in paths)
        return [obstacle for obstacle in found if obstacle]

    def _obstacle(self, path: str, tracked: set[str]) -> str | None:
        for parent in reversed(PurePosixPath(path).parents[:-1]):
            place = self.root / parent
            if place.is_symlink() or place.is_file():
                return None if str(parent) in tracked else str(parent)
        place = self.root / path
        if path in tracked or not os.path.lexists(place):
            return None
        if place.is_symlink() or not place.is_dir():
            return path
        others = self.ask("ls-files", "--others", "-z", "--", path).split(b"\0")
        return path_of(others[0]) or None

    def follow(self, old: str, new: str) -> None:
        """Bring a clean checkout from `old` to `new`. Running it again after a crash finishes the work.

        Paths that hold the new content already are entered in the index as such, and git merges from there: that
        accepts a checkout in which only some files were written before the power went.
        """
        arrived = [change for change in self.changes(old, new) if self._arrived(change)]
        self._enter([f"{change.new_mode.lstrip('0') or '0'} {change.new_blob}\t{change.path}" for change in arrived])
        self._call(("update-index", "-q", "--refresh"), b"", None)
        self.ask("read-tree", "-m", "-u", self.with_entries(old, new, [change.path for change in arrived]), new)

    def _arrived(self, change: Change) -> bool:
        """Whether the disk already holds what a change leads to."""
        file = self.root / change.path
        behind_a_link = any((self.root / parent).is_symlink() for parent in PurePosixPath(change.path).parents[:-1])
        if behind_a_link or not (file.is_symlink() or file.is_file()):
            return change.status is ChangeStatus.DELETED
        if file.is_symlink() or change.new_mode == "120000":
            return change.new_mode == "120000" and file.is_symlink() and _link_name(file, change) == change.new_blob
        if change.old_blob == change.new_blob:  # the mode is all that changes
            return (file.stat().st_mode & 0o100 != 0) == (change.new_mode == "100755")
        return change.new_blob in (blob_name(file.read_bytes(), change.new_blob), self._filtered_name(change.path))

    def _filtered_name(self, path: str) -> str:
        return self.text("hash-object", f"--path={path}", "--", path)


def _link_name(link: Path, change: Change) -> str:
    return blob_name(os.fsencode(os.readlink(link)), change.new_blob)
