"""ruff's safe fixes: one proposal per rule and file."""

from collections.abc import Iterable

from whet.domain.build import Build
from whet.domain.canonical import digest
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding, FindingKind
from whet.domain.proposal import Proposal, ProposalKind, ValidationPlan
from whet.domain.risk import Risk
from whet.kit import Kit
from whet.target.ruff import Ruff


class Autofix:
    def __init__(self, kit: Kit) -> None:
        self._git, self._ruff = kit.git, Ruff(kit.suite, kit.policy.propose.lint_rules)

    def can_help(self, finding: Finding) -> bool:
        return finding.kind == FindingKind.LINT and any(signal.payload["fixable"] for signal in finding.signals)

    def propose(self, diagnosis: Diagnosis, base: str, cycle: str) -> Iterable[Proposal]:
        finding = diagnosis.finding
        rule = finding.subjects[0]
        for path in dict.fromkeys(str(s.payload["path"]) for s in finding.signals if s.payload["fixable"]):
            count = sum(1 for s in finding.signals if s.payload["path"] == path and s.payload["fixable"])
            yield Proposal(
                id=f"p-{digest([cycle, 'autofix', rule, path])[:8]}",
                engine="autofix",
                kind=ProposalKind.BEHAVIOR_FIX,
                category=finding.category,
                target=(path,),
                title=f"Fix {count} x {rule} in {path}",
                rationale=f"{finding.signals[0].payload['message']}. ruff calls the fix of {rule} safe.",
                risk=Risk.LOW,
                expected_gain=count / len(finding.signals),
                plan=ValidationPlan(targets={"lint": (f"{rule} {path}",), "tests": ()}),
                diagnosis=diagnosis,
                base=base,
                created_at=now(),
                recipe={"rule": rule, "path": path},
            )

    def build(self, proposal: Proposal, avoid: frozenset[str]) -> Build:
        rule, path = str(proposal.recipe["rule"]), str(proposal.recipe["path"])
        base_tree = self._git.tree_of(proposal.base)
        fixed = self._ruff.fix(base_tree, rule, path)
        if fixed is None:
            return Build(patch=None, note=f"ruff changes nothing for {rule} in {path}")
        patch = self._git.patch(proposal.base, self._git.with_files(base_tree, {path: fixed}), proposal.title)
        if patch.digest in avoid:
            return Build(patch=None, note="ruff's only fix was turned down before")
        return Build(patch=patch, note=f"ruff's safe fix of {rule}", tried=1)
