from collections.abc import Callable
from typing import Any

import pytest

from tests.phases import recorded
from whet.cases.from_calls import Replay, replay
from whet.domain.captured import CapturedCall, CapturedTool

HARMLESS = {"side_effects": False, "idempotent": True, "safe_for_shadow": True}


def tool(qualname: str = "divide", kind: str = "plain", **declared: Any) -> CapturedTool:
    return recorded.tool(qualname, kind, **{**HARMLESS, **declared})


def failed(*args: Any) -> CapturedCall:
    return recorded.call(*args, failed=True)


def worked(output: Any, *args: Any) -> CapturedCall:
    return recorded.call(*args, output=output)


def write(facts: CapturedTool, bad: list[CapturedCall], good: list[CapturedCall], **options: Any) -> Replay | None:
    return replay(facts, "calculator.py", bad, good, "tests/", "ZeroDivisionError", **options)


def written(facts: CapturedTool, bad: list[CapturedCall], good: list[CapturedCall], **options: Any) -> Replay:
    replayed = write(facts, bad, good, **options)
    assert replayed is not None
    compile(replayed.text, replayed.path, "exec")
    return replayed


def test_captured_calls_become_readable_tests() -> None:
    replayed = written(tool(), [failed(6, 0), failed(6, 0)], [worked(2.0, 6, 3), worked(None, 0, 1)])
    assert replayed.text == (
        '"""Captured calls of calculator.divide: those that failed must return, those that worked must return the same."""\n\n'
        "from calculator import divide\n\n\n"
        "def test_divide_captured_failure_1():\n"
        "    divide(6, 0)  # raised ZeroDivisionError\n\n\n"
        "def test_divide_captured_result_1():\n"
        "    assert divide(6, 3) == 2.0\n\n\n"
        "def test_divide_captured_result_2():\n"
        "    assert divide(0, 1) is None\n"
    )
    assert replayed.path.startswith("tests/test_whet_")
    assert replayed.failed == (f"{replayed.path}::test_divide_captured_failure_1",)
    assert len(replayed.worked) == 2
    assert replayed.cases == ()


def test_declared_cases_become_tests() -> None:
    cases = [
        {"args": [1, 0], "kwargs": {}, "error": "ValueError"},
        {"args": [], "kwargs": {"a": 4, "b": 2}, "expected": 2.0},
    ]
    replayed = written(tool(cases=cases), [failed(6, 0)], [])
    assert "with pytest.raises(Exception) as raised:\n        divide(1, 0)\n" in replayed.text
    assert "assert divide(a=4, b=2) == 2.0" in replayed.text


@pytest.mark.parametrize(
    ("kind", "called"),
    [("async", "asyncio.run(divide(1))"), ("generator", "list(divide(1))"), ("async generator", "asyncio.run(_all(")],
)
def test_each_kind_of_tool_is_called_in_its_own_way(kind: str, called: str) -> None:
    assert called in written(tool(kind=kind), [failed(1)], [worked({"$generator": [[1, 2], None]}, 1)]).text


def test_ignored_fields_and_tolerances_are_honoured() -> None:
    replayed = written(tool(ignore=["at"], tolerance=1e-6), [failed(1)], [worked({"at": 1, "values": [0.1]}, 2)])
    namespace: dict[str, Any] = {"divide": lambda _: {"at": 99, "values": [0.1000000001]}}
    exec(replayed.text.replace("from calculator import divide", ""), namespace)
    run: Callable[[], None] = namespace["test_divide_captured_result_1"]
    run()
    namespace["divide"] = lambda _: {"at": 99, "values": [0.2]}
    with pytest.raises(AssertionError):
        run()


def test_a_tool_with_side_effects_is_never_replayed() -> None:
    assert write(tool(side_effects=True), [failed(1)], [worked(1, 2)]) is None


def test_declared_mocks_replace_side_effects() -> None:
    replayed = written(tool(side_effects=True, mocks=["smtplib.SMTP"]), [failed(1)], [])
    assert "    with mock.patch('smtplib.SMTP'):\n        divide(1)" in replayed.text


def test_a_call_that_cannot_be_written_is_left_out() -> None:
    assert write(tool(), [failed({"$opaque": "x:Y"})], [worked(1, 2)]) is None
    assert write(tool(), [recorded.call(1, failed=True, replayable=False)], []) is None
    assert len(written(tool(), [failed({"$opaque": "x:Y"}), failed(1)], []).failed) == 1


def test_leaving_a_test_out_keeps_the_names_of_the_others() -> None:
    whole = written(tool(), [failed(6, 0)], [worked(2.0, 6, 3), worked(3.0, 6, 2)])
    less = written(tool(), [failed(6, 0)], [worked(2.0, 6, 3), worked(3.0, 6, 2)], without=whole.worked[:1])
    assert less.ids == (whole.failed[0], whole.worked[1])
    assert less.text.count("def ") == 2


@pytest.mark.parametrize("qualname", ["divide\nimport os", "f.<locals>.g", "a-b", ""])
def test_a_forged_name_is_not_written(qualname: str) -> None:
    assert write(tool(qualname=qualname), [failed(1)], []) is None
