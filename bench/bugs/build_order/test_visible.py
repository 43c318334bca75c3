import pytest

from build_order import build_order


def test_nothing():
    assert build_order({}) == []


def test_chain():
    assert build_order({"app": ["lib"], "lib": ["core"]}) == ["core", "lib", "app"]


def test_cycle():
    with pytest.raises(ValueError):
        build_order({"a": ["b"], "b": ["a"]})


def test_independent():
    assert build_order({"b": [], "a": []}) == ["a", "b"]
