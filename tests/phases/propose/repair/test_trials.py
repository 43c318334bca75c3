from collections.abc import Iterable, Mapping, Sequence

from whet.domain.progress import Silent
from whet.phases.propose.repair.candidate import Candidate
from whet.phases.propose.repair.evaluate import Observer, Trials
from whet.phases.propose.repair.progress import Tally
from whet.target.warm_pool import CandidateResult

TARGETS, SOME, ALL = ["t::red"], ["t::a"], ["t::a", "t::b", "t::c"]


class Pretend:
    """A version fails the tests that it names; the unchanged code fails `broken`."""

    width = 2

    def __init__(self, *broken: str) -> None:
        self.broken = broken
        self.asked_of_base: list[Sequence[str]] = []

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
                self.asked_of_base.append(tests)
            fails = [*self.broken, *version.get("m.py", "").split()]
            outcomes = {test: "failed" if test in fails else "passed" for test in tests}
            tried.append(CandidateResult(outcomes, 0.1, timed_out=False))
        return tried

    def observe(
        self, versions: Iterable[tuple[Mapping[str, str], str, str]], tests: Sequence[str], timeout_seconds: float
    ) -> list[CandidateResult]:
        raise AssertionError("nobody looks")


def breaking(*tests: str) -> Candidate:
    return Candidate("m.py", " ".join(tests), "constant", 1, "", 1.0)


def trials(warm: Pretend) -> Trials:
    return Trials(warm, TARGETS, [SOME, ALL], 2.0, Tally(Silent()), Observer(warm, {}, {}, 0.0))


def test_what_holds_against_all_tests_holds_without_asking_the_base() -> None:
    warm = Pretend()
    _, holding_all = trials(warm).stages
    good = breaking()
    assert holding_all([good]) == [good]
    assert ALL not in warm.asked_of_base


def test_what_breaks_a_test_does_not_hold() -> None:
    _, holding_all = trials(Pretend()).stages
    good, bad = breaking(), breaking("t::c")
    assert holding_all([bad, good]) == [good]


def test_a_test_that_the_base_does_not_pass_here_speaks_against_nobody() -> None:
    warm = Pretend("t::b")
    _, holding_all = trials(warm).stages
    good, bad = breaking(), breaking("t::c")
    assert holding_all([good, bad]) == [good]
    assert holding_all([good]) == [good]
    assert warm.asked_of_base.count(ALL) == 1


def test_some_tests_are_asked_of_the_base_first() -> None:
    warm = Pretend("t::a")
    holding_some, _ = trials(warm).stages
    assert holding_some([breaking("t::a")])
    assert SOME in warm.asked_of_base
