"""The inputs that a formula is tried with are the same each time, and begin with the edges."""

import ast

from whet.config import FormulaPolicy
from whet.knowledge.formulas.declared import Formula
from whet.knowledge.formulas.sampling import sample

SOURCE = "def f(speed, count, factor=2):\n    return speed * count * factor\n"
ARGUMENTS = {
    "speed": {"low": -10, "high": 10, "monotone": "increasing"},
    "count": {"low": 0, "high": 5, "whole": True},
}


def formula() -> Formula:
    settings = {
        "function": "a:f", "arguments": ARGUMENTS, "samples": 20, "cases": [{"inputs": {"speed": 3, "count": 2}, "expected": 12}]
    }  # fmt: skip
    node = ast.parse(SOURCE).body[0]
    assert isinstance(node, ast.FunctionDef)
    policy = FormulaPolicy.model_validate(settings)
    return Formula("a", policy, "a.py", "", SOURCE, node, policy.cases)


def test_the_same_seed_gives_the_same_inputs_and_another_seed_others() -> None:
    assert sample(formula(), "x") == sample(formula(), "x")
    assert sample(formula(), "x").inputs != sample(formula(), "y").inputs


def test_the_ends_of_the_ranges_come_first_and_nothing_leaves_them() -> None:
    samples = sample(formula(), "x")
    first = [samples.inputs[place] for place in samples.free[:4]]
    assert {(point["speed"], point["count"]) for point in first} == {(-10.0, 0), (-10.0, 5), (10.0, 0), (10.0, 5)}
    for point in samples.inputs:
        assert -10 <= float(point["speed"]) <= 10
        assert point["count"] in range(6)
        assert isinstance(point["count"], int)
        assert "factor" not in point  # its default is used


def test_along_a_line_only_one_argument_rises() -> None:
    samples = sample(formula(), "x")
    assert len(samples.lines["speed"]) > 10
    for line in samples.lines["speed"]:
        points = [samples.inputs[place] for place in line]
        speeds = [float(point["speed"]) for point in points]
        assert speeds == sorted(set(speeds))
        assert (speeds[0], speeds[-1], 0.0 in speeds) == (-10, 10, True)
        assert len({point["count"] for point in points}) == 1


def test_inputs_of_cases_are_tried_as_they_are() -> None:
    samples = sample(formula(), "x")
    assert [samples.inputs[place] for place in samples.cases] == [{"speed": 3, "count": 2}]
