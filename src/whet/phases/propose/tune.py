"""Proposes the better values of constants that `whet tune` found."""

from collections.abc import Iterable

from whet.domain.build import Build
from whet.domain.canonical import digest
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding, FindingKind
from whet.domain.layer import Layer
from whet.domain.proposal import Proposal, ProposalKind, ValidationPlan
from whet.domain.risk import Risk
from whet.domain.tuning import Tuning
from whet.kit import Kit
from whet.knowledge.constants import with_constants
from whet.store.codec import decode

_MOST_POINTS = 12


class Tune:
    """The proposer of tuned constants. The proof measures the benchmark again and runs the whole suite."""

    def __init__(self, kit: Kit) -> None:
        self._git = kit.git
        self._benchmarks, self._evaluations = kit.policy.benchmarks.declared, kit.policy.evaluations.declared

    def can_help(self, finding: Finding) -> bool:
        if finding.kind != FindingKind.TUNED_CONSTANTS:
            return False
        return decode(Tuning, finding.signals[0].payload).objective in {*self._benchmarks, *self._evaluations}

    def propose(self, diagnosis: Diagnosis, base: str, cycle: str) -> Iterable[Proposal]:
        finding = diagnosis.finding
        tuning = decode(Tuning, finding.signals[0].payload)
        protocol = diagnosis.layer is Layer.PROTOCOL
        yield Proposal(
            id=f"p-{digest([cycle, 'tune', finding.signature])[:8]}",
            engine="tune",
            kind=ProposalKind.PROTOCOL_UPDATE if protocol else ProposalKind.CONSTANT_TUNE,
            category=finding.category,
            target=(tuning.path,),
            title=f"Set {tuning.change} in {tuning.path}"[:200],
            rationale=_rationale(tuning),
            risk=Risk.LOW,
            expected_gain=min(1.0, max(0.05, round(1 - tuning.ratio, 3))),
            plan=ValidationPlan(targets={"tests": (), self._check(tuning): (tuning.objective,)}),
            diagnosis=diagnosis,
            base=base,
            created_at=now(),
            recipe={"values": dict(zip(tuning.constants, tuning.after, strict=True))},
        )

    def _check(self, tuning: Tuning) -> str:
        return "benchmarks" if tuning.objective in self._benchmarks else "evaluations"

    def build(self, proposal: Proposal, avoid: frozenset[str]) -> Build:
        [path] = proposal.target
        text = (self._git.read(proposal.base, path) or b"").decode()
        new = with_constants(path, text, proposal.recipe["values"])
        tree = self._git.with_files(self._git.tree_of(proposal.base), {path: new.encode()})
        patch = self._git.patch(proposal.base, tree, proposal.title[:72])
        if patch.digest in avoid:
            return Build(patch=None, note="these values were rejected before")
        return Build(patch=patch, note="the values that `whet tune` confirmed", tried=1)


def _rationale(tuning: Tuning) -> str:
    shown = sorted(tuning.curve, key=lambda tried: tried.ratio)[:_MOST_POINTS]
    points = ", ".join(f"{'/'.join(f'{value:g}' for value in tried.values)}: {tried.ratio - 1:+.1%}" for tried in shown)
    return (
        f"On fresh inputs {tuning.objective} was {tuning.confirmed}. {len(tuning.curve)} sets of values were tried; two runs of the "
        f"same values differed by up to {tuning.noise:.1%}. Best of the curve ({'/'.join(tuning.constants)}): {points}."
    )
