from collections.abc import Callable
from typing import Any

import pytest

from tests.phases import recorded
from whet.cases.from_calls import Replay, replay
from whet.domain.recorded import RecordedCall, RecordedTool

HARMLESS = {"side_effects": False, "idempotent": True, "safe_for_shadow": True}


def tool(qualname: str = "divide", kind: str = "plain", **declared: Any) -> RecordedTool:
    return recorded.tool(qualname, kind, **{**HARMLESS, **declared})


def failed(*args: Any) -> RecordedCall:
    return recorded.call(*args, failed=True)


def worked(output: Any, *args: Any) -> RecordedCall:
    return recorded.call(*args, output=output)


def write(facts: RecordedTool, bad: list[RecordedCall], good: list[RecordedCall], **options: Any) -> Replay | None:
    return replay(facts, "calculator.py", bad, good, "tests/", "ZeroDivisionError", **options)


def written(facts: RecordedTool, bad: list[RecordedCall], good: list[RecordedCall], **options: Any) -> Replay:
    found = write(facts, bad, good, **options)
    assert found is not None
    compile(found.text, found.path, "exec")
    return found


def test_recorded_calls_become_tests_that_a_person_can_read() -> None:
    found = written(tool(), [failed(6, 0), failed(6, 0)], [worked(2.0, 6, 3), worked(None, 0, 1)])
    assert found.text == (
        '"""Calls of calculator.divide: what failed must be answered, what worked must stay as it was."""\n\n'
        "from calculator import divide\n\n\n"
        "def test_divide_answers_what_it_failed_on_1():\n"
        "    divide(6, 0)  # raised ZeroDivisionError\n\n\n"
        "def test_divide_keeps_its_answers_1():\n"
        "    assert divide(6, 3) == 2.0\n\n\n"
        "def test_divide_keeps_its_answers_2():\n"
        "    assert divide(0, 1) is None\n"
    )
    assert found.path.startswith("tests/test_whet_")
    assert found.failed == (f"{found.path}::test_divide_answers_what_it_failed_on_1",)
    assert len(found.worked) == 2
    assert found.cases == ()


def test_the_cases_that_a_tool_declares_are_tests_too() -> None:
    cases = [
        {"args": [1, 0], "kwargs": {}, "error": "ValueError"},
        {"args": [], "kwargs": {"a": 4, "b": 2}, "expected": 2.0},
    ]
    found = written(tool(cases=cases), [failed(6, 0)], [])
    assert "with pytest.raises(Exception) as raised:\n        divide(1, 0)\n" in found.text
    assert "assert divide(a=4, b=2) == 2.0" in found.text


@pytest.mark.parametrize(
    ("kind", "called"),
    [("async", "asyncio.run(divide(1))"), ("generator", "list(divide(1))"), ("async generator", "asyncio.run(_all(")],
)
def test_each_kind_of_tool_is_called_in_its_own_way(kind: str, called: str) -> None:
    assert called in written(tool(kind=kind), [failed(1)], [worked({"$generator": [[1, 2], None]}, 1)]).text


def test_ignored_fields_and_tolerances_are_honoured() -> None:
    found = written(tool(ignore=["at"], tolerance=1e-6), [failed(1)], [worked({"at": 1, "values": [0.1]}, 2)])
    namespace: dict[str, Any] = {"divide": lambda _: {"at": 99, "values": [0.1000000001]}}
    exec(found.text.replace("from calculator import divide", ""), namespace)
    run: Callable[[], None] = namespace["test_divide_keeps_its_answers_1"]
    run()
    namespace["divide"] = lambda _: {"at": 99, "values": [0.2]}
    with pytest.raises(AssertionError):
        run()


def test_a_call_with_side_effects_is_never_called_again() -> None:
    assert write(tool(side_effects=True), [failed(1)], [worked(1, 2)]) is None


def test_declared_mocks_stand_in_for_what_it_does_outside() -> None:
    found = written(tool(side_effects=True, mocks=["smtplib.SMTP"]), [failed(1)], [])
    assert "    with mock.patch('smtplib.SMTP'):\n        divide(1)" in found.text


def test_what_cannot_be_written_is_left_out() -> None:
    assert write(tool(), [failed({"$opaque": "x:Y"})], [worked(1, 2)]) is None
    assert write(tool(), [recorded.call(1, failed=True, replayable=False)], []) is None
    assert len(written(tool(), [failed({"$opaque": "x:Y"}), failed(1)], []).failed) == 1


def test_what_is_left_out_leaves_the_other_names_as_they_are() -> None:
    whole = written(tool(), [failed(6, 0)], [worked(2.0, 6, 3), worked(3.0, 6, 2)])
    less = written(tool(), [failed(6, 0)], [worked(2.0, 6, 3), worked(3.0, 6, 2)], without=whole.worked[:1])
    assert less.ids == (whole.failed[0], whole.worked[1])
    assert less.text.count("def ") == 2


@pytest.mark.parametrize("qualname", ["divide\nimport os", "f.<locals>.g", "a-b", ""])
def test_a_forged_name_is_not_written(qualname: str) -> None:
    assert write(tool(qualname=qualname), [failed(1)], []) is None
