"""Proposes faster versions of slow tools, measured by the tools' own captured calls."""

from collections.abc import Iterable

from whet.cases.regression import timed_calls_of
from whet.domain.build import Build
from whet.domain.canonical import digest
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding
from whet.domain.plural import count, shorten
from whet.domain.proposal import Proposal, ProposalKind, ValidationPlan
from whet.domain.risk import Risk
from whet.domain.timed_calls import TimedCalls
from whet.kit import Kit
from whet.knowledge.measures.benchmark import benchmark_of_calls
from whet.phases.propose.speed.search import SpeedSearch


class Speed:
    """The proposer of rewrites for speed. Tools without a benchmark of captured calls are left to other engines."""

    build_seconds = 900.0

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git = kit, kit.git

    def can_help(self, finding: Finding) -> bool:
        return timed_calls_of(finding) is not None

    def propose(self, diagnosis: Diagnosis, base: str, cycle: str) -> Iterable[Proposal]:
        """Yield a plan for the functions in which the captured calls spend their time: the places of the diagnosis."""
        finding, places, timed = diagnosis.finding, diagnosis.places, timed_calls_of(diagnosis.finding)
        assert timed is not None  # noqa: S101 - can_help
        yield Proposal(
            id=f"p-{digest([cycle, 'speed', finding.signature])[:8]}",
            engine="speed",
            kind=ProposalKind.BEHAVIOR_FIX,
            category=finding.category,
            target=tuple(dict.fromkeys(place.path for place in places)),
            title=f"Make {finding.subjects[0]} faster",
            rationale=(
                f"{finding.title}. Its captured calls spend their time in {shorten([place.function for place in places], 3)}. Rewrites there are measured "
                f"by {count(timed.calls, 'captured call')}, whose answers must stay the same."
            ),
            risk=Risk.MEDIUM,
            expected_gain=max(0.05, round(0.3 * diagnosis.confidence, 3)),
            plan=ValidationPlan(targets={"tests": (), "benchmarks": (timed.name,)}),
            diagnosis=diagnosis,
            base=base,
            created_at=now(),
        )

    def build(self, proposal: Proposal, avoid: frozenset[str]) -> Build:
        timed = timed_calls_of(proposal.diagnosis.finding)
        assert timed is not None  # noqa: S101 - can_help
        result = self._search(timed, proposal.base).result()
        better, tried = result.improvement, len(result.improvement.tried)
        if result.why_not:
            return Build(patch=None, note=result.why_not, tried=tried)
        tree = self._git.with_files(self._git.tree_of(proposal.base), {better.path: better.after.encode()})
        patch = self._git.patch(proposal.base, tree, f"Make {proposal.diagnosis.finding.subjects[0]} faster"[:72])
        if patch.digest in avoid:
            return Build(patch=None, note="this version was rejected before", tried=tried)
        return Build(patch=patch, note=f"{'; '.join(better.changes)}: {better.confirmed}", tried=tried)

    def _search(self, timed: TimedCalls, base: str) -> SpeedSearch:
        return SpeedSearch(benchmark_of_calls(timed, self._kit), base, self._kit)
