from tests.phases.diagnose.test_step import EachSubject, failing
from whet.phases.diagnose.one_cause import common_causes, part_to_keep
from whet.target.suspicion.blame import Blame, CodePlace

MEAN, SPREAD, TOTAL, ROUND = (CodePlace("stats.py", name) for name in ("mean", "spread", "total", "rounded"))


def blame(*functions: CodePlace, lines: tuple[int, ...] = (2, 3)) -> Blame:
    return dict.fromkeys(functions, frozenset(lines))


def test_tests_that_blame_the_same_function_have_one_cause() -> None:
    blamed = {"a": blame(MEAN), "b": blame(MEAN), "c": blame(TOTAL)}
    assert common_causes(blamed) == [((MEAN,), ["a", "b"])]


def test_a_test_that_also_blames_a_caller_belongs_to_the_cause_within() -> None:
    blamed = {"a": blame(MEAN), "b": blame(MEAN, SPREAD)}
    assert common_causes(blamed) == [((MEAN,), ["a", "b"])]


def test_a_test_that_contains_two_causes_belongs_to_neither() -> None:
    blamed = {"a": blame(MEAN), "b": blame(SPREAD), "c": blame(MEAN, SPREAD)}
    assert common_causes(blamed) == []


def test_a_test_that_blames_much_else_is_left_alone() -> None:
    assert common_causes({"a": blame(MEAN), "b": blame(MEAN, SPREAD, TOTAL)}) == []
    many = blame(MEAN, SPREAD, TOTAL, ROUND)
    assert common_causes({"a": many, "b": many}) == []


def test_sets_that_only_overlap_are_not_joined() -> None:
    assert common_causes({"a": blame(MEAN, TOTAL), "b": blame(SPREAD, TOTAL)}) == []


def test_two_branches_of_one_function_are_two_causes() -> None:
    blamed = {"a": blame(MEAN, lines=(3,)), "b": blame(MEAN, lines=(5, 6)), "c": blame(MEAN, lines=(6,))}
    assert common_causes(blamed) == [((MEAN,), ["b", "c"])]


def test_a_test_without_a_suspicious_function_is_left_alone() -> None:
    assert common_causes({"a": {}, "b": {}}) == []


def test_a_joint_finding_is_recognised_by_the_part_that_was_proposed_last() -> None:
    findings = EachSubject("failing_test").findings([failing("t.py::a"), failing("t.py::b"), failing("t.py::c")])
    a, b, _ = findings
    assert part_to_keep(findings, iter([b.signature, a.signature])) is b
    assert part_to_keep(findings, iter([a.signature])) is a
    assert (
        part_to_keep(findings, ()) is part_to_keep(findings[::-1], ()) is min(findings, key=lambda one: one.signature)
    )
