import time
from collections.abc import Iterable, Mapping, Sequence

from whet.domain.progress import Silent
from whet.phases.propose.repair.candidate import Candidate
from whet.phases.propose.repair.evaluate import Observer, WarmEvaluator
from whet.phases.propose.repair.progress import SearchProgress
from whet.target.warm_pool import CandidateResult

TARGETS, SOME, ALL = ["t::red"], ["t::a"], ["t::a", "t::b", "t::c"]


class FakeSandboxes:
    """A version fails the tests that its source names; the base fails `broken`."""

    width = 2

    def __init__(self, *broken: str) -> None:
        self.broken = broken
        self.run_on_base: list[Sequence[str]] = []

    def run(
        self,
        versions: Iterable[Mapping[str, str]],
        tests: Sequence[str],
        timeout_seconds: float,
        *,
        stop_early: bool,
        swift: bool = False,
    ) -> list[CandidateResult]:
        assert timeout_seconds > 0
        tried = []
        for version in versions:
            if not version:
                self.run_on_base.append(tests)
            fails = [*self.broken, *version.get("m.py", "").split()]
            outcomes = {test: "failed" if test in fails else "passed" for test in tests}
            tried.append(CandidateResult(outcomes, 0.1, timed_out=False))
        return tried

    def observe(
        self, versions: Iterable[tuple[Mapping[str, str], str, str]], tests: Sequence[str], timeout_seconds: float
    ) -> list[CandidateResult]:
        raise AssertionError("nothing is observed here")

    def fill(
        self,
        versions: Iterable[tuple[Mapping[str, str], Mapping[str, object]]],
        tests: Sequence[str],
        timeout_seconds: float,
        *,
        swift: bool = False,
    ) -> list[CandidateResult]:
        raise AssertionError("nothing is filled here")


def breaking(*tests: str) -> Candidate:
    return Candidate("m.py", " ".join(tests), "constant", 1, "", 1.0)


def evaluator(warm: FakeSandboxes) -> WarmEvaluator:
    return WarmEvaluator(warm, TARGETS, [SOME, ALL], 2.0, SearchProgress(Silent()), Observer(warm, {}, {}, 0.0))


def test_a_candidate_that_passes_all_tests_needs_no_run_of_the_base() -> None:
    warm = FakeSandboxes()
    _, pass_all = evaluator(warm).stages
    good = breaking()
    assert pass_all([good]) == [good]
    assert ALL not in warm.run_on_base


def test_a_candidate_that_breaks_a_test_is_dropped() -> None:
    _, pass_all = evaluator(FakeSandboxes()).stages
    good, bad = breaking(), breaking("t::c")
    assert pass_all([bad, good]) == [good]


def test_a_test_that_the_base_fails_here_does_not_count_against_a_candidate() -> None:
    warm = FakeSandboxes("t::b")
    _, pass_all = evaluator(warm).stages
    good, bad = breaking(), breaking("t::c")
    assert pass_all([good, bad]) == [good]
    assert pass_all([good]) == [good]
    assert warm.run_on_base.count(ALL) == 1


def test_the_first_stage_runs_its_tests_on_the_base_first() -> None:
    warm = FakeSandboxes("t::a")
    pass_some, _ = evaluator(warm).stages
    assert pass_some([breaking("t::a")])
    assert SOME in warm.run_on_base


class HangingBase(FakeSandboxes):
    """The unchanged code never ends; every candidate does. Keeps the time limits."""

    def __init__(self) -> None:
        super().__init__()
        self.limits: list[float] = []

    def run(
        self,
        versions: Iterable[Mapping[str, str]],
        tests: Sequence[str],
        timeout_seconds: float,
        *,
        stop_early: bool,
        swift: bool = False,
    ) -> list[CandidateResult]:
        self.limits.append(timeout_seconds)
        return [CandidateResult({}, timeout_seconds, timed_out=not version) for version in versions]


def test_a_red_test_that_hangs_takes_only_a_share_of_the_budget() -> None:
    warm = HangingBase()
    observer = Observer(warm, {}, {}, time.monotonic() + 60)
    evaluate = WarmEvaluator(warm, TARGETS, [SOME, ALL], 2.0, SearchProgress(Silent()), observer)
    evaluate([breaking()])
    *on_base, for_candidate = warm.limits
    assert sum(on_base) <= 20
    assert 1.0 <= for_candidate <= 2.0


def test_no_run_outlasts_the_budget_by_much() -> None:
    warm = HangingBase()
    observer = Observer(warm, {}, {}, time.monotonic() - 5)
    evaluate = WarmEvaluator(warm, TARGETS, [SOME, ALL], 500.0, SearchProgress(Silent()), observer)
    _, pass_all = evaluate.stages
    pass_all([breaking()])
    assert max(warm.limits) <= 10
