"""structure.py, variations.py and shapes.py: the same text for the same structure, the same variations for the same seed."""

import datetime
import importlib.util
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest

from whet.target.scripts import INSIDE


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"inside_{name}", INSIDE / f"varied/{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


structure, variations, shapes = load("structure"), load("variations"), load("shapes")


class Liar:
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return "5"


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value


@dataclass
class Point:
    x: int
    parent: Any = None


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (1, True, False),
        (1, 1.0, True),
        (1, 1.5, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({3, 1, 2}, {2, 1, 3}, True),
        ([1], (1,), False),
        (Point(1), Point(1), True),
        (Point(1), Point(2), False),
        (Slotted(1), Slotted(2), False),
        (Liar(), 5, False),
        (ValueError("a"), ValueError("b"), False),
        (Path("a"), Path("b"), False),
        (datetime.date(2024, 1, 1), datetime.date(2024, 1, 1), True),
        (float("nan"), float("nan"), True),
    ],
)
def test_values_are_told_apart_by_structure_alone(first: object, second: object, same: bool) -> None:
    assert (structure.Structure(first).digest == structure.Structure(second).digest) is same


def test_cycles_and_long_values_end() -> None:
    point = Point(1)
    point.parent = point
    assert "<cycle>" in structure.Structure(point).text
    assert len(structure.Structure(list(range(10_000))).short) <= 160
    assert not structure.Structure(point).plain
    assert structure.Structure([1, {"a": (2.5, None)}]).plain


def test_a_call_is_shown_as_a_reader_would_write_it() -> None:
    assert structure.call_text("total", [[1, 2], "a"], {"by": None}) == "total([1, 2], 'a', by=None)"


def _variations(*arguments: object) -> list[Any]:
    places = list(range(len(arguments)))
    made: list[Any] = variations.variations(list(arguments), {}, "seed", ["and", 12], places)
    return made


def varied(*arguments: object) -> list[tuple[str, list[Any]]]:
    return [(item.kind, item.arguments) for item in _variations(*arguments)]


def test_the_same_seed_gives_the_same_variations() -> None:
    assert varied("Tea 12", [1, 2]) == varied("Tea 12", [1, 2])


def test_texts_keep_their_shape() -> None:
    kinds = varied("Tea 12-x")
    same = [values[0] for kind, values in kinds if kind == "same shape"]
    assert len(same) >= 6
    for text in same:
        assert (text[0].isupper(), text[1:3].islower(), text[3], text[4:6].isdigit(), text[6]) == (
            True,
            True,
            " ",
            True,
            "-",
        )
    assert any(text.startswith("Tea") for text in same)  # one word at a time
    assert ("text of the patch", ["and"]) in kinds
    assert ("empty text", [""]) in kinds


def test_numbers_lists_dates_and_callables_have_neighbours() -> None:
    assert ("number", [6]) in varied(5)
    assert ("number of the patch", [12]) in varied(5)
    assert ("order", [[2, 1]]) in varied([1, 2])
    assert ("date", [datetime.date(2024, 3, 1)]) in varied(datetime.date(2024, 2, 29))
    raising = [values[0] for kind, values in varied(len) if kind == "raising"]
    with pytest.raises(variations.Probe):
        raising[0](1)
    assert varied(object()) == []


def test_other_arguments_have_the_same_shape() -> None:
    arguments, named = variations.another([5, "a1", [1.5]], {"key": 2}, random.Random(0))
    assert [type(value) for value in arguments] == [int, str, list]
    assert arguments != [5, "a1", [1.5]]
    assert named["key"] > 2


def kinds(value: Any) -> dict[str, Any]:
    """Return one variation of each kind of a single argument."""
    return {item.kind: item.arguments[0] for item in variations.variations([value], {}, "seed", [], [0])}


def test_attributes_of_objects_are_varied_on_a_copy() -> None:
    @dataclass(frozen=True)
    class Price:
        cents: int
        currency: str = "EUR"

    price = Price(5)
    varied = kinds(price)
    assert varied["attribute number"].cents in (3, 4, 6, 7)
    assert varied["attribute same shape"].currency != "EUR"
    assert price == Price(5)


