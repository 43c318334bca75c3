from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count

from whet.phases.propose.repair.candidate import Candidate
from whet.phases.propose.repair.search import Attempt, Found, Limits, search

TARGETS = ["t::red"]


def candidate(number: int, rank: float = 1.0, naturalness: float = 1.0) -> Candidate:
    return Candidate("m.py", f"x = {number}\n", "constant", 1, f"number {number}", rank, naturalness)


class Pretend:
    """Passes the target for the `mends`, and the neighbour for all but the `breaks`."""

    width = 1

    def __init__(self, mends: set[int], breaks: set[int] | None = None, doubted: set[int] | None = None) -> None:
        self.mends, self.breaks, self.doubted = mends, breaks or set(), doubted or set()
        self.asked: list[tuple[str, str]] = []

    def __call__(self, candidates: Iterable[Candidate]) -> list[tuple[Candidate, Attempt]]:
        return [(item, Attempt({test: self._outcome(item, test) for test in TARGETS})) for item in candidates]

    def near(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        self.asked += [(item.description, "near") for item in candidates]
        return [item for item in candidates if self._outcome(item, "t::near") == "passed"]

    def far(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Number 1 breaks a test far away."""
        self.asked += [(item.description, "far") for item in candidates]
        return [item for item in candidates if _number(item) != 1]

    def ranked(self, survivors: Sequence[Candidate]) -> list[Candidate]:
        return sorted(survivors, key=lambda one: -one.naturalness)

    def any_sure(self, survivors: Sequence[Candidate]) -> bool:
        return any(_number(one) not in self.doubted for one in survivors)

    def _outcome(self, item: Candidate, test: str) -> str:
        number = _number(item)
        good = number in self.mends if test in TARGETS else number not in self.breaks
        return "passed" if good else "failed"


def _number(item: Candidate) -> int:
    return int(item.description.split()[1])


def run(
    items: Iterator[Candidate],
    evaluate: Pretend,
    limits: Limits | None = None,
    clock: Callable[[], float] = lambda: 0.0,
) -> Found:
    return search(items, evaluate, TARGETS, [evaluate.near], limits or Limits(deadline=10), clock)


def far(items: Iterator[Candidate], evaluate: Pretend, limits: Limits, clock: Callable[[], float]) -> Found:
    """With a second stage."""
    return search(items, evaluate, TARGETS, [evaluate.near, evaluate.far], limits, clock)


def test_a_candidate_that_mends_and_breaks_nothing_survives() -> None:
    found = run(map(candidate, range(20)), Pretend({7}))
    assert [survivor.description for survivor in found.survivors] == ["number 7"]
    assert (found.tried, found.green) == (20, 1)


def test_a_candidate_that_breaks_a_neighbour_does_not_survive() -> None:
    found = run(map(candidate, range(20)), Pretend({7, 9}, breaks={7}))
    assert [survivor.description for survivor in found.survivors] == ["number 9"]
    assert found.green == 2


def test_neighbours_are_run_only_for_candidates_that_mend() -> None:
    evaluate = Pretend({3})
    run(map(candidate, range(8)), evaluate)
    assert [who for who, tests in evaluate.asked if tests == "near"] == ["number 3"]


def test_the_more_natural_rival_is_shown_first() -> None:
    items = iter([candidate(0, naturalness=0.1), candidate(1, naturalness=0.9)])
    assert run(items, Pretend({0, 1})).survivors[0].description == "number 1"


def test_rivals_much_less_likely_than_a_survivor_are_not_tried() -> None:
    items = (candidate(number, rank=1.0 if number < 4 else 0.1) for number in range(100))
    assert run(items, Pretend({1})).tried == 4


def test_the_search_for_rivals_is_bounded() -> None:
    found = run(map(candidate, count()), Pretend({0}), Limits(deadline=10, rival_tries=20))
    assert found.tried == 24


def test_while_all_that_held_is_doubtful_the_search_goes_on() -> None:
    items = (candidate(number, rank=1.0 if number < 4 else 0.1) for number in range(100))
    found = run(items, Pretend({1, 60}, doubted={1}))
    assert [survivor.description for survivor in found.survivors] == ["number 1", "number 60"]


def test_the_search_beyond_what_is_doubtful_is_bounded() -> None:
    found = run(map(candidate, count()), Pretend({0}, doubted={0}), Limits(deadline=10, doubtful_tries=40))
    assert [survivor.description for survivor in found.survivors] == ["number 0"]
    assert 40 <= found.tried < 120


def test_the_search_ends_at_the_deadline() -> None:
    ticks = count()
    found = run(map(candidate, count()), Pretend(set()), Limits(deadline=10), lambda: float(next(ticks)))
    assert found.survivors == ()
    assert found.tried < 60


def test_a_test_that_did_not_run_is_not_green() -> None:
    assert not Attempt({}).passed(["t::red"])


def test_without_targets_nothing_is_tried() -> None:
    found = search(map(candidate, range(3)), Pretend({1}), [], [], Limits(deadline=10), lambda: 0.0)
    assert (found.survivors, found.tried) == ((), 0)


def test_after_as_many_rivals_as_allowed_the_search_goes_on_where_none_holds() -> None:
    limits = Limits(deadline=10, rival_tries=5)
    found = far(map(candidate, range(60)), Pretend({1, 40}), limits, lambda: 0.0)
    assert [survivor.description for survivor in found.survivors] == ["number 40"]


def test_what_breaks_a_test_far_away_is_left_out_and_the_search_goes_on() -> None:
    items = (candidate(number, rank=1.0 if number < 4 else 0.1) for number in range(40))
    found = far(items, Pretend({1, 30}), Limits(deadline=10), lambda: 0.0)
    assert [survivor.description for survivor in found.survivors] == ["number 30"]


def test_a_doubtful_one_that_holds_does_not_end_the_search_where_the_sure_one_did_not() -> None:
    items = (candidate(number, rank=1.0 if number < 4 else 0.1) for number in range(40))
    found = far(items, Pretend({1, 2, 30}, doubted={2}), Limits(deadline=10), lambda: 0.0)
    assert {survivor.description for survivor in found.survivors} == {"number 2", "number 30"}


def test_when_the_answer_is_due_nothing_more_is_asked() -> None:
    ticks = count()
    evaluate = Pretend({0, 1, 2, 3})
    limits = Limits(deadline=4)
    found = far(map(candidate, count()), evaluate, limits, lambda: float(next(ticks)))
    assert found.survivors
    assert not [who for who, tests in evaluate.asked if tests == "far"]


def test_who_has_found_something_leaves_time_to_confirm_it() -> None:
    ticks = count()
    evaluate = Pretend({0})
    limits = Limits(deadline=20, confirming_seconds=15)
    far(map(candidate, count()), evaluate, limits, lambda: float(next(ticks)))
    assert [who for who, tests in evaluate.asked if tests == "far"] == ["number 0"]
