import pytest

from dict_transaction import Transaction


def test_changes_are_kept():
    data = {"a": 1}
    with Transaction(data) as draft:
        draft["b"] = 2
    assert data == {"a": 1, "b": 2}


def test_failure_is_reported():
    with pytest.raises(ZeroDivisionError):
        with Transaction({"a": 1}) as draft:
            draft["a"] = 1 / 0


def test_failure_undoes_changes():
    data = {"a": 1}
    try:
        with Transaction(data) as draft:
            draft["a"] = 2
            raise RuntimeError("stop")
    except RuntimeError:
        pass
    assert data == {"a": 1}
