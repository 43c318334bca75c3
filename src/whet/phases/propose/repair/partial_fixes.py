"""Candidates that turn some of the target tests green, kept in case that none turns all of them green."""

from collections import defaultdict
from collections.abc import Sequence

from whet.phases.propose.repair.candidate import Candidate
from whet.phases.propose.repair.evaluator import CandidateRun, Evaluator, Stage

_MOST_KEPT = 24
_MOST_CONFIRMED = 4


class PartialFixes:
    """The best partial fixes of a search: those that turn the most test functions green, with all their parameters.

    A run may stop at its first failing target, so that later ones count as red.
    """

    def __init__(self, targets: Sequence[str]) -> None:
        self._targets = tuple(targets)
        parts: dict[str, list[str]] = defaultdict(list)
        for target in targets:
            parts[target.partition("[")[0]].append(target)
        self._parts = tuple(parts.values())
        self._kept: list[tuple[int, Candidate, tuple[str, ...]]] = []

    def add(self, runs: Sequence[tuple[Candidate, CandidateRun]]) -> None:
        if len(self._parts) < 2:
            return
        for candidate, run in runs:
            green = sum(run.passed(part) for part in self._parts)
            if 0 < green < len(self._parts):
                left = tuple(target for target in self._targets if run.outcomes.get(target) != "passed")
                self._kept.append((green, candidate, left))
        self._kept.sort(key=lambda kept: (-kept[0], -kept[1].naturalness))
        del self._kept[_MOST_KEPT:]

    def confirmed(self, evaluate: Evaluator, stages: Sequence[Stage]) -> tuple[tuple[Candidate, tuple[str, ...]], ...]:
        """Return the partial fixes that keep the regression tests green and have no red flag, best first."""
        if not self._kept:
            return ()
        most = self._kept[0][0]
        left = {candidate.source: red for green, candidate, red in self._kept if green == most}
        candidates = [candidate for _, candidate, _ in self._kept if candidate.source in left][:_MOST_CONFIRMED]
        for stage in stages:
            candidates = stage(candidates) if candidates else []
        sure = [candidate for candidate in candidates if evaluate.any_sure([candidate])]
        return tuple((candidate, left[candidate.source]) for candidate in evaluate.ranked(sure))
