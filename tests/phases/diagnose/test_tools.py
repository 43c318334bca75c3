from datetime import UTC, datetime
from typing import Any, cast

import pytest

from whet.domain.finding import Finding, FindingKind
from whet.domain.payload import DegradedWindow, FailingCall, ObservedTool, SlowWindow
from whet.domain.regression import Regression
from whet.domain.signal import Signal
from whet.kit import Kit
from whet.phases.diagnose.tools import RunningTools

THEN = datetime(2026, 1, 2, tzinfo=UTC)


def signals(count: int, payload: Any = FailingCall, signature: str = "s", **facts: Any) -> list[Signal]:
    tool = ObservedTool(name="calculator.divide", version="1", path="calculator.py")
    values: dict[str, Any] = {
        "summary": "ZeroDivisionError: division by zero", "tool": tool, "calls": 100, "affected": 50,
        "why_not": "it has side effects", **facts,
    }  # fmt: skip
    if payload is FailingCall:
        values = {"inputs": "[]", "replay": Regression(path="x", text="", red=()), **values}
    signal = Signal.of("tools", "calculator.divide", payload(signature=signature, **values), THEN)
    return [signal] * count


def findings(signals: list[Signal]) -> list[Finding]:
    return RunningTools(cast("Kit", None)).findings(signals)


def test_fewer_than_three_failures_are_an_accident() -> None:
    assert findings(signals(2)) == []


def test_one_way_of_failing_is_one_finding() -> None:
    found = findings([*signals(3, signature="one"), *signals(4, signature="two")])
    assert [len(finding.signals) for finding in found] == [3, 4]
    assert found[0].signature != found[1].signature
    assert found[0].kind == FindingKind.FAILING_TOOL
    assert found[0].title == "calculator.divide: ZeroDivisionError: division by zero"
    assert found[0].reasons == ("50 of 100 calls", "it can be called again at will")


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (signals(3, affected=1000, calls=2000), signals(3, affected=10, calls=20)),
        (signals(3, affected=50, calls=60), signals(3, affected=50, calls=6000)),
        (signals(3), signals(3, replay=None)),
        (signals(3), signals(3, payload=SlowWindow)),
        (signals(3, payload=DegradedWindow), signals(3, payload=SlowWindow)),
    ],
)
def test_more_harm_more_often_and_more_easily_mended_comes_first(better: list[Signal], worse: list[Signal]) -> None:
    assert findings(better)[0].score > findings(worse)[0].score


def test_a_finding_whose_calls_cannot_be_replayed_says_why() -> None:
    assert findings(signals(3, replay=None))[0].reasons[1] == "it has side effects"
