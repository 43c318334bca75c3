"""The worktrees of a repository: what is checked out where, and what git has begun there and not finished."""

import os
from collections.abc import Collection
from functools import cached_property
from pathlib import Path

from whet.errors import GitFailed
from whet.git.command import GitCommand

_LINK_MODES = (b"120000", b"160000")  # symbolic links and submodules
_REBASE_FILES = ("rebase-merge/head-name", "rebase-apply/head-name", "rebase-merge/update-refs")
_UNFINISHED = {
    "MERGE_HEAD": "a merge", "CHERRY_PICK_HEAD": "a cherry-pick", "REVERT_HEAD": "a revert", "sequencer": "a sequence",
    "rebase-apply": "a series of patches",
}  # fmt: skip


class Worktrees(GitCommand):
    """Reads the state of all checkouts of a repository; writes nothing."""

    @cached_property
    def common_folder(self) -> Path:
        """Git's own folder, which all worktrees of the repository share."""
        out = self.ask("rev-parse", "--path-format=absolute", "--git-common-dir")
        return Path(os.fsdecode(out.rstrip(b"\n")))

    @cached_property
    def own_folder(self) -> Path:
        """Git's own folder of this checkout; of a linked worktree it is a part of the common folder."""
        out = self.ask("rev-parse", "--absolute-git-dir")
        return Path(os.fsdecode(out.rstrip(b"\n")))

    def checkouts(self) -> list[tuple[Path, str]]:
        """Return every worktree that has a branch checked out, with the branch."""
        out = self.ask("worktree", "list", "--porcelain", "-z").decode(errors="surrogateescape")
        checkouts: list[tuple[Path, str]] = []
        folder = ""
        for line in out.split("\0"):
            if line.startswith("worktree "):
                folder = line.removeprefix("worktree ")
            elif line.startswith("branch "):
                checkouts.append((Path(folder), line.removeprefix("branch ")))
        return checkouts

    def checked_out(self, ref: str) -> list[Path]:
        """Return the worktrees in which this branch is checked out."""
        return [folder for folder, branch in self.checkouts() if branch == ref and folder.exists()]

    def unfinished_operation(self, ref: str) -> str:
        """Describe an unfinished git operation on this branch, such as a rebase; return "" if there is none.

        During a rebase or a bisection the branch is not checked out; git notes it in the folder of that worktree.
        """
        name = ref.removeprefix("refs/heads/")
        for folder in self._worktree_folders():
            if any(ref in _lines(folder / file) for file in _REBASE_FILES):
                return f"{name} is being rebased"
            if name in _lines(folder / "BISECT_START"):
                return f"a bisection of {name} is under way"
        for checkout in self.checked_out(ref):
            folder = Path(GitCommand(checkout).text("rev-parse", "--absolute-git-dir"))
            for file, operation in _UNFINISHED.items():
                if (folder / file).exists():
                    return f"{operation} is under way in {checkout}"
        return ""

    def _worktree_folders(self) -> list[Path]:
        """Return git's own folder of every worktree that still exists; skip those that were deleted by hand."""
        linked = (self.common_folder / "worktrees").glob("*")
        alive = [folder for folder in linked if any((folder / line).exists() for line in _lines(folder / "gitdir"))]
        return [self.common_folder, *alive]

    def tracks(self, path: str, except_for: Collection[str] = ()) -> bool:
        """True if the checkout's index holds this path, a path below it, or a link or submodule above it.

        Files below it with a name in `except_for` do not count.
        """
        parts = path.split("/")
        above = ["/".join(parts[:count]) for count in range(1, len(parts))]
        staged = self.ask("ls-files", "--stage", "-z", "--", path, *above).split(b"\0")
        modes = {row.partition(b"\t")[2]: row[:6] for row in staged if row}
        own = path.encode(errors="surrogateescape")
        below = [name for name in modes if name.startswith(own + b"/")]
        if own in modes or any(os.fsdecode(name.rpartition(b"/")[2]) not in except_for for name in below):
            return True
        return any(modes.get(name.encode(errors="surrogateescape")) in _LINK_MODES for name in above)


def _lines(path: Path) -> list[str]:
    """Return the lines of a file in git's own folder, or none if the file does not exist."""
    try:
        return path.read_text(errors="surrogateescape").splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as problem:
        raise GitFailed(
            f"{path} cannot be read: {problem.strerror}", "make the file readable for your user"
        ) from problem
