"""Conditions that a patch adds, and the copy of a file that reports their outcomes."""

import builtins

import pytest

from whet.phases.validate.integrity.diff.conditions import SAW, new_conditions, reporting_copy

NEW = {
    "if x > 1:\n    y()\n": ["x > 1"],
    "if a and not b or c:\n    y()\n": ["a", "b", "c"],
    "while rest:\n    y()\n": ["rest"],
    "if x == f'{a}-b':\n    y()\n": ["x == f'{a}-b'"],
    "z = 1 if ready else 2\n": ["ready"],
    "z = [i for i in n if i > 2 if i.x]\n": ["i > 2", "i.x"],
    "z = first or second or third\n": ["first", "second"],
    "z = (a and b) or c\n": ["a", "b"],
    "match x:\n    case 1 if odd:\n        y()\n": ["odd"],
    "if (n := f()):\n    y()\n": ["(n := f())"],
    "x = f'{1 if a else 2}'\n": ["a"],
    "if limit > 9:\n    print('large')\n": ["limit > 9"],
    "table = {1: 2}\ndef f(key):\n    if key in table:\n        return table[key]\n": ["key in table"],
    "def f(key):\n    table = {1: 2}\n    if key in table:\n        return table[key]\n": ["key in table"],
}
NONE_NEW = [
    "if x is None:\n    y()\n",
    "if x is not None or isinstance(x, int):\n    y()\n",
    "while True:\n    y()\n",
    "x = a == b\n",
    "assert x > 1\n",
    "if old(x):\n    y()\n",
    "if x[0] in ('a', 'b', 'c'):\n    y()\n",
    "if x >= 7:\n    y()\n",
    "if limit > 9:\n    warnings.warn('large')\n",
    "def f(self, key):\n    if key in self.items:\n        self.items.remove(key)\n",
    "def f(self, name, item):\n    if item in self.all.get(name, ()):\n        self.all[name].remove(item)\n",
    "cache = {}\ndef f(key):\n    if key not in cache:\n        cache[key] = 1\n    return cache[key]\n",
    "if x >\n",
]


@pytest.mark.parametrize(("source", "texts"), NEW.items())
def test_new_conditions_are_found(source: str, texts: list[str]) -> None:
    assert sorted(condition.text for condition in new_conditions("m.py", "", source)) == sorted(texts)


@pytest.mark.parametrize("source", NONE_NEW)
def test_other_conditions_are_not_new(source: str) -> None:
    assert (
        new_conditions(
            "m.py", "while old(x):\n    pass\nif x[0] in ('a', 'b'):\n    y()\nif x >= 1:\n    y()\n", source
        )
        == []
    )


@pytest.mark.parametrize(
    ("source", "raises_if"),
    [
        ("if a:\n    raise ValueError\n", True),
        ("if not a:\n    raise ValueError\n", False),
        ("if a:\n    pass\nelse:\n    raise ValueError\n", False),
        ("if a:\n    x = 1\n    raise ValueError\n", None),
        ("if a:\n    return_it()\n", None),
    ],
)
def test_the_outcome_that_only_raises_is_known(source: str, raises_if: bool | None) -> None:
    (condition,) = new_conditions("m.py", "", source)
    assert condition.raises_if is raises_if


SOURCE = '''"""Größe."""
from __future__ import annotations

import functools


@functools.cache
def size(x, *, y=0):
    ü = "ü" if (
        x > 1 and
        not y
    ) else "u"
    values = [n for n in range(x) if n % 2]
    while (found := len(values)) > 3:
        values.pop()
    return ü, found, y or x
'''


def test_the_copy_does_the_same_and_reports_every_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    conditions = new_conditions("m.py", "", SOURCE)
    copy = reporting_copy(SOURCE, conditions, 5)
    assert copy is not None
    seen: set[tuple[str, bool]] = set()

    def saw(number: int, value: object) -> object:
        seen.add((conditions[number - 5].text, bool(value)))
        return value

    monkeypatch.setattr(builtins, SAW, saw, raising=False)
    original: dict[str, object] = {}
    instrumented: dict[str, object] = {}
    exec(SOURCE, original)
    exec(copy, instrumented)
    for x in (0, 1, 2, 9):
        assert instrumented["size"](x) == original["size"](x)  # type: ignore[operator]
    assert seen >= {("x > 1", True), ("x > 1", False), ("n % 2", True), ("n % 2", False), ("y", False)}


def test_the_copy_works_without_its_observer() -> None:
    copy = reporting_copy(SOURCE, new_conditions("m.py", "", SOURCE), 0)
    namespace: dict[str, object] = {}
    exec(copy or b"", namespace)
    assert namespace["size"](9) == ("ü", 3, 9)  # type: ignore[operator]
