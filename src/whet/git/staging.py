"""The tree of the files that are staged for a commit, and the tree that they are compared with."""

import os

from whet.errors import EnvironmentProblem
from whet.git.git import Git

_INDEX = "GIT_INDEX_FILE"


def staged_tree(git: Git) -> str:
    """Return the tree that a commit would have now.

    For `git commit -a` and `git commit FILE`, git names another index to its hooks, in a variable.
    """
    index = os.environ.get(_INDEX)
    done = git.run(("write-tree", "--missing-ok"), env={_INDEX: index} if index else None)
    if done.code != 0:
        reason = next(iter(done.err.splitlines()), f"exit code {done.code}")
        raise EnvironmentProblem(
            f"the staged files cannot be committed: {reason}", "resolve the conflicts, then `git add` the files"
        )
    return done.out.decode().strip()


def head_commit(git: Git) -> str:
    """Return the commit that is checked out; empty in a repository without commits."""
    return _commit(git, "HEAD")


def committed_tree(git: Git, staged: str) -> str:
    """Return the tree that `staged` changes: that of HEAD, or the empty tree without commits.

    In a merge, files that are staged as the merged commit has them are not part of the change.
    """
    head = head_commit(git)
    if not head:
        return git.ask("mktree").decode().strip()
    base, merged = git.tree_of(head), _commit(git, "MERGE_HEAD")
    if not merged:
        return base
    own = {change.path for change in git.changes(git.tree_of(merged), staged)}
    taken = [change.path for change in git.changes(base, staged) if change.path not in own]
    return git.with_entries(base, staged, taken)


def _commit(git: Git, name: str) -> str:
    out = git.try_ask("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    return (out or b"").decode().strip()
