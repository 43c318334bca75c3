"""A repository as whet works on it, and how one is opened.

A proof and a deployment name the same tree hash. Trees are built in a temporary index; the user's checkout and index
are written only by `Checkout.follow`, after the caller made sure that they are clean.
"""

import os
from pathlib import Path

from whet.errors import EnvironmentProblem, NotARepository
from whet.files import MB, read_file
from whet.git.diffs import Diffs
from whet.git.history import RecentCommits
from whet.git.objects import TreeEntry
from whet.git.refs import ZERO, Commit, Refs

__all__ = ["ZERO", "Commit", "Git", "TreeEntry", "open_checkout", "open_repository"]


class Git(Diffs, Refs, RecentCommits):
    """A repository: its objects, diffs and history, its refs and worktrees, all read through hardened host git."""


def open_repository(start: Path) -> Git:
    """Return the repository that holds `start`; refuse a bare repository, one without commits, and a linked worktree."""
    git = open_checkout(start)
    if git.try_ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}") is None:
        raise NotARepository(f"{git.root} has no commits yet", "commit something: whet proves changes against a commit")
    _refuse_a_linked_worktree(git, git.own_folder)
    return git


def open_checkout(start: Path) -> Git:
    """Return the checkout that holds `start`, which may be a linked worktree or have no commits; refuse a bare repository.

    For reading alone: the state of a repository is in its first checkout.
    """
    probe = Git(start)
    out = probe.try_ask("rev-parse", "--show-toplevel")
    if out is None and probe.try_ask("rev-parse", "--git-dir") is not None:
        raise NotARepository(f"{start} is a bare repository: whet needs a checkout", "clone it, and work in the clone")
    if out is None:
        raise NotARepository(
            f"{start} is not inside a git repository", "run `git init` and commit, or change to a repository"
        )
    git = Git(Path(os.fsdecode(out.rstrip(b"\n"))))
    _refuse_a_misplaced_checkout(git.root, probe.own_folder, start)
    return git


def _refuse_a_linked_worktree(git: Git, own_folder: Path) -> None:
    """Refuse a linked worktree: kill switch, ledger and deploy lock exist once, in the repository's first checkout."""
    if own_folder == git.common_folder:
        return
    first = git.common_folder.parent
    has_checkout = git.common_folder.name == ".git" and (first / ".git").is_dir()
    raise EnvironmentProblem(
        f"{git.root} is a linked worktree: whet keeps one kill switch and one ledger per repository",
        f"run whet in {first}; target.branch in its whet.toml names the branch to work on"
        if has_checkout
        else "clone the repository, and run whet in the clone",
    )


def _refuse_a_misplaced_checkout(checkout: Path, own_folder: Path, start: Path) -> None:
    """Refuse a checkout that is not the one of its .git: whet would change another repository, or another folder.

    An unpacked archive can hold a .git that leads to a repository of the user, and settings that name any folder.
    """
    root, folder = checkout.resolve(), own_folder.resolve()
    if not start.resolve().is_relative_to(root) or _git_folder(root) != folder:
        raise NotARepository(
            f"the checkout of {folder} is {root}, and {start} is not part of it",
            f"see `git -C {start} config --show-origin core.worktree`, or clone the repository again",
        )
    if folder.name == ".git" and folder.parent != root:
        raise NotARepository(
            f"{root}/.git leads to {folder}, which belongs to another checkout",
            f"run whet in {folder.parent}, or clone that repository",
        )


def _git_folder(root: Path) -> Path | None:
    """Return the folder of git that `.git` in a checkout is, or that it names in a file; None if it is neither."""
    place = root / ".git"
    if place.is_dir():
        return place.resolve()
    try:
        text = os.fsdecode(read_file(place, MB))
    except OSError:
        return None
    return (root / text.removeprefix("gitdir:").strip()).resolve()
