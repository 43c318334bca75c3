"""Candidates through the warm sandboxes: what the tests say of them, and what their functions do."""

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache

from whet.phases.propose.repair.candidate import Candidate
from whet.phases.propose.repair.module import function_at
from whet.phases.propose.repair.progress import Tally
from whet.phases.propose.repair.rank_by_behaviour import Agreement, Observed
from whet.phases.propose.repair.red_flags import drops, left_idle, swallows
from whet.phases.propose.repair.search import Attempt
from whet.target.distributed import CandidateRunner
from whet.target.warm_pool import CandidateResult

_PATIENCE_SECONDS = 10.0
_MOST_OBSERVED_TESTS, _OBSERVED_SECONDS = 60, 3.0


class Trials:
    """Candidates through the warm sandboxes. How long one may take comes from how long the base takes.

    Neighbours that the base itself does not pass here, or that are too slow to ask every candidate, are left to the
    proof.
    """

    def __init__(
        self,
        warm: CandidateRunner,
        targets: Sequence[str],
        neighbours: Sequence[list[str]],
        suite_seconds: float,
        report: Tally,
        observer: "Observer",
    ) -> None:
        """`neighbours` passed when the whole suite ran, which took `suite_seconds`: a few of them, then all."""
        self._warm, self._targets, self._report = warm, tuple(targets), report
        self.agreement = Agreement(lambda candidates: observer(candidates, targets, self._near()))
        self.ranked, self.any_sure = self.agreement.ranked, self.agreement.any_sure
        base = warm.run([{}], targets, 60.0, stop_early=False)[0]
        swiftly = warm.run([{}], targets, 60.0, stop_early=False, swift=True)[0]
        self._swift = swiftly.outcomes == base.outcomes
        self._patience, self._suite_seconds = _patience(base.seconds), suite_seconds
        self._neighbours = neighbours
        self._passing = cache(self._passing_here)
        self.stages = (self._holding_some, self._holding_all)[: len(neighbours)]

    def _holding_some(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        return self._holding(candidates, *self._passing(0))

    def _holding_all(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Only where one does not hold it is asked whether the base does: that takes as long again."""
        held = self._holding(candidates, self._neighbours[1], 1 + 2 * self._suite_seconds)
        if len(held) == len(candidates):
            return held
        passing, seconds = self._passing(1)
        if passing == self._neighbours[1]:
            return held
        return [*held, *self._holding([one for one in candidates if one not in held], passing, seconds)]

    def _passing_here(self, stage: int) -> tuple[list[str], float]:
        """What of the neighbours the base passes here, and how long a candidate may take for them."""
        tests = self._neighbours[stage]
        base = self._warm.run([{}], tests, max(_PATIENCE_SECONDS, 2 * self._suite_seconds), stop_early=False)[0]
        passing = [test for test in tests if base.outcomes.get(test) == "passed"] if not base.timed_out else []
        return passing, _patience(base.seconds)

    def _holding(self, candidates: Sequence[Candidate], tests: Sequence[str], seconds: float) -> list[Candidate]:
        if not tests:
            return list(candidates)
        tried = self._warm.run([{one.path: one.source} for one in candidates], tests, seconds, stop_early=True)
        return [one for one, trial in zip(candidates, tried, strict=True) if _attempt(trial).passed(tests)]

    @property
    def width(self) -> int:
        return self._warm.width

    def __call__(self, candidates: Iterable[Candidate]) -> Sequence[tuple[Candidate, Attempt]]:
        taken: list[Candidate] = []
        versions = self._versions(self._report.counted(candidates), taken)
        tried = self._warm.run(versions, self._targets, self._patience, stop_early=True, swift=self._swift)
        shown = list(zip(taken, map(_attempt, tried), strict=True))
        self._report.green(candidate for candidate, trial in shown if trial.passed(self._targets))
        return shown

    def _near(self) -> Sequence[str]:
        return self._passing(0)[0][:_MOST_OBSERVED_TESTS] if self._neighbours else ()

    @staticmethod
    def _versions(candidates: Iterable[Candidate], taken: list[Candidate]) -> Iterator[dict[str, str]]:
        for candidate in candidates:
            taken.append(candidate)
            yield {candidate.path: candidate.source}


class Observer:
    """What candidates' functions do beyond the tests, and what speaks against them; once the time is up, nobody looks."""

    def __init__(
        self,
        warm: CandidateRunner,
        sources: Mapping[str, str],
        broke_at: Mapping[str, Collection[int]],
        deadline: float,
    ) -> None:
        """`broke_at` are the lines that the failures passed through, per path."""
        self._warm, self._sources, self._broke_at, self._deadline = warm, sources, broke_at, deadline
        self._ran: dict[tuple[str, str], frozenset[int]] = {}

    def __call__(
        self, candidates: Sequence[Candidate], targets: Sequence[str], near: Sequence[str]
    ) -> Sequence[Observed]:
        """`near` pass without the candidates too: what they ran then, some test should still run."""
        silent = [self._read(one) for one in candidates]
        if time.monotonic() >= self._deadline:
            return [Observed(doubt=doubt) for doubt in silent]
        versions = [
            ({one.path: one.source}, one.path, function_at(self._sources[one.path], one.line)) for one in candidates
        ]
        seen = self._warm.observe(versions, [*targets, *near], _OBSERVED_SECONDS)
        names = [function for _, _, function in versions]
        idle = [self._idle(*both, near) for both in zip(candidates, names, seen, strict=True)]
        return [Observed(found.values, one or other) for found, one, other in zip(seen, silent, idle, strict=True)]

    def _read(self, candidate: Candidate) -> str:
        """What speaks against it by its text alone."""
        before, after = self._sources[candidate.path], candidate.source
        return swallows(before, after) or drops(before, after, self._broke_at.get(candidate.path, ()))

    def _idle(self, candidate: Candidate, function: str, found: CandidateResult, near: Sequence[str]) -> str:
        path = candidate.path
        if not near:
            return ""
        if (path, function) not in self._ran:
            self._ran[path, function] = self._warm.observe([({}, path, function)], near, _OBSERVED_SECONDS)[0].lines
        return left_idle(self._sources[path], candidate.source, candidate.line, self._ran[path, function], found.lines)


def _attempt(trial: CandidateResult) -> Attempt:
    return Attempt(trial.outcomes, trial.seconds, trial.timed_out)


def _patience(seconds: float) -> float:
    return max(1.0, 4 * seconds + 0.5)
