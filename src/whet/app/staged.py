"""Ask the guard about the files that are staged for a commit. Nothing is run, and no state is read or written."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from whet.config import Config, parse
from whet.domain.category import Category
from whet.domain.evidence import GuardFinding
from whet.domain.own_files import FILE_NAME
from whet.domain.risk import Risk
from whet.git.git import Git, open_checkout
from whet.git.staging import committed_tree, head_commit, staged_tree
from whet.guard.content.rules import CONTENT_CODES
from whet.guard.judge import judge, refusals
from whet.workflow.guard_context import guard_context

# Reasons for which whet cannot prove a change. They are judged on the whole change, of which a commit may be a part.
_NOT_PROVABLE = frozenset({
    "too_many_files", "too_many_lines", "too_many_new_files", "too_many_deleted_files", "binary_file",
    "diff_suffix_not_allowed",
})  # fmt: skip
# What the first commit of a repository may not hold either. Other rules protect files that exist.
_NEVER = CONTENT_CODES | {"path_unsafe", "secret_file"}
_LINE = re.compile(r"\bline (\d{1,7})\b")


@dataclass(frozen=True, kw_only=True)
class StagedFinding:
    """A remark of the guard on a staged file. `path` is empty for one about all of them, `line` is 0 for a whole file."""

    path: str
    line: int
    rule: str
    severity: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class StagedReview:
    """The guard's answer about the staged files. `policy` names where the policy was read."""

    answer: str
    files: int
    policy: str
    findings: tuple[StagedFinding, ...]

    @property
    def refused(self) -> tuple[StagedFinding, ...]:
        return tuple(finding for finding in self.findings if finding.severity == "block")


def review_staged(start: Path) -> StagedReview:
    """Judge the staged files under the policy of HEAD, as the change of somebody else."""
    git = open_checkout(start)
    staged, head = staged_tree(git), head_commit(git)
    policy, source = _policy_at(git, head)
    patch = git.patch(committed_tree(git, staged), staged, "what is staged")
    if not patch.changes:
        return StagedReview(answer="allowed", files=0, policy=source, findings=())
    findings = judge(
        patch.changes,
        git.texts(patch.changes),
        context=guard_context(patch, git, frozenset()),
        category=Category.BUG_FIX,
        risk=Risk.LOW,
        policy=policy,
        author="outsider",
    )
    weighed = tuple(_weighed(finding, first=not head) for finding in findings)
    return StagedReview(
        answer="refused" if refusals(weighed) else "allowed",
        files=len(patch.changes),
        policy=source,
        findings=tuple(map(_with_line, sorted(weighed, key=lambda finding: finding not in refusals(weighed)))),
    )


def _policy_at(git: Git, head: str) -> tuple[Config, str]:
    """Return the committed policy and its place: whoever stages files may have edited whet.toml too."""
    raw = git.read(head, FILE_NAME) if head else None
    if raw is None:
        return Config(), "the defaults"
    return parse(raw, f"HEAD:{FILE_NAME}"), f"HEAD:{FILE_NAME}"


def _weighed(finding: GuardFinding, *, first: bool) -> GuardFinding:
    """Return the finding, as a note if it is no reason to keep the files out of a commit."""
    keeps = finding.rule in _NEVER if first else finding.rule not in _NOT_PROVABLE
    return finding if keeps else replace(finding, severity="note")


def _with_line(finding: GuardFinding) -> StagedFinding:
    match = _LINE.search(finding.reason) if finding.path else None
    return StagedFinding(
        path=finding.path,
        line=int(match[1]) if match else 0,
        rule=finding.rule,
        severity=finding.severity,
        reason=finding.reason,
    )
