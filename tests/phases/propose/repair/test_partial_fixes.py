from collections.abc import Iterable, Sequence

from tests.phases.propose.repair.test_search import candidate
from whet.phases.propose.repair.candidate import Candidate
from whet.phases.propose.repair.evaluator import CandidateRun
from whet.phases.propose.repair.partial_fixes import PartialFixes

TARGETS = ["t::a[1]", "t::a[2]", "t::b", "t::c"]


class NoFlags:
    width = 1

    def __init__(self, flagged: Sequence[Candidate] = ()) -> None:
        self.flagged = flagged

    def __call__(self, candidates: Iterable[Candidate]) -> list[tuple[Candidate, CandidateRun]]:
        return [(item, CandidateRun({})) for item in candidates]

    def ranked(self, survivors: Sequence[Candidate]) -> list[Candidate]:
        return list(survivors)

    def any_sure(self, survivors: Sequence[Candidate]) -> bool:
        return any(item not in self.flagged for item in survivors)


def run(*green: str) -> CandidateRun:
    return CandidateRun({test: "passed" if test in green else "failed" for test in TARGETS})


def test_the_candidates_that_turn_most_tests_green_are_kept_with_what_they_leave_red() -> None:
    one, two, none = candidate(1), candidate(2), candidate(3)
    fixes = PartialFixes(TARGETS)
    fixes.add([(one, run("t::b")), (two, run("t::a[1]", "t::a[2]", "t::b")), (none, run())])
    assert fixes.confirmed(NoFlags(), []) == ((two, ("t::c",)),)


def test_one_parameter_of_a_test_is_no_partial_fix() -> None:
    fixes = PartialFixes(TARGETS)
    fixes.add([(candidate(1), run("t::a[1]"))])
    assert fixes.confirmed(NoFlags(), []) == ()
    alone = PartialFixes(TARGETS[:2])
    alone.add([(candidate(1), run("t::a[1]"))])
    assert alone.confirmed(NoFlags(), []) == ()


def test_a_partial_fix_that_breaks_a_neighbour_or_has_a_red_flag_is_dropped() -> None:
    broken, flagged, good = candidate(1), candidate(2), candidate(3)
    fixes = PartialFixes(TARGETS)
    fixes.add([(item, run("t::b")) for item in (broken, flagged, good)])
    neighbours = [lambda items: [item for item in items if item is not broken]]
    assert [item for item, _ in fixes.confirmed(NoFlags([flagged]), neighbours)] == [good]
