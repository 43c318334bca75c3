import pytest

from build_order import build_order


def test_shared_dependency_once():
    assert build_order({"a": ["c"], "b": ["c"]}) == ["c", "a", "b"]


def test_diamond():
    order = build_order({"top": ["l", "r"], "l": ["base"], "r": ["base"]})
    assert order == ["base", "l", "r", "top"]


def test_repeated_entry():
    assert build_order({"a": ["b", "b"]}) == ["b", "a"]


def test_self_cycle():
    with pytest.raises(ValueError):
        build_order({"a": ["a"]})
