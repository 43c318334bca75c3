"""trials.py: what a call changes besides its answer."""

from typing import Any

from tests.target.inside.test_structure import load

trials = load("trials")
RULES: dict[str, int] = {}


class Box:
    def __init__(self) -> None:
        self.items = {"a": 1}

    def lose(self) -> None:
        self.items.clear()

    def remember(self) -> None:
        self.length = len(self.items)


def test_a_changed_attribute_is_noticed_and_a_new_one_is_not() -> None:
    box = Box()
    attributes = trials.Attributes([box])
    box.remember()
    assert not attributes.changed()
    box.lose()
    assert attributes.changed()


def learn(name: str) -> Any:
    return RULES.setdefault(name, 1)


def test_a_changed_collection_of_the_module_is_noticed() -> None:
    known = trials.Globals(learn)
    assert known.changed() == []
    learn("a")
    assert known.changed() == ["RULES"]


def test_the_attributes_that_a_call_leaves_are_described() -> None:
    box = Box()
    attributes = trials.Attributes([box])
    before = attributes.after()
    assert before["items"][1] == "{'a': 1}"
    box.lose()
    box.other = Box()  # type: ignore[attr-defined]  # an object of the project is no plain data, and is left out
    assert attributes.after()["items"][1] == "{}"
    assert attributes.after()["items"][0] != before["items"][0]
    assert list(attributes.after()) == ["items"]
    assert trials.Attributes([]).after() == {}
