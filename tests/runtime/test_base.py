"""`BaseTool`: characteristics and cases that a class returns from its methods."""

import abc
from typing import Any

import pytest

from whet import BaseTool, Case
from whet.errors import UsageError
from whet.runtime.characteristics import Characteristics
from whet.runtime.registry import declared_tool


def characteristics_of(cls: type) -> Characteristics:
    return declared_tool(cls).characteristics


def make_tool(characteristics: object = None, test_cases: object = None, /, **attributes: Any) -> type[BaseTool]:
    """Define a tool whose methods return these values; None leaves a method out."""
    members: dict[str, Any] = {"run": lambda self, **inputs: inputs, **attributes}
    if characteristics is not None:
        members["get_tool_characteristics"] = lambda self: characteristics
    if test_cases is not None:
        members["get_test_cases"] = lambda self: test_cases
    return type("Made", (BaseTool,), members)


class Calculator(BaseTool):
    def __init__(self, precision: int) -> None:
        raise AssertionError("defining a class must not run its __init__")

    def run(self, a: int, b: int) -> int:
        return a // b

    def get_tool_characteristics(self) -> dict[str, Any]:
        return {
            "idempotent": True,
            "side_effects": [],
            "safe_for_shadow_testing": True,
            "requires_mocking": [],
            "test_data_available": True,
        }

    def get_test_cases(self) -> list[dict[str, Any] | Case]:
        return [
            {"input": {"a": 6, "b": 3}, "expected_output": 2, "should_raise": None, "description": "divides"},
            {"input": {"a": 1, "b": 0}, "expected_output": None, "should_raise": ZeroDivisionError},
            {"input": (6, 2), "expected": 3},
            {"input": (6, 0), "error": "ArithmeticError"},
            Case((4, 2), 2),
        ]


def test_the_methods_of_a_class_declare_its_characteristics_and_cases() -> None:
    declared = characteristics_of(Calculator)
    assert declared.idempotent
    assert not declared.side_effects
    assert declared.safe_for_shadow
    assert [(case.arguments(), case.expected, case.error) for case in declared.cases] == [
        (((), {"a": 6, "b": 3}), 2, None),
        (((), {"a": 1, "b": 0}), None, "ZeroDivisionError"),
        (((6, 2), {}), 3, None),
        (((6, 0), {}), None, "ArithmeticError"),
        (((4, 2), {}), 2, None),
    ]
    assert declared.cases[0].description == "divides"


def test_a_list_of_effects_means_side_effects_and_is_not_safe_to_shadow() -> None:
    declared = characteristics_of(make_tool({"side_effects": ["writes_to_database"], "requires_mocking": ["database"]}))
    assert declared.side_effects
    assert not declared.safe_for_shadow
    assert declared.requires == ("database",)
    assert declared.mocks == ()


def test_methods_complete_the_class_attributes() -> None:
    declared = characteristics_of(
        make_tool(
            {"side_effects": False, "tolerance": 1}, [{"input": 1, "expected": 1}], idempotent=True, cases=[Case(2, 2)]
        )
    )
    assert (declared.idempotent, declared.side_effects, declared.tolerance) == (True, False, 1.0)
    assert [case.input for case in declared.cases] == [2, 1]


def test_the_methods_may_be_inherited_static_or_class_methods_or_on_an_abstract_class() -> None:
    class Base(BaseTool, abc.ABC):
        @abc.abstractmethod
        def run(self) -> int: ...

        @classmethod
        def get_tool_characteristics(cls) -> dict[str, Any]:
            return {"idempotent": cls.__name__ == "Concrete"}

        @staticmethod
        def get_test_cases() -> list[dict[str, Any]]:
            return [{"input": (), "expected_output": 1}]

    class Concrete(Base):
        def run(self) -> int:
            return 1

    declared = characteristics_of(Concrete)
    assert declared.idempotent
    assert len(declared.cases) == 1


MALFORMED: list[tuple[object, object, dict[str, Any], str]] = [
    ([], None, {}, r"Made.get_tool_characteristics\(\) must return a dict"),
    ({1: True}, None, {}, "must return a dict of characteristics by name"),
    ({"idempotnet": True}, None, {}, "unknown characteristic 'idempotnet'"),
    ({"idempotent": "yes"}, None, {}, "idempotent must be True or False, not 'yes'"),
    ({"idempotent": 1}, None, {}, "idempotent must be True or False, not 1"),
    ({"safe_for_shadow_testing": None}, None, {}, "safe_for_shadow_testing must be True or False"),
    ({"side_effects": "writes"}, None, {}, "side_effects must be True, False or a list of effects, not 'writes'"),
    ({"side_effects": None}, None, {}, "side_effects must be"),
    ({"requires_mocking": [1]}, None, {}, "requires_mocking must be a list of names"),
    ({"mocks": "shop.pay"}, None, {}, "mocks must be a list of names"),
    ({"tolerance": -1}, None, {}, "tolerance must be a number that is not negative"),
    ({"tolerance": float("nan")}, None, {}, "tolerance must be a number that is not negative"),
    ({"test_data_available": "no"}, None, {}, "test_data_available must be True or False"),
    ({"test_data_available": True}, None, {}, "test_data_available is True, but the tool declares 0 cases"),
    ({"test_data_available": False}, [Case(1, 1)], {}, "test_data_available is False, but the tool declares 1 case"),
    ({"safe_for_shadow": True, "safe_for_shadow_testing": False}, None, {}, "declares safe_for_shadow twice"),
    ({"idempotent": False}, None, {"idempotent": True}, "Made.idempotent is True as a class attribute and False"),
    (None, {}, {}, r"Made.get_test_cases\(\) must return a list of cases"),
    (None, ["x"], {}, r"case 1 of Made.get_test_cases\(\) must be a dict"),
    (None, [Case(1, 1), {"input": 1, "output": 1}], {}, "case 2 of .* has an unknown key 'output'"),
    (None, [{"expected_output": 1}], {}, "case 1 of .* has no input"),
    (None, [{"input": 1}], {}, "must expect either an output or an error"),
    (None, [{"input": 1, "should_raise": None}], {}, "must expect either an output or an error"),
    (None, [{"input": 1, "expected_output": 1, "should_raise": ValueError}], {}, "either an output or an error"),
    (None, [{"input": 1, "expected_output": 1, "expected": 1}], {}, "has both expected_output and expected"),
    (None, [{"input": 1, "should_raise": True}], {}, "should_raise must be an exception class or its name, not True"),
    (None, [{"input": 1, "should_raise": int}], {}, "should_raise must be an exception class or its name"),
    (None, [{"input": 1, "expected": 1, "description": 5}], {}, "description must be text"),
]


@pytest.mark.parametrize(("characteristics", "cases", "attributes", "message"), MALFORMED)
def test_malformed_declarations_are_refused_when_the_class_is_defined(
    characteristics: object, cases: object, attributes: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        make_tool(characteristics, cases, **attributes)


def test_a_method_that_needs_an_instance_is_refused_with_the_reason() -> None:
    with pytest.raises(
        UsageError, match=r"get_tool_characteristics\(\) could not be called: AttributeError"
    ) as refused:
        make_tool(run=lambda self: 1, get_tool_characteristics=lambda self: self.settings)
    assert "without running __init__" in refused.value.remedy
