from collections.abc import Mapping, Sequence
from dataclasses import replace

from whet.phases.propose.repair.candidate import Candidate
from whet.phases.propose.repair.rank_by_behaviour import Behaviour, BehaviourRanking


def candidate(name: str, naturalness: float) -> Candidate:
    return Candidate("m.py", name, "constant", 1, name, 1.0, naturalness)


class FakeObserver:
    """Returns a given behaviour for each candidate, by its source; those in `flagged` have a red flag."""

    def __init__(self, **behaviours: Mapping[str, str]) -> None:
        self.behaviours = behaviours
        self.observed: list[str] = []
        self.flagged: set[str] = set()

    def __call__(self, candidates: Sequence[Candidate]) -> list[Behaviour]:
        self.observed += [item.source for item in candidates]
        return [
            Behaviour(self.behaviours[item.source], "it does less" if item.source in self.flagged else "")
            for item in candidates
        ]


def names(candidates: Sequence[Candidate]) -> list[str]:
    return [item.source for item in candidates]


ONE, OTHER = {"f(0)": "1", "f(1)": "2"}, {"f(0)": "0", "f(1)": "2"}


def test_a_behaviour_of_several_edits_ranks_above_that_of_a_single_edit() -> None:
    ranking = BehaviourRanking(FakeObserver(lone=OTHER, first=ONE, second=ONE))
    offered = [candidate("lone", 0.51), candidate("first", 0.5), candidate("second", 0.4)]
    assert names(ranking.ranked(offered)) == ["first", "lone", "second"]


def test_shared_behaviour_does_not_outweigh_an_edit_that_is_far_more_natural() -> None:
    ranking = BehaviourRanking(FakeObserver(lone=OTHER, first=ONE, second=ONE))
    offered = [candidate("lone", 0.9), candidate("first", 0.2), candidate("second", 0.2)]
    assert names(ranking.ranked(offered))[0] == "lone"


def test_edits_without_a_common_observed_call_do_not_differ() -> None:
    ranking = BehaviourRanking(FakeObserver(lone={"f(0)": "1"}, first={}, second={"f(9)": "1"}))
    offered = [candidate("lone", 0.5), candidate("first", 0.4), candidate("second", 0.4)]
    assert names(ranking.ranked(offered)) == ["lone", "first", "second"]
    assert ranking.difference(offered) == ""


def test_a_synthesised_edit_needs_the_agreement_of_most() -> None:
    ranking = BehaviourRanking(FakeObserver(first=ONE, second=OTHER, third=ONE))
    first, second, third = (candidate(name, 0.5) for name in ("first", "second", "third"))
    synthesised = replace(first, template="synthesis")
    assert "do not agree" in ranking.objection(ranking.ranked([synthesised, second])[:2])
    assert ranking.objection(ranking.ranked([first, second])) == ""
    assert ranking.objection([synthesised, third, second]) == ""
    assert ranking.objection([synthesised]) == ""


def test_no_edit_is_convincing_if_nearly_all_of_many_behave_differently() -> None:
    behaviours = {f"edit{number}": {"f(0)": str(number)} for number in range(6)}
    ranking = BehaviourRanking(FakeObserver(**behaviours))
    ranked = ranking.ranked([candidate(name, 0.5) for name in behaviours])
    assert "do not agree" in ranking.objection(ranked)
    assert ranking.objection(ranked[:3]) == ""
    assert ranking.objection([]) == ""


def test_each_edit_is_observed_once() -> None:
    observer = FakeObserver(one=ONE, other=OTHER)
    ranking = BehaviourRanking(observer)
    ranking.ranked([candidate("one", 0.5)])
    for _ in range(2):
        ranking.ranked([candidate("one", 0.5), candidate("other", 0.4)])
    assert observer.observed == ["one", "other"]


def test_edits_with_a_red_flag_come_last_and_are_not_convincing() -> None:
    observer = FakeObserver(one=ONE, other=ONE, third=OTHER)
    observer.flagged = {"one", "third"}
    ranking = BehaviourRanking(observer)
    offered = [candidate("one", 0.9), candidate("other", 0.1), candidate("third", 0.8)]
    ranked = ranking.ranked(offered)
    assert names(ranked) == ["other", "one", "third"]
    assert ranking.objection(ranked) == ""
    assert ranking.objection(ranked[1:]) == "it does less"
    assert ranking.any_sure(offered)
    assert not ranking.any_sure([offered[0], offered[2]])


def test_a_flagged_edit_that_behaves_differently_is_no_objection_to_an_unflagged_one() -> None:
    observer = FakeObserver(sure=ONE, doubtful=OTHER)
    observer.flagged = {"doubtful"}
    ranking = BehaviourRanking(observer)
    ranked = ranking.ranked([candidate("sure", 0.1), candidate("doubtful", 0.9)])
    assert ranking.objection(ranked) == ""


def test_the_difference_names_the_call_and_both_results() -> None:
    ranking = BehaviourRanking(FakeObserver(one=ONE, other=OTHER))
    ranked = ranking.ranked([candidate("one", 0.5), candidate("other", 0.4)])
    assert "for f(0) the first gives 1, another (other) 0" in ranking.difference(ranked)
