"""The last check before anything moves: what it must permit and what it must refuse."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from tests.support import MakeRepo
from whet.config import Config
from whet.domain.approval import Answer, Approval, Gate, Tier
from whet.domain.clock import now
from whet.domain.evidence import Cost, Evidence, GuardFinding
from whet.domain.patch import Patch
from whet.domain.verdict import Verdict
from whet.errors import EvidenceChanged, Refused, WhetError, Withdrawn
from whet.git.git import Git
from whet.phases.deploy.permit import permit

BOTH = (Gate.APPLY, Gate.MERGE)


@dataclass(frozen=True)
class Facts:
    """All inputs of `permit`; a test changes one of them."""

    evidence: Evidence
    patch: Patch
    approvals: tuple[Approval, ...]
    gates: tuple[Gate, ...]
    guard: tuple[GuardFinding, ...]
    policy: Config
    git: Git

    def permit(self) -> None:
        permit(self.evidence, self.patch, self.approvals, self.gates, self.guard, self.policy, self.git)


@pytest.fixture
def facts(make_repo: MakeRepo) -> Facts:
    repo = make_repo({"a.py": "x = 1\n"})
    git, policy = repo.git, Config()
    base = git.resolve("HEAD")
    patch = git.patch(base, git.with_files(git.tree_of(base), {"a.py": b"x = 2\n"}), "a change")
    evidence = Evidence(
        proposal="p-1", signature="s-1", base=base, tree=patch.tree, patch_digest=patch.digest,
        policy_digest=policy.digest, verdict=Verdict.PASSED, reasons=(), checks=(), guard=(), containment=None,
        cost=Cost(seconds=1.0, suite_runs=3), made_at=now(),
    )  # fmt: skip
    given = (approval(evidence, Gate.APPLY), approval(evidence, Gate.MERGE, approver="policy"))
    return Facts(evidence, patch, given, BOTH, (), policy, git)


def approval(evidence: Evidence, gate: Gate, *, approver: str = "person", answer: Answer = Answer.APPROVED) -> Approval:
    return Approval(
        proposal="p-1", gate=gate, tier=Tier.CONFIRM, answer=answer, approver=approver, who="ada", via="test",
        digest=evidence.digest, decided_at=now(),
    )  # fmt: skip


def test_a_proven_and_approved_change_is_permitted(facts: Facts) -> None:
    facts.permit()


def test_a_branch_needs_only_the_apply_gate(facts: Facts) -> None:
    replace(facts, approvals=facts.approvals[:1], gates=(Gate.APPLY,)).permit()


def test_outside_production_no_person_is_needed(facts: Facts) -> None:
    policy = Config(environment="development")
    evidence = replace(facts.evidence, policy_digest=policy.digest)
    given = tuple(approval(evidence, gate, approver="policy") for gate in BOTH)
    replace(facts, policy=policy, evidence=evidence, approvals=given).permit()


def _overridden(verdict: Verdict, **changes: object) -> Callable[[Facts], Facts]:
    """Make facts in which a person overrides a verdict at the highest tier, with the given changes to the approval."""

    def change(facts: Facts) -> Facts:
        evidence = replace(facts.evidence, verdict=verdict)
        yes = replace(approval(evidence, Gate.APPLY), override=True, tier=Tier.REQUIRE)
        given = (replace(yes, **changes), approval(evidence, Gate.MERGE))  # type: ignore[arg-type]
        return replace(facts, evidence=evidence, approvals=given)

    return change


def test_a_person_may_override_an_inconclusive_verdict(facts: Facts) -> None:
    _overridden(Verdict.INCONCLUSIVE)(facts).permit()


def _with_evidence(**changes: object) -> Callable[[Facts], Facts]:
    """Make facts whose approved evidence is about another change than the one to deploy."""

    def change(facts: Facts) -> Facts:
        evidence = replace(facts.evidence, **changes)  # type: ignore[arg-type]
        return replace(facts, evidence=evidence, approvals=tuple(approval(evidence, gate) for gate in BOTH))

    return change


def _blocked(facts: Facts) -> Facts:
    return replace(facts, guard=(GuardFinding(rule="r", severity="block", path="a.py", reason="a.py is protected"),))


MUST_REFUSE: dict[str, Callable[[Facts], Facts]] = {
    "nobody answered": lambda facts: replace(facts, approvals=()),
    "the merge gate is unanswered": lambda facts: replace(facts, approvals=facts.approvals[:1]),
    "the apply gate is unanswered": lambda facts: replace(facts, approvals=facts.approvals[1:]),
    "a no at one gate": lambda facts: replace(
        facts, approvals=(*facts.approvals, approval(facts.evidence, Gate.MERGE, answer=Answer.REJECTED))
    ),
    "an expired gate": lambda facts: replace(
        facts, approvals=(*facts.approvals[:1], approval(facts.evidence, Gate.MERGE, answer=Answer.EXPIRED))
    ),
    "a withdrawal": lambda facts: replace(
        facts, approvals=(*facts.approvals, approval(facts.evidence, Gate.APPLY, answer=Answer.WITHDRAWN))
    ),
    "a yes to something else": lambda facts: replace(
        facts, approvals=(*facts.approvals, replace(facts.approvals[0], digest="0" * 64))
    ),
    "evidence that was edited after the yes": lambda facts: replace(
        facts, evidence=replace(facts.evidence, reasons=("trust me",))
    ),
    "another policy": lambda facts: replace(facts, policy=Config(environment="development")),
    "another patch": _with_evidence(patch_digest="0" * 64),
    "another tree": _with_evidence(tree="0" * 40),
    "another base": _with_evidence(base="0" * 40),
    "a failed verdict": _with_evidence(verdict=Verdict.FAILED),
    "a failed verdict that somebody overrode": _overridden(Verdict.FAILED),
    "an override below the highest tier": _overridden(Verdict.INCONCLUSIVE, tier=Tier.APPROVE),
    "an override by no person": _overridden(Verdict.INCONCLUSIVE, approver="policy"),
    "an inconclusive verdict nobody overrode": _with_evidence(verdict=Verdict.INCONCLUSIVE),
    "a guard that blocks": _blocked,
    "no person in production": lambda facts: replace(
        facts, approvals=tuple(approval(facts.evidence, gate, approver="policy") for gate in BOTH)
    ),
    "a patch whose digest is a lie": lambda facts: replace(
        facts, patch=replace(facts.patch, tree=facts.git.tree_of(facts.patch.base))
    ),
}


@pytest.mark.parametrize("name", MUST_REFUSE)
def test_any_difference_or_missing_approval_is_refused(name: str, facts: Facts) -> None:
    with pytest.raises((Refused, EvidenceChanged, Withdrawn)) as refused:
        MUST_REFUSE[name](facts).permit()
    assert isinstance(refused.value, WhetError)
    assert refused.value.message
