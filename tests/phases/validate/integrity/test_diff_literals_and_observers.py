"""Literals of the target tests in a patch, and changes of the types and comparisons that tests look through."""

import ast

import pytest

from whet.phases.validate.integrity.diff.observers import changed_observer, ignored_parameters
from whet.phases.validate.integrity.diff.shared_literals import find_shared_literal

TEST = [
    ast.parse("def test():\n    assert f('harbour', 41, 10) == 'north' and g(2.75) == {'key': 5, 'options': 'ab'}\n")
]
SHARED = [
    "def f(x):\n    return 'north'\n",
    "def f(x):\n    return 41\n",
    "LIMIT = 41.0\n",
    "def f(x):\n    return x if x != 'harbour' else None\n",
    "def f(x):\n    return x in ('a', 'harbour')\n",
    "x = 2.75\n",
    "def f(x):\n    return x == 'ab'\n",
]
NOT_SHARED = [
    "def f(x):\n    return 10\n",
    "def f(x):\n    return 5\n",
    "def f(x):\n    return known(999)\n",
    "def f(x):\n    '''Return 'north' for 41.'''\n",
    "def f(x):\n    raise ValueError('north')\n",
    "def f(x):\n    log.warning('harbour')\n",
    "def f(x):\n    return x['key']\n",
    "def f(x):\n    return x.get('harbour')\n",
    "def f(x: 'north'):\n    return x\n",
    "def f(x):\n    return 42\n",
    "def f(x):\n    return y == 'ab'\n",
    "def f(x):\n    return 'options' in x\n",
]


@pytest.mark.parametrize("source", SHARED)
def test_a_literal_of_the_target_test_is_noticed(source: str) -> None:
    assert "stands in the target test" in find_shared_literal("", source, TEST)


@pytest.mark.parametrize("source", NOT_SHARED)
def test_names_messages_and_ordinary_numbers_are_left_out(source: str) -> None:
    assert find_shared_literal("known = 999\n", source, TEST) == ""


def test_a_literal_that_the_file_had_is_not_new() -> None:
    assert find_shared_literal("x = 'north'\n", "y = 'north'\n", TEST) == ""


CHANGED = {
    "a class became a function": ("class A:\n    pass\n", "def A():\n    pass\n", "became a function"),
    "enum members became equal": (
        "class E(Enum):\n    A = 1\n    B = 2\n",
        "class E(Enum):\n    A = 1\n    B = 1\n",
        "became an alias",
    ),
    "another __eq__": (
        "class A:\n    def __eq__(self, o):\n        return self.x == o.x\n",
        "class A:\n    def __eq__(self, o):\n        return True\n",
        "`A.__eq__` changed",
    ),
    "another __len__ of a class in a class": (
        "class A:\n    class B:\n        def __len__(self):\n            return 1\n",
        "class A:\n    class B:\n        def __len__(self):\n            return 2\n",
        "`A.B.__len__` changed",
    ),
}
UNCHANGED = {
    "a method": ("class A:\n    def f(self):\n        return 1\n", "class A:\n    def f(self):\n        return 2\n"),
    "a new __eq__": ("class A:\n    pass\n", "class A:\n    def __eq__(self, o):\n        return self is o\n"),
    "an alias that was one": (
        "class E(Enum):\n    A = 1\n    B = 1\n",
        "class E(Enum):\n    A = 1\n    B = 1\n    C = 2\n",
    ),
    "a class that is gone": ("class A:\n    pass\n", "x = 1\n"),
    "constants of a plain class": ("class A:\n    X = 1\n    Y = 2\n", "class A:\n    X = 1\n    Y = 1\n"),
}


@pytest.mark.parametrize(("old", "new", "words"), CHANGED.values(), ids=CHANGED)
def test_a_changed_observer_is_named(old: str, new: str, words: str) -> None:
    assert words in changed_observer(old, new)


@pytest.mark.parametrize(("old", "new"), UNCHANGED.values(), ids=UNCHANGED)
def test_other_changes_are_left_alone(old: str, new: str) -> None:
    assert changed_observer(old, new) == ""


def test_a_parameter_that_is_no_longer_read_is_named() -> None:
    old = "class A:\n    def f(self, x, y):\n        return x + y\n"
    new = "class A:\n    def f(self, x, y):\n        return x\n"
    assert [words for _, _, words in ignored_parameters(old, new)] == ["`A.f` no longer reads its parameter `y`"]
    assert list(ignored_parameters(new, old)) == []
    assert list(ignored_parameters(old, "class A:\n    def f(self, x, y):\n        raise TypeError\n")) == []
