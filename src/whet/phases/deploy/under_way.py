"""A branch that git is in the middle of something with is not moved from under it."""

from whet.errors import WorktreeNotClean
from whet.git.git import Git


def refuse_if_under_way(git: Git, ref: str) -> None:
    if what := git.unfinished_operation(ref):
        raise WorktreeNotClean(
            f"{what}, and moving {ref.removeprefix('refs/heads/')} would break that",
            "finish or abort it and run it again",
        )
