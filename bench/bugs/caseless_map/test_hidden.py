import pytest

from caseless_map import CaselessMap


def test_read_as_written():
    m = CaselessMap()
    m["Accept"] = 1
    assert m["Accept"] == 1


def test_contains_as_written():
    m = CaselessMap()
    m["Accept"] = 1
    assert "Accept" in m


def test_spaces():
    m = CaselessMap()
    m[" Host "] = "x"
    assert m["host  "] == "x"
    assert " HOST" in m


def test_missing():
    with pytest.raises(KeyError):
        CaselessMap()["x"]
