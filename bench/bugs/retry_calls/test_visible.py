import pytest

from retry_calls import TransientError, call_with_retry


class Flaky:
    def __init__(self, *outcomes):
        self.outcomes = list(outcomes)
        self.calls = 0
    def __call__(self):
        self.calls += 1
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


def test_succeeds_at_once():
    assert call_with_retry(Flaky("ok")) == "ok"


def test_succeeds_later():
    func = Flaky(TransientError(), TransientError(), "ok")
    assert call_with_retry(func) == "ok"
    assert func.calls == 3


def test_gives_up():
    with pytest.raises(TransientError):
        call_with_retry(Flaky(TransientError(), TransientError(), "ok"), attempts=2)


def test_other_errors_are_not_tried_again():
    func = Flaky(KeyError("x"), "ok")
    with pytest.raises(KeyError):
        call_with_retry(func)
    assert func.calls == 1
