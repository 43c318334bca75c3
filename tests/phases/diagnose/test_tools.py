from datetime import UTC, datetime
from typing import Any

import pytest

from whet.domain.finding import FindingKind
from whet.domain.signal import Signal
from whet.phases.diagnose.tools import findings

THEN = datetime(2026, 1, 2, tzinfo=UTC)


def signals(count: int, kind: str = "failing_call", signature: str = "s", **told: Any) -> list[Signal]:
    payload = {
        "signature": signature, "what": "ZeroDivisionError: division by zero", "tool": {"path": "calculator.py"},
        "calls": 100, "hurt": 50, "replay": {"path": "x"}, "why_not": "it has side effects", **told,
    }  # fmt: skip
    first = Signal(source="tools", subject="calculator.divide", kind=kind, at=THEN, payload=payload)
    more = Signal(source="tools", subject="calculator.divide", kind=kind, at=THEN, payload={"signature": signature})
    return [first, *[more] * (count - 1)]


def test_fewer_than_three_failures_are_an_accident() -> None:
    assert findings(signals(2), []) == []


def test_one_way_of_failing_is_one_finding() -> None:
    found = findings([*signals(3, signature="one"), *signals(4, signature="two")], [])
    assert [len(finding.signals) for finding in found] == [3, 4]
    assert found[0].signature != found[1].signature
    assert found[0].kind is FindingKind.FAILING_TOOL
    assert found[0].title == "calculator.divide: ZeroDivisionError: division by zero"
    assert found[0].reasons == ("50 of 100 calls", "it can be called again at will")


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (signals(3, hurt=1000, calls=2000), signals(3, hurt=10, calls=20)),
        (signals(3, hurt=50, calls=60), signals(3, hurt=50, calls=6000)),
        (signals(3), signals(3, replay=None)),
        (signals(3), signals(3, kind="slow_window")),
        (signals(3, kind="degraded_window"), signals(3, kind="slow_window")),
    ],
)
def test_more_harm_more_often_and_more_easily_mended_comes_first(better: list[Signal], worse: list[Signal]) -> None:
    assert findings(better, [])[0].score > findings(worse, [])[0].score


def test_what_somebody_asked_for_comes_first() -> None:
    assert findings(signals(3), ["calculator.py"])[0].score > findings(signals(3), [])[0].score


def test_what_cannot_be_had_again_says_why() -> None:
    assert findings(signals(3, replay=None), [])[0].reasons[1] == "it has side effects"
