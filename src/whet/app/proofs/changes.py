"""The changes that `whet prove` is asked about: a patch file, a branch, a range of commits, or each commit of one."""

import re
from collections.abc import Callable
from pathlib import Path

from whet.domain.patch import Patch
from whet.domain.sanitize import one_line
from whet.errors import UsageError
from whet.files import MB, read_file
from whet.git.git import Git

_LARGEST_PATCH = 20 * MB
_PATH_LINE = re.compile(rb"^(?:---|\+\+\+|rename from|rename to|copy from|copy to) ([^\t\r\n]+)", re.MULTILINE)
_LINE_OF_TEXT = re.compile(rb"^((?:[+-](?![+-]{2} )| )[^\r\n]*)\n", re.MULTILINE)


def named_change(
    git: Git, target: Callable[[], str], *, patch: Path | None, branch: str, commits: str, base: str
) -> Patch:
    """Return the one change that is named; with a base alone, what the checked-out commit changes since it left the base.

    `target` returns the branch to compare with if no base is named; a checkout of a CI runner may not have it.
    """
    named = sum(map(bool, (commits, patch, branch)))
    if named > 1 or not (named or base):
        raise UsageError(
            "name one change: --patch FILE, --branch NAME, a range, or --base COMMIT for what is checked out",
            "whet prove --branch feature",
        )
    if commits:
        return from_range(git, commits)
    against = git.resolve(base or target())
    return from_file(git, against, patch) if patch else from_branch(git, against, branch or "HEAD")


def named_commits(git: Git, target: Callable[[], str], *, branch: str, commits: str, base: str) -> list[Patch]:
    """Return each commit of a branch or a range as a change, the oldest first. Refuse a range without commits."""
    if (commits and branch) or not (commits or branch or base):
        raise UsageError("name the commits: a range, --branch NAME or --base COMMIT", "whet prove --each main..feature")
    if commits:
        from_range(git, commits)  # refuses what is no range
        first, _, last = commits.replace("...", "..").partition("..")
    else:
        first, last = base or target(), branch or "HEAD"
    changes = each_commit(git, git.resolve(first), last)
    if not changes:
        raise UsageError(
            f"there is no commit between {first} and {last}", "name a range: whet prove --each main..feature"
        )
    return changes


def from_file(git: Git, base: str, path: Path) -> Patch:
    try:
        diff = read_file(path, _LARGEST_PATCH)
    except OSError as problem:
        raise UsageError(
            f"{path} cannot be read: {problem.strerror}", "name a patch file: `git diff > change.patch` writes one"
        ) from problem
    return from_diff(git, base, diff, str(path), path.name)


def from_diff(git: Git, base: str, diff: bytes, name: str, summary: str = "") -> Patch:
    """Return the change of a unified diff. `name` stands in the error if the diff does not apply."""
    tree = git.apply(base, diff)
    if tree is None:
        why, remedy = _why_not(git, base, diff)
        raise UsageError(f"{name} does not apply to {base[:10]}{why}", remedy)
    return git.patch(base, tree, summary or name)


def _why_not(git: Git, base: str, diff: bytes) -> tuple[str, str]:
    """Return (reason, remedy) for a diff that does not apply; the reason is empty if its lines simply do not match."""
    if not (_PATH_LINE.search(diff) or b"diff --git " in diff):
        return ": there is no diff in it", "make it with `git diff` or `git format-patch`"
    if outside := _path_outside(diff):
        return (
            f": it names {one_line(outside)!r}, which is not in the repository",
            "make it in the repository's top folder",
        )
    if git.apply(base, diff.replace(b"\r\n", b"\n")) is not None:
        return (
            ": its lines end with CRLF, those of the base do not",
            "make it with `git diff`, which keeps line endings",
        )
    if git.apply(base, _LINE_OF_TEXT.sub(rb"\1\r\n", diff)) is not None:
        return (
            ": the lines of the base end with CRLF, its own do not",
            "make it with `git diff`, which keeps line endings",
        )
    return "", "rebase it, or name its base with --base"


def _path_outside(diff: bytes) -> str:
    """Return the first path in the diff that leads out of the repository; empty if none does."""
    for raw in _PATH_LINE.findall(diff):
        path = raw.decode(errors="replace").strip().strip('"')
        if path != "/dev/null" and (path.startswith("/") or ".." in path.split("/")):
            return re.sub("^[ab]/", "", path)
    return ""


def from_branch(git: Git, base: str, branch: str) -> Patch:
    """Return what a branch changes since it left the base."""
    tip = git.resolve(branch)
    left = git.try_ask("merge-base", base, tip)
    if left is None:
        raise UsageError(f"{branch} and {base[:10]} have no common history")
    return git.patch(left.decode().strip(), git.tree_of(tip), branch)


def from_range(git: Git, text: str) -> Patch:
    """Return the change of `A..B`, or with three dots what B changes since it left A, as in `git diff`."""
    first, dots, last = text.partition("...")
    if dots and first and last:
        return from_branch(git, git.resolve(first), last)
    first, dots, last = text.partition("..")
    if not dots or not first or not last:
        raise UsageError(f"{text!r} is not a range of commits", "for example: whet prove main..feature")
    return git.patch(git.resolve(first), git.tree_of(git.resolve(last)), text)


def each_commit(git: Git, base: str, tip: str) -> list[Patch]:
    """Return what each commit changes between the point where `tip` left `base` and `tip`, the oldest first.

    A merge is one change, against its first parent.
    """
    first = from_branch(git, base, tip).base
    lines = git.text("log", "--first-parent", "--reverse", "--format=%H %P%x09%s", f"{first}..{git.resolve(tip)}")
    changes = []
    for line in lines.splitlines():
        commits, _, subject = line.partition("\t")
        commit, parent = commits.split()[:2]
        changes.append(git.patch(parent, git.tree_of(commit), f"{commit[:10]} {subject}"))
    return changes
