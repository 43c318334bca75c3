"""Run candidates in warm sandboxes: their test outcomes, and the behaviour of their functions."""

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache

from whet.phases.propose.repair.candidate import Candidate
from whet.phases.propose.repair.disputes import ReferenceAnswers
from whet.phases.propose.repair.evaluator import CandidateRun
from whet.phases.propose.repair.module import function_at
from whet.phases.propose.repair.progress import SearchProgress
from whet.phases.propose.repair.rank_by_behaviour import Behaviour, BehaviourRanking
from whet.phases.propose.repair.red_flags import borrowed_characters, dropped_line, swallowed_exception, unreached_lines
from whet.phases.propose.repair.shortcuts import shortcut
from whet.target.distributed import CandidateRunner
from whet.target.warm_pool import CandidateResult

_LEAST_BASE_SECONDS = 10.0
_PATIENCE, _MOST_PATIENCE = 1 / 6, 60.0  # for the unchanged code: a share of the time that is left, and seconds
_HANGING = 1 / 8  # of the patience, for a candidate if the unchanged code hangs: a fixed version is usually fast
_LEAST_SECONDS = 1.0
_QUICK_SECONDS = 0.2
_MOST_OBSERVED_TESTS, _OBSERVED_SECONDS = 60, 3.0


class WarmEvaluator:
    """The evaluator of a search: runs candidates in warm sandboxes.

    Regression tests are tests that passed before the edit and that a wrong edit may break. A candidate's time limit follows
    from the time that the base takes. Regression tests that the base fails in this sandbox, or that time out, are not used
    here; the validation runs them.
    """

    def __init__(
        self,
        warm: CandidateRunner,
        targets: Sequence[str],
        regression_tests: Sequence[list[str]],
        suite_seconds: float,
        progress: SearchProgress,
        observer: "Observer",
    ) -> None:
        """`regression_tests` has one list per stage: first a few tests that passed in the full suite, then all of them.

        `suite_seconds` is the time that the full suite took.
        """
        self._warm, self._targets, self._progress, self._observer = warm, tuple(targets), progress, observer
        self.ranking = BehaviourRanking(lambda candidates: observer(candidates, targets, self._observed_tests()))
        self.ranked, self.any_sure = self.ranking.ranked, self.ranking.any_sure
        self._deadline = observer.deadline
        patience = min(max(self._seconds_left() * _PATIENCE, _LEAST_SECONDS), _MOST_PATIENCE)
        base = warm.run([{}], targets, patience, stop_early=False)[0]
        swift = warm.run([{}], targets, patience, stop_early=False, swift=True)[0]
        self._swift = swift.outcomes == base.outcomes
        # A failing test tells nothing about the others: which of quick targets pass is worth knowing if none passes all.
        self._stop_early = base.seconds > _QUICK_SECONDS
        self._suite_seconds = suite_seconds
        hanging_seconds = max(_LEAST_SECONDS, patience * _HANGING)
        self._timeout_seconds = hanging_seconds if base.timed_out else _timeout_seconds(base.seconds)
        self._regression_tests = regression_tests
        self._passing = cache(self._passing_on_base)
        self.stages = (self._pass_some, self._pass_all)[: len(regression_tests)]

    @property
    def width(self) -> int:
        return self._warm.width

    @property
    def timeout_seconds(self) -> float:
        """The time that the targets may take on one candidate."""
        return min(self._timeout_seconds, max(self._seconds_left(), _LEAST_SECONDS))

    def __call__(self, candidates: Iterable[Candidate]) -> Sequence[tuple[Candidate, CandidateRun]]:
        taken: list[Candidate] = []
        versions = self._versions(self._progress.counted(candidates), taken)
        tried = self._warm.run(
            versions, self._targets, self.timeout_seconds, stop_early=self._stop_early, swift=self._swift
        )
        runs = list(zip(taken, map(_run_of, tried), strict=True))
        self._progress.green(candidate for candidate, run in runs if run.passed(self._targets))
        return runs

    def _seconds_left(self) -> float:
        return self._deadline - time.monotonic()

    def _within_budget(self, seconds: float) -> float:
        """Return the time limit of a run that may confirm a survivor: at most what is left, but always some seconds."""
        return min(seconds, max(self._seconds_left(), _LEAST_BASE_SECONDS))

    def _pass_some(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        return self._passing_candidates(candidates, *self._passing(0))

    def _pass_all(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return the candidates that pass all regression tests, except those that the base fails in this sandbox.

        The base runs these tests only if a candidate fails some, because that run doubles the time.
        """
        seconds = self._within_budget(1 + 2 * self._suite_seconds)
        passed = self._passing_candidates(candidates, self._regression_tests[1], seconds)
        if len(passed) == len(candidates):
            return passed
        passing, seconds = self._passing(1)
        if passing == self._regression_tests[1]:
            return passed
        failed = [candidate for candidate in candidates if candidate not in passed]
        return [*passed, *self._passing_candidates(failed, passing, seconds)]

    def reference(self, ranked: Sequence[Candidate]) -> ReferenceAnswers:
        """Return the answers to compare those of the ranked candidates with; nothing if there is nothing to compare."""
        if not self.ranking.difference(ranked):
            return ReferenceAnswers()
        return self._observer.reference(ranked[0], self._targets, self._observed_tests())

    def _passing_on_base(self, stage: int) -> tuple[list[str], float]:
        """Return the regression tests of a stage that the base passes in this sandbox, and a candidate's time limit for them."""
        tests = self._regression_tests[stage]
        seconds = max(_LEAST_BASE_SECONDS, 2 * self._suite_seconds)
        base = self._warm.run([{}], tests, self._within_budget(seconds), stop_early=False)[0]
        passing = [test for test in tests if base.outcomes.get(test) == "passed"] if not base.timed_out else []
        return passing, _timeout_seconds(base.seconds)

    def _passing_candidates(
        self, candidates: Sequence[Candidate], tests: Sequence[str], seconds: float
    ) -> list[Candidate]:
        if not tests:
            return list(candidates)
        versions = [{candidate.path: candidate.source} for candidate in candidates]
        tried = self._warm.run(versions, tests, seconds, stop_early=True)
        return [candidate for candidate, result in zip(candidates, tried, strict=True) if _run_of(result).passed(tests)]

    def _observed_tests(self) -> Sequence[str]:
        return self._passing(0)[0][:_MOST_OBSERVED_TESTS] if self._regression_tests else ()

    @staticmethod
    def _versions(candidates: Iterable[Candidate], taken: list[Candidate]) -> Iterator[dict[str, str]]:
        for candidate in candidates:
            taken.append(candidate)
            yield {candidate.path: candidate.source}


class Observer:
    """Observes the behaviour of candidates beyond the test outcomes. After the deadline it only reads their text."""

    def __init__(
        self,
        warm: CandidateRunner,
        sources: Mapping[str, str],
        failing_lines: Mapping[str, Collection[int]],
        deadline: float,
        *,
        wrong_values: bool = False,
    ) -> None:
        """`failing_lines` are the lines on the stacks of the failures, by path.

        `wrong_values` tells that every failing test ended with a wrong value, and none with another exception.
        """
        self._wrong_values = wrong_values
        self._warm, self._sources, self._failing_lines, self.deadline = warm, sources, failing_lines, deadline
        self._ran: dict[tuple[str, str], frozenset[int]] = {}

    def __call__(
        self, candidates: Sequence[Candidate], targets: Sequence[str], regression_tests: Sequence[str]
    ) -> Sequence[Behaviour]:
        """Return the behaviour of each candidate under the targets and the regression tests, which pass on the base too."""
        flags = [self._flag_in_text(candidate) for candidate in candidates]
        if time.monotonic() >= self.deadline:
            return [Behaviour(red_flag=flag) for flag in flags]
        names = [function_at(self._sources[item.path], item.line) for item in candidates]
        versions = [({item.path: item.source}, item.path, name) for item, name in zip(candidates, names, strict=True)]
        tried = self._warm.observe(versions, [*targets, *regression_tests], _OBSERVED_SECONDS)
        return [
            Behaviour(
                result.values,
                flag or self._flag_in_coverage(candidate, name, result, regression_tests),
                name,
                result.reached,
            )
            for candidate, name, result, flag in zip(candidates, names, tried, flags, strict=True)
        ]

    def reference(self, best: Candidate, targets: Sequence[str], regression_tests: Sequence[str]) -> ReferenceAnswers:
        """Observe the function that the best candidate edits once more: without any edit, and with that edit again."""
        if time.monotonic() >= self.deadline:
            return ReferenceAnswers()
        name = function_at(self._sources[best.path], best.line)
        versions = [({}, best.path, name), ({best.path: best.source}, best.path, name)]
        base, again = self._warm.observe(versions, [*targets, *regression_tests], _OBSERVED_SECONDS)
        return ReferenceAnswers(base.values, again.values)

    def _flag_in_text(self, candidate: Candidate) -> str:
        before, after = self._sources[candidate.path], candidate.source
        failing_lines = self._failing_lines.get(candidate.path, ())
        return (
            swallowed_exception(before, after)
            or dropped_line(before, after, failing_lines)
            or borrowed_characters(before, after)
            or shortcut(before, after, wrong_values=self._wrong_values)
        )

    def _flag_in_coverage(
        self, candidate: Candidate, function: str, result: CandidateResult, regression_tests: Sequence[str]
    ) -> str:
        path = candidate.path
        if not regression_tests:
            return ""
        if (path, function) not in self._ran:
            base = self._warm.observe([({}, path, function)], regression_tests, _OBSERVED_SECONDS)[0]
            self._ran[path, function] = base.lines
        ran_before = self._ran[path, function]
        return unreached_lines(self._sources[path], candidate.source, candidate.line, ran_before, result.lines)


def _run_of(result: CandidateResult) -> CandidateRun:
    return CandidateRun(result.outcomes, result.seconds, result.timed_out)


def _timeout_seconds(base_seconds: float) -> float:
    return max(1.0, 4 * base_seconds + 0.5)
