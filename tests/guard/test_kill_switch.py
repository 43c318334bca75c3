import pytest

from whet.guard.answer import Allow, Refuse
from whet.guard.kill_switch import stop


def test_without_a_kill_switch_work_is_allowed() -> None:
    assert stop(None, readable=True) == Allow()


@pytest.mark.parametrize(
    ("switch", "reason"),
    [
        ("", "the kill switch is set"),
        (" \n", "the kill switch is set"),
        ("0", "the kill switch is set: 0"),
        ("false", "the kill switch is set: false"),
        ("incident\n 42", "the kill switch is set: incident 42"),
        ("\x1b[2Kgo on", "the kill switch is set: [2Kgo on"),
    ],
)
def test_a_kill_switch_stops_whatever_its_content_is(switch: str, reason: str) -> None:
    assert stop(switch, readable=True) == Refuse(reason, "stopped")


def test_a_long_reason_is_cut() -> None:
    answer = stop("x" * 10_000, readable=True)
    assert isinstance(answer, Refuse)
    assert len(answer.reason) < 300


@pytest.mark.parametrize("readable", [False, None, 1, "yes"])
@pytest.mark.parametrize("switch", [None, "", "go"])
def test_an_unreadable_kill_switch_stops(switch: str | None, readable: bool) -> None:
    assert stop(switch, readable) == Refuse("the kill switch cannot be read", "stopped")
