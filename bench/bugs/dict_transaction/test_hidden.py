import pytest

from dict_transaction import Transaction


def test_key_error_goes_on():
    data = {}
    with pytest.raises(KeyError, match="nope"):
        with Transaction(data) as draft:
            draft["x"] = 1
            draft["nope"]
    assert data == {}


def test_removed_keys_come_back():
    data = {"a": 1, "b": 2}
    with pytest.raises(RuntimeError):
        with Transaction(data) as draft:
            del draft["a"]
            raise RuntimeError
    assert data == {"a": 1, "b": 2}


def test_nested():
    data = {"n": 0}
    with Transaction(data):
        data["n"] = 1
        with pytest.raises(ValueError):
            with Transaction(data):
                data["n"] = 2
                raise ValueError
        assert data["n"] == 1
    assert data["n"] == 1


def test_same_object():
    data = {}
    with Transaction(data) as draft:
        assert draft is data