def test_collections_and_texts_get_much_longer() -> None:
    assert len(kinds([1, 2])["long"]) > 30
    assert len(kinds(range(3))["long"]) > 30
    assert len(kinds("a b")["long text"].split()) > 20
    assert kinds({"a": [1, 2]})["inner longer"] == {"a": [1, 2, 1]}
    assert kinds({"a": 1})["inner none"] == {"a": None}


def test_paths_get_another_name_in_the_same_folder(tmp_path: Path) -> None:
    varied = kinds(tmp_path / "app.conf")
    assert varied["path"].parent == tmp_path
    assert varied["path"].name != "app.conf"
    assert varied["folder"] == tmp_path


def of_kind(value: Any, kind: str) -> list[Any]:
    return [values[0] for name, values in varied(value) if name == kind]


def test_a_text_that_begins_in_the_same_way() -> None:
    [alike] = of_kind("info", "alike")
    assert alike[0] == "i"
    assert alike != "info"
    assert of_kind("x", "alike") == []


def test_repeated_items_and_an_item_like_the_first() -> None:
    longer = of_kind(["ann", "bob"], "longer")
    assert ["ann", "ann", "ann", "bob", "bob", "bob"] in longer
    assert any(len(items) == 3 and items[2][0] == "a" and items[2] != "ann" for items in longer)
    assert {"aaabbb", "abab"} <= set(of_kind("ab", "longer text"))
    assert "11.1010" in of_kind("1.10", "longer text")


def test_an_object_like_another_differs_in_the_end_of_its_first_text() -> None:
    @dataclass
    class User:
        age: int
        name: str

    user = User(4, "ann")
    other = variations.alike(user, random.Random(0))
    assert (other.age, other.name[0], user.name) == (4, "a", "ann")
    assert other.name != "ann"
    assert variations.alike(object(), random.Random(0)) is None


def test_a_long_dictionary_has_all_values_and_chains_of_lists_hang_together() -> None:
    [long] = of_kind({"a": 1, "b": 9}, "long")
    assert set(long.values()) == {1, 9}
    *_, chain = of_kind({"a": ["b"], "b": []}, "long")
    name, links = next(iter(chain)), 0
    while chain.get(name):
        [name], links = chain[name], links + 1
    assert links >= 6


def test_literals_of_the_patch_stand_in_the_text_too() -> None:
    assert of_kind("tea", "text of the patch") == ["and", "teaand", "andtea"]


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("1.2", "3.4", True),
        ("1.2", "10.2", False),
        ("0.0", "1.2", False),
        ("0", "0.0", False),
        ("the big house", "the old town hall", True),
        ("house", "house-1", False),
        (7, 8, True),
        (7, 70, False),
        (7, -7, False),
        (10**500, 10**600, True),
        (True, False, False),
        (7, "7", False),
        ([1, 2], [3, 4], True),
        ([1, 2], [1], False),
        ([1, 2], ["a", "b"], False),
        ({"a": 1}, {"b": 2}, True),
        (Point(1), Point(2), True),
        (Point(1), Point(1, "name"), False),
        (Liar(), 5, False),
    ],
)
def test_shapes_tell_calls_apart_that_teach_something_else(first: object, second: object, same: bool) -> None:
    assert (shapes.shape(first) == shapes.shape(second)) is same


def test_the_shape_of_a_call_has_all_arguments() -> None:
    def called(one: object, *more: object, key: object = None, **named: object) -> FrameType | None:
        local = "not an argument"
        return sys._getframe() if local else None

    def shape_of(*arguments: object, **named: object) -> object:
        return shapes.shape_of_call(called(*arguments, **named))

    assert shape_of(1) == shape_of(2)
    assert len({shape_of(1), shape_of("a"), shape_of(1, 2), shape_of(1, key=2), shape_of(1, name=2)}) == 5
