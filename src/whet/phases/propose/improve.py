"""Proposes the better versions of prompts, workflows and slow functions that `whet improve` found."""

from collections.abc import Iterable

from whet.domain.build import Build
from whet.domain.canonical import digest
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding, FindingKind
from whet.domain.improvement import Improvement
from whet.domain.layer import Layer
from whet.domain.plural import count
from whet.domain.proposal import Proposal, ProposalKind, ValidationPlan
from whet.domain.risk import Risk
from whet.kit import Kit
from whet.store.codec import decode

_MOST_SHOWN = 4


class Improve:
    """The proposer of better texts. The proof scores them again; whet's own search never decides."""

    def __init__(self, kit: Kit) -> None:
        self._git, self._runner = kit.git, kit.policy.tests.runner
        self._declared = {
            "evaluations": frozenset(kit.policy.evaluations.declared),
            "benchmarks": frozenset(kit.policy.benchmarks.declared),
        }

    def can_help(self, finding: Finding) -> bool:
        if finding.kind != FindingKind.IMPROVED_TEXT:
            return False
        improvement = decode(Improvement, finding.signals[0].payload)
        return improvement.evaluation in self._declared.get(improvement.check, frozenset())

    def propose(self, diagnosis: Diagnosis, base: str, cycle: str) -> Iterable[Proposal]:
        improvement = decode(Improvement, diagnosis.finding.signals[0].payload)
        yield Proposal(
            id=f"p-{digest([cycle, 'improve', improvement.signature])[:8]}",
            engine="improve",
            kind=_kind(improvement, diagnosis.layer),
            category=diagnosis.finding.category,
            target=(improvement.path,),
            title=f"Change {improvement.path}: {'; '.join(improvement.changes)}"[:200],
            rationale=_rationale(improvement),
            risk=Risk.MEDIUM,  # a text that steers a program or a model can mean more than its cases ask
            expected_gain=min(1.0, max(0.05, round(improvement.mean, 3))),
            plan=ValidationPlan(targets=self._targets(improvement)),
            diagnosis=diagnosis,
            base=base,
            created_at=now(),
            recipe={"text": improvement.after},
        )

    def _targets(self, improvement: Improvement) -> dict[str, tuple[str, ...]]:
        """Return what the proof must show. The suite must hold too, except for a text in a project that says it has none."""
        measured: dict[str, tuple[str, ...]] = {improvement.check: (improvement.evaluation,)}
        without_suite = self._runner == "none" and improvement.check == "evaluations"
        return measured if without_suite else {"tests": (), **measured}

    def build(self, proposal: Proposal, avoid: frozenset[str]) -> Build:
        [path] = proposal.target
        tree = self._git.with_files(self._git.tree_of(proposal.base), {path: str(proposal.recipe["text"]).encode()})
        patch = self._git.patch(proposal.base, tree, proposal.title[:72])
        if patch.digest in avoid:
            return Build(patch=None, note="this version was rejected before")
        return Build(patch=patch, note="the version that `whet improve` confirmed", tried=1)


def _kind(improvement: Improvement, layer: Layer) -> ProposalKind:
    if improvement.check == "benchmarks":
        return ProposalKind.BEHAVIOR_FIX
    return ProposalKind.PROTOCOL_UPDATE if layer is Layer.PROTOCOL else ProposalKind.SKILL_IMPROVE


def _rationale(improvement: Improvement) -> str:
    best = sorted(improvement.tried, key=lambda tried: -tried.mean)[:_MOST_SHOWN]
    return (
        f"By inputs that the search had not seen, {improvement.evaluation} was {improvement.confirmed}. "
        f"{count(len(improvement.tried), 'version')} tried; by the inputs of the search: "
        f"{'; '.join(f'{tried.change}: {tried.comparison}' for tried in best)}."
    )
