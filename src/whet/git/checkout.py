"""A checkout that a person works in: local changes that must not be lost, and bringing the files to a new commit."""

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from whet.domain.change import Change, ChangeStatus
from whet.git.git import Git
from whet.git.objects import blob_name, path_of


class Checkout(Git):
    """A repository whose index and files may be written, by `follow`."""

    def dirty_paths(self) -> list[str]:
        """Return tracked paths whose index entry or file differs from HEAD; untracked files do not count.

        A submodule counts if it is at another commit. For edits inside it git would start itself there, under the
        settings of the submodule, and a deployment does not touch them.
        """
        out = self.ask(
            "status", "--porcelain=v1", "-z", "--untracked-files=no", "--ignore-submodules=dirty", "--no-renames"
        )
        return [row[3:].decode(errors="replace") for row in out.split(b"\0") if row]

    def untracked_obstacles(self, paths: Sequence[str]) -> list[str]:
        """Return untracked files, ignored or not, that would be overwritten if these paths were written."""
        tracked = {path_of(row) for row in self.ask("ls-files", "-z").split(b"\0") if row}
        obstacles = (self._obstacle(path, tracked) for path in paths)
        return [obstacle for obstacle in obstacles if obstacle]

    def _obstacle(self, path: str, tracked: set[str]) -> str | None:
        """Return the untracked file or link at `path`, above it or below it; None if there is none."""
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

        A crash may have left some files written. Paths that already hold the new content are entered in the index as
        such, and `git read-tree` updates the others.
        """
        arrived = [change for change in self.changes(old, new) if self._is_written(change)]
        self._update_index(
            [f"{change.new_mode.lstrip('0') or '0'} {change.new_blob}\t{change.path}" for change in arrived]
        )
        self.run(("update-index", "-q", "--refresh"))
        self.ask("read-tree", "-m", "-u", self.with_entries(old, new, [change.path for change in arrived]), new)

    def _is_written(self, change: Change) -> bool:
        """True if the file on disk already has the new content, or the new mode if only the mode changes."""
        file = self.root / change.path
        behind_a_link = any((self.root / parent).is_symlink() for parent in PurePosixPath(change.path).parents[:-1])
        if behind_a_link or not (file.is_symlink() or file.is_file()):
            return change.status is ChangeStatus.DELETED
        if file.is_symlink() or change.new_mode == "120000":
            return change.new_mode == "120000" and file.is_symlink() and _link_blob(file, change) == change.new_blob
        if change.old_blob == change.new_blob:  # only the mode changes
            return (file.stat().st_mode & 0o100 != 0) == (change.new_mode == "100755")
        return change.new_blob in (blob_name(file.read_bytes(), change.new_blob), self._filtered_blob(change.path))

    def _filtered_blob(self, path: str) -> str:
        """Return the hash of a file as git would store it, after the filters of .gitattributes (line endings)."""
        return self.text("hash-object", f"--path={path}", "--", path)


def _link_blob(link: Path, change: Change) -> str:
    return blob_name(os.fsencode(os.readlink(link)), change.new_blob)
