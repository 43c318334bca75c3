"""Refuse to move a branch while git is in the middle of an operation on it, such as a rebase."""

from whet.errors import WorktreeNotClean
from whet.git.git import Git


def refuse_during_git_operation(git: Git, ref: str) -> None:
    """Raise WorktreeNotClean if a rebase, merge or the like is under way on the branch."""
    if operation := git.unfinished_operation(ref):
        raise WorktreeNotClean(
            f"{operation}, and moving {ref.removeprefix('refs/heads/')} would break that",
            "finish or abort it, then `whet resume`",
        )
