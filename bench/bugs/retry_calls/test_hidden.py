import pytest

from retry_calls import TransientError, call_with_retry


def script(*outcomes):
    left = list(outcomes)
    def func():
        outcome = left.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome
    func.left = left
    return func


def test_value_error_passes_through():
    func = script(ValueError("bad"), 1)
    with pytest.raises(ValueError, match="bad"):
        call_with_retry(func)
    assert func.left == [1]


def test_os_error_after_transient():
    func = script(TransientError(), OSError("disk"), 1)
    with pytest.raises(OSError):
        call_with_retry(func, attempts=5)
    assert func.left == [1]


def test_subclass_is_tried_again():
    class Busy(TransientError):
        pass
    assert call_with_retry(script(Busy(), 7)) == 7


def test_no_attempts():
    with pytest.raises(ValueError):
        call_with_retry(script(1), attempts=0)


def test_none_is_a_result():
    assert call_with_retry(script(None, 1)) is None
