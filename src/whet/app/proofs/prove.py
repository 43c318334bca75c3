"""Prove a change that whet did not write: a patch file, a branch, a range of commits."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whet.app.project import Project
from whet.config import Config, parse
from whet.domain.evidence import Evidence
from whet.domain.own_files import FILE_NAME
from whet.domain.patch import Patch
from whet.domain.proved_claim import ProvedClaim
from whet.errors import UsageError
from whet.target.base_file import BaseFile
from whet.workflow.judging import judge_patch, outsider_origin


@dataclass(frozen=True)
class ProvedChange:
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
) -> ProvedChange:
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
    return ProvedChange(patch, evidence)


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
