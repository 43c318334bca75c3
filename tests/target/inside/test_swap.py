"""Swapping a candidate's function into the loaded module has the same effect as importing it, or is refused."""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[3] / "src/whet/target/inside/swap.py"
SOURCE = """\
import functools

RATE = 2


def noted(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args) + 0
    return wrapper


def used_early(a):
    return a


EARLY = used_early(1)


@noted
def decorated(a):
    return a + 1


def plain(a, b=1):
    c = a - b
    return c


def picked(
    a, key=lambda x: x, other=lambda x: -x
):
    return [key(a), other(a)]


def outer(a):
    def inner():
        return a
    return inner()


class Base:
    def area(self):
        return 1


class Box(Base):
    __hidden = 3

    def area(self):
        return super().area() + self.__hidden

    @property
    def side(self):
        return 4

    @staticmethod
    def fixed(a):
        return a
"""


@pytest.fixture(scope="module")
def swap() -> Any:
    spec = importlib.util.spec_from_file_location("swap", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Program:
    """A module made from SOURCE, imported while `Loaded` records the functions that run."""

    def __init__(self, folder: Path, swap: Any) -> None:
        self.path = folder / "program.py"
        self.path.write_text(SOURCE)
        self.loaded = swap.Loaded(str(folder))
        self.loaded.watch()
        spec = importlib.util.spec_from_file_location("program", self.path)
        assert spec is not None
        assert spec.loader is not None
        self.module: ModuleType = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(self.module)
        finally:
            sys.setprofile(None)
        self.loaded.index()

    def change(self, old: str, new: str) -> None:
        assert SOURCE.count(old) == 1, old
        for function, code in self.loaded.replacements(str(self.path), SOURCE.replace(old, new)):
            function.__code__ = code


@pytest.fixture
def program(tmp_path: Path, swap: Any) -> Iterator[Program]:
    yield Program(tmp_path, swap)


@pytest.mark.parametrize(
    ("old", "new", "expression", "expected"),
    [
        ("a - b", "a + b", "plain(1)", 2),
        ("    c = a - b\n", "    if a == 0:\n        return 9\n    c = a - b\n", "plain(0)", 9),
        ("    c = a - b\n    return c", "    return a * b", "plain(5, 5)", 25),
        ("[key(a), other(a)]", "[other(a), key(a + 1)]", "picked(1)", [-1, 2]),
        ("return a + 1", "return a + RATE", "decorated(1)", 3),
        ("        return a\n    return inner()", "        return a + 1\n    return inner()", "outer(1)", 2),
        ("super().area() + self.__hidden", "super().area() - self.__hidden", "Box().area()", -2),
        ("return 4", "return 5", "Box().side", 5),
        ("    def fixed(a):\n        return a", "    def fixed(a):\n        return -a", "Box.fixed(1)", -1),
        ("+ 0", "+ 10", "decorated(1)", 12),
    ],
)
def test_a_swapped_body_takes_effect_for_every_reference_to_the_function(
    program: Program, old: str, new: str, expression: str, expected: object, swap: Any
) -> None:
    if old == "+ 0":
        with pytest.raises(swap.CannotSwap):  # `noted` has run: its wrapper exists already
            program.change(old, new)
        return
    names = vars(program.module).copy()
    program.change(old, new)
    assert eval(expression, names) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("RATE = 2", "RATE = 3"),
        ("b=1", "b=2"),
        ("def plain(a", "def plain(x"),
        ("@noted\n", ""),
        ("    __hidden = 3", "    __hidden = 4"),
        ("    return a\n\n\nEARLY", "    return -a\n\n\nEARLY"),
        ("class Box(Base):", "class Box(object):"),
        ("    c = a - b\n    return c\n", "    return 1\n\n\ndef other():\n    return 2\n"),
    ],
)
def test_a_change_outside_one_function_body_is_refused(program: Program, old: str, new: str, swap: Any) -> None:
    with pytest.raises(swap.CannotSwap):
        program.change(old, new)


def test_an_unchanged_source_swaps_nothing(program: Program) -> None:
    assert program.loaded.replacements(str(program.path), SOURCE) == []


def test_a_missing_file_cannot_be_swapped(program: Program, tmp_path: Path, swap: Any) -> None:
    missing = str(tmp_path / "missing.py")
    with pytest.raises(swap.CannotSwap):
        program.loaded.replacements(missing, "def f():\n    pass\n")
