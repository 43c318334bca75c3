"""Prove a change that whet did not write: a patch file, a branch, a range of commits."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whet.app.project import Project
from whet.config import FILE_NAME, parse
from whet.domain.evidence import Evidence
from whet.domain.patch import Patch
from whet.domain.plural import count, shorten
from whet.domain.sanitize import one_line
from whet.domain.verdict import Verdict
from whet.errors import UsageError
from whet.files import MB, read_file
from whet.git.git import Git
from whet.target.base_file import BaseFile
from whet.workflow.judging import judge_patch, outsider_origin

_LARGEST_PATCH = 20 * MB
_PATH_LINE = re.compile(rb"^(?:---|\+\+\+|rename from|rename to|copy from|copy to) ([^\t\r\n]+)", re.MULTILINE)
_NO_MARKDOWN = re.compile(r"[A-Za-z0-9 ,]+")
_LINE_OF_TEXT = re.compile(rb"^((?:[+-](?![+-]{2} )| )[^\r\n]*)\n", re.MULTILINE)


@dataclass(frozen=True)
class Proof:
    patch: Patch
    evidence: Evidence


def prove(project: Project, patch: Patch, *, trust_tests: bool, cache: Path | None = None) -> Proof:
    """Prove a change that whet did not write, and record the evidence. Nothing is deployed.

    `cache` is a file that keeps the run of the base; it is read if it exists, and written.
    """
    project = _with_policy_of_base(patch.base, project)
    project.refuse_unless_permitted()
    if cache:
        project.kit.suite.base_file = BaseFile(cache, project.progress.note)
    origin = outsider_origin(patch, trust_tests=trust_tests)
    with project.budgets.wall(origin.id, project.policy.tests.timeout_seconds):
        evidence = judge_patch(patch, origin, project.engines.checks, project.kit)
    key = f"{origin.id}/prove/{evidence.digest[:16]}"
    project.ledger.append("validate", evidence, subject=origin.id, key=key, kind="Evidence")
    return Proof(patch, evidence)


def _with_policy_of_base(base: str, project: Project) -> Project:
    """Return the project under the base commit's own whet.toml. The author of the change may have edited the checkout's."""
    raw = project.git.read(base, FILE_NAME)
    return (
        project
        if raw is None
        else Project(project.git, parse(raw, f"{base[:10]}:{FILE_NAME}"), project.progress, project.store_url)
    )


def from_file(git: Git, base: str, path: Path) -> Patch:
    try:
        diff = read_file(path, _LARGEST_PATCH)
    except OSError as problem:
        raise UsageError(
            f"{path} cannot be read: {problem.strerror}", "name a patch file: `git diff > change.patch` writes one"
        ) from problem
    tree = git.apply(base, diff)
    if tree is None:
        why, remedy = _why_not(git, base, diff)
        raise UsageError(f"{path} does not apply to {base[:10]}{why}", remedy)
    return git.patch(base, tree, path.name)


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
    first, dots, last = text.partition("..")
    if not dots or not first or not last:
        raise UsageError(f"{text!r} is not a range of commits", "for example: whet prove main..feature")
    return git.patch(git.resolve(first), git.tree_of(git.resolve(last.lstrip("."))), text)


def report(evidence: Evidence) -> dict[str, Any]:
    """Return the result of a proof for programs, the verdict first. docs/evidence.md describes it."""
    return {
        "verdict": evidence.verdict,
        "summary": evidence.scope.text,
        "scope": evidence.scope,
        "digest": evidence.digest,
        "evidence": evidence,
    }


def markdown(proof: Proof) -> str:
    """Return a Markdown summary for a pull request."""
    evidence = proof.evidence
    mark = {Verdict.PASSED: "✅", Verdict.FAILED: "❌", Verdict.INCONCLUSIVE: "❔"}[evidence.verdict]
    lines = [f"### whet: {mark} {evidence.verdict.value}", ""]
    lines += [_paragraph(evidence)] if evidence.verdict is Verdict.PASSED else _bullets(evidence.reasons)
    if undecided := evidence.undecided:
        lines += ["", f"**A question for the reviewer:** what should {_code(undecided.call)} be?", ""]
        lines += [
            f"- {_code(answer.text)} {undecided.given_by(answer, evidence.patch_digest)}"
            for answer in undecided.answers
        ]
    for check in evidence.checks:
        lines += ["", f"**{check.check}**", "", "| | |", "| --- | --- |"]
        for name, tests in (
            ("red without it", check.red),
            ("green with it", check.green),
            ("red on revert", check.reverted),
        ):
            lines.append(f"| {name} | {_shown(tests)} |")
        lines.append(f"| unchanged | {check.held} |")
        for name, tests in (
            ("regressed", check.regressed), ("missing", check.missing), ("flaky, excluded", check.flaky),
            ("red before and after", check.still_red), ("also fixed", check.also_mended),
        ):  # fmt: skip
            if tests:
                lines.append(f"| {name} | {_shown(tests)} |")
        lines += [f"| {safeguard.name} | {_cell(safeguard.words)} |" for safeguard in check.safeguards]
        if evidence.verdict is not Verdict.PASSED:  # the paragraph of a passed proof has the notes
            lines += [f"| open | {_cell(note)} |" for note in check.notes]
    if evidence.guard:
        lines += ["", "**guard**", ""]
        lines += [f"- {finding.severity}: {_code(finding.reason)}" for finding in evidence.guard]
    seconds, runs = evidence.cost.seconds, evidence.cost.suite_runs
    lines += [
        "",
        f"<sub>evidence `{evidence.digest[:16]}`, base `{evidence.base[:10]}`, {count(runs, 'suite run')}, {seconds:.1f} s</sub>",
    ]
    return "\n".join(lines) + "\n"


def _paragraph(evidence: Evidence) -> str:
    """Return the scope of the proof. A clause that may quote a test id or a path is code."""
    shown, open_ = ("; ".join(map(_clause, clauses)) for clauses in (evidence.scope.shown, evidence.scope.not_examined))
    return f"Proved: {shown}. Not looked at: {open_}."


def _clause(text: str) -> str:
    return text if _NO_MARKDOWN.fullmatch(text) else _code(text)


def _bullets(reasons: Iterable[str]) -> list[str]:
    return [f"- {_code(reason)}" for reason in reasons]


def _shown(tests: tuple[str, ...]) -> str:
    return shorten([_cell(test) for test in tests], 5) or "none"


def _cell(text: str) -> str:
    return _code(text).replace("|", "\\|")


def _code(text: str) -> str:
    """Quote text as Markdown code, so that nothing in it is a link, a mention, an image or HTML."""
    text = one_line(text)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    room = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{room}{text}{room}{fence}"
