"""Prove a change that whet did not write: a patch file, a branch, a range of commits."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whet.app.project import Project
from whet.config import Config, parse
from whet.domain.evidence import Evidence
from whet.domain.own_files import FILE_NAME
from whet.domain.patch import Patch
from whet.domain.proved_claim import ProvedClaim
from whet.domain.sanitize import one_line
from whet.errors import UsageError
from whet.files import MB, read_file
from whet.git.git import Git
from whet.target.base_file import BaseFile
from whet.workflow.judging import judge_patch, outsider_origin

_LARGEST_PATCH = 20 * MB
_PATH_LINE = re.compile(rb"^(?:---|\+\+\+|rename from|rename to|copy from|copy to) ([^\t\r\n]+)", re.MULTILINE)
_LINE_OF_TEXT = re.compile(rb"^((?:[+-](?![+-]{2} )| )[^\r\n]*)\n", re.MULTILINE)


@dataclass(frozen=True)
class Proof:
    patch: Patch
    evidence: Evidence


def prove(
    project: Project,
    patch: Patch,
    *,
    trust_tests: bool,
    cache: Path | None = None,
    stated: ProvedClaim | None = None,
    policy_of: str = "",
) -> Proof:
    """Prove a change that whet did not write, and record the evidence. Nothing is deployed.

    `stated` is a claim that passes only if it is stated: a refactoring, or a change of tests alone. `policy_of` is the commit
    whose policy holds, by default the base: of several commits of one author, that before the first.

    `cache` is a file that keeps the run of the base; it is read if it exists, and written.
    """
    project = _with_policy_of_base(policy_of or patch.base, project)
    project.refuse_unless_permitted()
    if cache and project.policy.project:
        raise UsageError(
            "a cache file keeps the run of one suite, and [[project]] tables name several", "leave out --cache"
        )
    if cache:
        project.kit.suite.base_file = BaseFile(cache, project.progress.note)
    origin = outsider_origin(patch, trust_tests=trust_tests, stated=stated)
    with project.budgets.wall(origin.id, project.policy.tests.timeout_seconds):
        evidence = judge_patch(patch, origin, project.engines.checks, project.kit)
    key = f"{origin.id}/prove/{evidence.digest[:16]}"
    project.ledger.append("validate", evidence, subject=origin.id, key=key, kind="Evidence")
    return Proof(patch, evidence)


def stated_claim(name: str) -> ProvedClaim | None:
    """Return the claim of this name; None for an empty name. Refuse a claim that tests have to show by turning green."""
    names = [claim.value for claim in ProvedClaim if claim.without_red]
    if name and name not in names:
        raise UsageError(f"{name!r} is no claim that can be stated", f"those are: {', '.join(names)}")
    return ProvedClaim(name) if name else None


def _with_policy_of_base(base: str, project: Project) -> Project:
    """Return the project under the base commit's own whet.toml. The author of the change may have edited the checkout's."""
    policy = policy_of_base(project, base)
    return project if policy is project.policy else Project(project.git, policy, project.progress, project.store_url)


def policy_of_base(project: Project, base: str) -> Config:
    """Return the policy that the base commit holds; without one there, that of the checkout."""
    raw = project.git.read(base, FILE_NAME)
    return project.policy if raw is None else parse(raw, f"{base[:10]}:{FILE_NAME}")


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


def report(evidence: Evidence) -> dict[str, Any]:
    """Return the result of a proof for programs, the verdict first. docs/evidence.md describes it."""
    return {
        "verdict": evidence.verdict,
        "claim": evidence.claim,
        "summary": evidence.scope.text,
        "scope": evidence.scope,
        "digest": evidence.digest,
        "evidence": evidence,
    }
