from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count

from whet.phases.propose.repair.candidate import Candidate
from whet.phases.propose.repair.evaluator import CandidateRun
from whet.phases.propose.repair.search import SearchLimits, SearchResult, search

TARGETS = ["t::red"]


def candidate(number: int, rank: float = 1.0, naturalness: float = 1.0) -> Candidate:
    return Candidate("m.py", f"x = {number}\n", "constant", 1, f"number {number}", rank, naturalness)


class FakeEvaluator:
    """The target passes for the candidates in `fixes`, the neighbour for all but those in `breaks`."""

    width = 1

    def __init__(self, fixes: set[int], breaks: set[int] | None = None, flagged: set[int] | None = None) -> None:
        self.fixes, self.breaks, self.flagged = fixes, breaks or set(), flagged or set()
        self.runs: list[tuple[str, str]] = []

    def __call__(self, candidates: Iterable[Candidate]) -> list[tuple[Candidate, CandidateRun]]:
        return [(item, CandidateRun({test: self._outcome(item, test) for test in TARGETS})) for item in candidates]

    def near(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        self.runs += [(item.summary, "near") for item in candidates]
        return [item for item in candidates if self._outcome(item, "t::near") == "passed"]

    def far(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Run all tests; candidate number 1 breaks one of them."""
        self.runs += [(item.summary, "far") for item in candidates]
        return [item for item in candidates if _number(item) != 1]

    def ranked(self, survivors: Sequence[Candidate]) -> list[Candidate]:
        return sorted(survivors, key=lambda item: -item.naturalness)

    def any_sure(self, survivors: Sequence[Candidate]) -> bool:
        return any(_number(item) not in self.flagged for item in survivors)

    def _outcome(self, item: Candidate, test: str) -> str:
        number = _number(item)
        good = number in self.fixes if test in TARGETS else number not in self.breaks
        return "passed" if good else "failed"


def _number(item: Candidate) -> int:
    return int(item.summary.split()[1])


def run(
    items: Iterator[Candidate],
    evaluate: FakeEvaluator,
    limits: SearchLimits | None = None,
    clock: Callable[[], float] = lambda: 0.0,
) -> SearchResult:
    return search(items, evaluate, TARGETS, [evaluate.near], limits or SearchLimits(deadline=10), clock)


def run_with_full_suite(
    items: Iterator[Candidate], evaluate: FakeEvaluator, limits: SearchLimits, clock: Callable[[], float]
) -> SearchResult:
    """Search with a second stage."""
    return search(items, evaluate, TARGETS, [evaluate.near, evaluate.far], limits, clock)


def test_a_candidate_that_fixes_the_target_and_breaks_nothing_survives() -> None:
    result = run(map(candidate, range(20)), FakeEvaluator({7}))
    assert [survivor.summary for survivor in result.survivors] == ["number 7"]
    assert (result.tried, result.green) == (20, 1)


def test_a_candidate_that_breaks_a_neighbour_does_not_survive() -> None:
    result = run(map(candidate, range(20)), FakeEvaluator({7, 9}, breaks={7}))
    assert [survivor.summary for survivor in result.survivors] == ["number 9"]
    assert result.green == 2


def test_neighbours_run_only_for_candidates_that_fix_the_target() -> None:
    evaluate = FakeEvaluator({3})
    run(map(candidate, range(8)), evaluate)
    assert [summary for summary, tests in evaluate.runs if tests == "near"] == ["number 3"]


def test_the_more_natural_rival_is_shown_first() -> None:
    items = iter([candidate(0, naturalness=0.1), candidate(1, naturalness=0.9)])
    assert run(items, FakeEvaluator({0, 1})).survivors[0].summary == "number 1"


def guided(
    fixes: set[int], limits: SearchLimits, flagged: set[int] | None = None, most: int = 40
) -> tuple[SearchResult, int]:
    """Search among candidates, with a guide to candidate 1000; also return how often the guide was called."""
    calls = 0

    def guide() -> Iterator[Candidate]:
        nonlocal calls
        calls += 1
        return iter([candidate(1000)])

    evaluate = FakeEvaluator(fixes, flagged=flagged)
    items = map(candidate, range(most))
    return search(items, evaluate, TARGETS, [evaluate.near], limits, lambda: 0.0, guide), calls


def test_the_guide_is_followed_if_the_candidates_run_out() -> None:
    result, calls = guided({1000}, SearchLimits(deadline=10))
    assert [survivor.summary for survivor in result.survivors] == ["number 1000"]
    assert calls == 1


def test_the_guide_is_followed_after_many_tries_and_before_the_other_candidates() -> None:
    limits = SearchLimits(deadline=10, guided_after=8, rival_tries=4)
    result, _ = guided({1000, 399}, limits, most=400)
    assert [survivor.summary for survivor in result.survivors] == ["number 1000"]
    assert result.tried < 100


def test_the_guide_is_not_asked_where_a_candidate_convinces() -> None:
    assert guided({1, 1000}, SearchLimits(deadline=10, guided_after=8, rival_tries=4))[1] == 0


def test_the_guide_is_asked_where_every_survivor_has_a_red_flag() -> None:
    result, calls = guided({1, 1000}, SearchLimits(deadline=10, guided_after=8), flagged={1})
    assert [survivor.summary for survivor in result.survivors] == ["number 1", "number 1000"]
    assert calls == 1


def test_rivals_much_less_likely_than_a_survivor_are_not_tried() -> None:
    items = (candidate(number, rank=1.0 if number < 4 else 0.1) for number in range(100))
    assert run(items, FakeEvaluator({1})).tried == 4


def test_the_search_for_rivals_is_bounded() -> None:
    result = run(map(candidate, count()), FakeEvaluator({0}), SearchLimits(deadline=10, rival_tries=20))
    assert result.tried == 24


def test_the_search_goes_on_while_every_survivor_has_a_red_flag() -> None:
    items = (candidate(number, rank=1.0 if number < 4 else 0.1) for number in range(100))
    result = run(items, FakeEvaluator({1, 60}, flagged={1}))
    assert [survivor.summary for survivor in result.survivors] == ["number 1", "number 60"]


def test_the_search_beyond_flagged_survivors_is_bounded() -> None:
    result = run(map(candidate, count()), FakeEvaluator({0}, flagged={0}), SearchLimits(deadline=10, doubtful_tries=40))
    assert [survivor.summary for survivor in result.survivors] == ["number 0"]
    assert 40 <= result.tried < 120


def test_the_search_ends_at_the_deadline() -> None:
    ticks = count()
    result = run(map(candidate, count()), FakeEvaluator(set()), SearchLimits(deadline=10), lambda: float(next(ticks)))
    assert result.survivors == ()
    assert result.tried < 60


def test_a_test_that_did_not_run_is_not_green() -> None:
    assert not CandidateRun({}).passed(["t::red"])


def test_without_targets_nothing_is_tried() -> None:
    result = search(map(candidate, range(3)), FakeEvaluator({1}), [], [], SearchLimits(deadline=10), lambda: 0.0)
    assert (result.survivors, result.tried) == ((), 0)


def test_the_search_goes_on_after_the_rivals_if_no_survivor_passes_the_full_suite() -> None:
    limits = SearchLimits(deadline=10, rival_tries=5)
    result = run_with_full_suite(map(candidate, range(60)), FakeEvaluator({1, 40}), limits, lambda: 0.0)
    assert [survivor.summary for survivor in result.survivors] == ["number 40"]


def test_a_survivor_that_fails_the_full_suite_is_dropped_and_the_search_goes_on() -> None:
    items = (candidate(number, rank=1.0 if number < 4 else 0.1) for number in range(40))
    result = run_with_full_suite(items, FakeEvaluator({1, 30}), SearchLimits(deadline=10), lambda: 0.0)
    assert [survivor.summary for survivor in result.survivors] == ["number 30"]


def test_a_flagged_survivor_does_not_end_the_search_after_the_unflagged_one_failed() -> None:
    items = (candidate(number, rank=1.0 if number < 4 else 0.1) for number in range(40))
    result = run_with_full_suite(items, FakeEvaluator({1, 2, 30}, flagged={2}), SearchLimits(deadline=10), lambda: 0.0)
    assert {survivor.summary for survivor in result.survivors} == {"number 2", "number 30"}


def test_the_full_suite_does_not_run_after_the_deadline() -> None:
    ticks = count()
    evaluate = FakeEvaluator({0, 1, 2, 3})
    limits = SearchLimits(deadline=4)
    result = run_with_full_suite(map(candidate, count()), evaluate, limits, lambda: float(next(ticks)))
    assert result.survivors
    assert not [summary for summary, tests in evaluate.runs if tests == "far"]


def test_the_search_leaves_time_to_confirm_its_first_survivor() -> None:
    ticks = count()
    evaluate = FakeEvaluator({0})
    limits = SearchLimits(deadline=20, confirming_seconds=15)
    run_with_full_suite(map(candidate, count()), evaluate, limits, lambda: float(next(ticks)))
    assert [summary for summary, tests in evaluate.runs if tests == "far"] == ["number 0"]
