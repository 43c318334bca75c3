from collections.abc import Mapping, Sequence

from whet.phases.propose.repair.candidate import Candidate
from whet.phases.propose.repair.rank_by_behaviour import Agreement, Observed


def candidate(name: str, naturalness: float) -> Candidate:
    return Candidate("m.py", name, "constant", 1, name, 1.0, naturalness)


class Seen:
    def __init__(self, **behaviours: Mapping[str, str]) -> None:
        self.behaviours = behaviours
        self.asked: list[str] = []
        self.doubted: set[str] = set()

    def __call__(self, candidates: Sequence[Candidate]) -> list[Observed]:
        self.asked += [one.source for one in candidates]
        return [
            Observed(self.behaviours[one.source], "it does less" if one.source in self.doubted else "")
            for one in candidates
        ]


def names(candidates: Sequence[Candidate]) -> list[str]:
    return [one.source for one in candidates]


ONE, OTHER = {"f(0)": "1", "f(1)": "2"}, {"f(0)": "0", "f(1)": "2"}


def test_what_several_edits_lead_to_goes_before_what_one_does() -> None:
    agreement = Agreement(Seen(lone=OTHER, first=ONE, second=ONE))
    offered = [candidate("lone", 0.51), candidate("first", 0.5), candidate("second", 0.4)]
    assert names(agreement.ranked(offered)) == ["first", "lone", "second"]


def test_agreement_does_not_outweigh_an_edit_that_is_far_more_natural() -> None:
    agreement = Agreement(Seen(lone=OTHER, first=ONE, second=ONE))
    offered = [candidate("lone", 0.9), candidate("first", 0.2), candidate("second", 0.2)]
    assert names(agreement.ranked(offered))[0] == "lone"


def test_edits_that_were_never_seen_at_the_same_value_do_not_differ() -> None:
    agreement = Agreement(Seen(lone={"f(0)": "1"}, first={}, second={"f(9)": "1"}))
    offered = [candidate("lone", 0.5), candidate("first", 0.4), candidate("second", 0.4)]
    assert names(agreement.ranked(offered)) == ["lone", "first", "second"]
    assert agreement.difference(offered) == ""


def test_when_nearly_all_of_many_do_something_else_none_convinces() -> None:
    behaviours = {f"edit{number}": {"f(0)": str(number)} for number in range(6)}
    agreement = Agreement(Seen(**behaviours))
    ranked = agreement.ranked([candidate(name, 0.5) for name in behaviours])
    assert "do not agree" in agreement.against(ranked)
    assert agreement.against(ranked[:3]) == ""
    assert agreement.against([]) == ""


def test_each_edit_is_observed_once() -> None:
    seen = Seen(one=ONE, other=OTHER)
    agreement = Agreement(seen)
    agreement.ranked([candidate("one", 0.5)])
    for _ in range(2):
        agreement.ranked([candidate("one", 0.5), candidate("other", 0.4)])
    assert seen.asked == ["one", "other"]


def test_what_is_doubtful_comes_after_all_that_is_not_and_does_not_convince_alone() -> None:
    seen = Seen(one=ONE, other=ONE, third=OTHER)
    seen.doubted = {"one", "third"}
    agreement = Agreement(seen)
    offered = [candidate("one", 0.9), candidate("other", 0.1), candidate("third", 0.8)]
    ranked = agreement.ranked(offered)
    assert names(ranked) == ["other", "one", "third"]
    assert agreement.against(ranked) == ""
    assert agreement.against(ranked[1:]) == "it does less"
    assert agreement.any_sure(offered)
    assert not agreement.any_sure([offered[0], offered[2]])


def test_what_is_doubtful_does_not_speak_against_what_is_not() -> None:
    seen = Seen(sure=ONE, doubtful=OTHER)
    seen.doubted = {"doubtful"}
    agreement = Agreement(seen)
    ranked = agreement.ranked([candidate("sure", 0.1), candidate("doubtful", 0.9)])
    assert agreement.against(ranked) == ""


def test_where_they_disagree_is_said() -> None:
    agreement = Agreement(Seen(one=ONE, other=OTHER))
    ranked = agreement.ranked([candidate("one", 0.5), candidate("other", 0.4)])
    said = agreement.difference(ranked)
    assert "for f(0) the first gives 1, another (m.py:1: other) 0" in said
