"""The pieces of the safeguards that are pure: rewriting, gutting, questions, answers written down."""

import ast
import re
from typing import Any

import pytest

from whet.phases.validate.integrity.doctests import is_doctest, lost
from whet.phases.validate.integrity.gutted import ended_by, gutted
from whet.phases.validate.integrity.hard_coded import hard_coded
from whet.phases.validate.integrity.questions import How, take_apart
from whet.phases.validate.integrity.rephrase import rewritten

# ---- written a little differently -----------------------------------------------------------------------------

TESTS = b'''"""Doc."""
import pytest


@pytest.mark.skip
def test_a():
    """Doc."""
    x = 1
    assert x


class TestB:
    def test_c(self): assert True

    async def test_d(self):
        @property
        def inner(): pass
        assert "\xc3\xa4"
'''


def test_rewritten_means_the_same_and_reads_differently() -> None:
    changed = rewritten(TESTS, {"test_a", "TestB::test_c", "TestB::test_d"})
    assert changed is not None
    assert changed != TESTS
    old, new = ast.parse(TESTS), ast.parse(changed)
    for node in ast.walk(new):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [
                one for one in node.body if not (isinstance(one, ast.Assign) and ast.unparse(one).startswith("_"))
            ]
    assert ast.dump(old) == ast.dump(new)
    assert changed.count(b" = ") == TESTS.count(b" = ") + 2
    assert rewritten(TESTS, {"test_a"}) != rewritten(TESTS, {"test_a"})


# ---- gutted ---------------------------------------------------------------------------------------------------

OLD = "LIMIT = 3\n\ndef f(x):\n    return x\n\nclass A:\n    size = 1\n    def g(self):\n        return 1\n\ndef h():\n    return f(1)\n"


def values(source: str | None) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(source or "", names)
    return names


def test_only_changed_functions_are_gutted() -> None:
    names = values(gutted(OLD, OLD.replace("return x", "return x + 1")))
    with pytest.raises(BaseException, match=r"^$"):
        names["f"](1)
    assert names["A"]().g() == 1


def test_the_examples_of_a_gutted_function_are_still_there() -> None:
    new = 'def f(x):\n    """Twice.\n\n    >>> f(2)\n    4\n    """\n    return x * 2\n'
    text = gutted(new.replace("* 2", "* 3"), new)
    assert text is not None
    assert ">>> f(2)" in text
    assert "return" not in text


def test_a_run_that_ends_by_what_was_gutted_is_known_by_its_name() -> None:
    text = gutted(OLD, OLD.replace("return x", "return x + 1"))
    assert text is not None
    (name,) = set(re.findall(r"Gutted\w+", text))
    assert ended_by(f"ended before its end record: mod.{name}", [text])
    assert not ended_by("ended before its end record: mod.Gutted01234567", [text])
    assert not ended_by("ended before its end record", [text])


def test_a_gutted_function_raises_nothing_that_a_test_asks_for() -> None:
    names = values(gutted(OLD, OLD.replace("return x", "return x + 1")))
    try:
        names["f"](1)
    except Exception:  # noqa: BLE001
        pytest.fail("it can be caught")
    except BaseException as problem:  # noqa: BLE001
        assert type(problem).__bases__ == (BaseException,)


def test_constants_go_back_and_other_code_stays() -> None:
    new = (
        OLD.replace("LIMIT = 3", "LIMIT = 4\nSIDE = [].append(1)")
        .replace("size = 1", "size = 2")
        .replace("return x", "return -x")
    )
    names = values(gutted(OLD, new))
    assert (names["LIMIT"], names["A"].size, "SIDE" in names) == (3, 1, True)


@pytest.mark.parametrize("new", [OLD, OLD + "# more\n", OLD.replace("LIMIT = 3", "LIMIT = 4"), "def f(:"])
def test_nothing_to_gut(new: str) -> None:
    assert gutted(OLD, new) is None


# ---- questions ------------------------------------------------------------------------------------------------

FILE = b"""import pytest
from shop import price
from .near import other

BASE = 2

def helper(x):
    return x + BASE

def needs_fixture(x):
    return pytest.x

def test_plain():
    assert price(2) == 5
    assert 7 == price(3)
    expected = [1, 2]
    assert price([]) == expected
    assert price(1) > 0
    with pytest.raises(ValueError):
        price(-1)

@pytest.mark.parametrize("a, b", [(1, 2), pytest.param(3, 4, id="x")])
def test_rows(a, b):
    assert price(a) == b

def test_helper():
    assert price(helper(1)) == 9

def test_fixture(tmp_path):
    assert price(tmp_path) == 1

def test_runner():
    assert pytest.importorskip("x") == 1

def test_left_out():
    assert needs_fixture(1) == 1

@pytest.mark.skipif(True, reason="x")
def test_marked():
    assert price(1) == 1

class TestIt:
    def test_method(self):
        assert price(1) == pytest.approx(1.5)

class TestSetUp:
    def setup_method(self):
        register(1)
    def test_it(self):
        assert price(1) == 1
"""


def test_a_test_file_is_taken_apart() -> None:
    asked = take_apart(FILE, "tests")
    assert asked is not None
    assert {name: len(cases) for name, cases in asked.cases.items() if cases[0].questions} == {
        "test_plain": 1, "test_rows": 2, "test_helper": 1, "TestIt::test_method": 1,
    }  # fmt: skip
    plain = asked.cases["test_plain"][0]
    assert [one.expected for one in plain.questions if not one.side] == [5, 7, [1, 2], True, "ValueError"]
    assert [case.questions[0].expected for case in asked.cases["test_rows"]] == [2, 4]
    assert asked.cases["TestIt::test_method"][0].questions[0].how is How.NEAR


def test_what_is_expected_stays_outside() -> None:
    asked = take_apart(FILE, "tests")
    assert asked is not None
    inside = asked.imports + "".join(case.source for cases in asked.cases.values() for case in cases)
    for secret in ("== 5", "7 ==", "[1, 2]", "b = 2", "b = 4", "== 9", "1.5", "ValueError", "pytest"):
        assert secret not in inside


def test_relative_imports_are_made_whole() -> None:
    asked = take_apart(FILE, "pkg.tests")
    assert asked is not None
    assert "from pkg.tests.near import other" in asked.imports
    assert "near" not in take_apart(FILE, "").imports  # type: ignore[union-attr]


# ---- answers written down -------------------------------------------------------------------------------------

TARGET = ast.parse(
    "def test_it():\n    assert f(200, 10) == 180\n    assert f('tea') == 'hot'\n    assert f('teas') == 'hot!'\n    assert f(0) == 1\n    assert f(33) == 44\n"
    "    f(['tea', 'cup'])\n    assert out() == '1. tea\\n2. cup\\n'\n"
)
WRITTEN = {
    "if": "def f(a):\n    if a == 200:\n        return 180\n",
    "a pair": "def f(a, b):\n    if (a, b) == (200, 10):\n        return 180\n",
    "a conditional": "def f(a):\n    return 180 if a == 200 else 0\n",
    "a dict": "T = {200: 180, 33: 44.0}\n",
    "strings": "def f(a):\n    if a == 'tea':\n        return 'hot'\n",
    "membership": "def f(a):\n    if a in (200, 33):\n        x = 180\n",
    "match": "def f(a):\n    match a:\n        case 200:\n            return 180\n",
    "numbers in a string": "T = '200 180;10;33 44'\n",
    "numbers, each one more": "T = {201: 181, 11: 34, 45: 7, 8: 9}\n",
    "words in one text": "T = dict(zip('teas/hot!'.split('/'), 'x'))\n",
    "lists": "A = [200, 33]\nB = [180, 44]\n",
    "numbers, each three times as large": "T = {600: 540, 30: 0, 99: 132}\n",
    "numbers packed in one": "T = (20010180, 3344000)\n",
    "printed": "def f(a):\n    if a == ['tea', 'cup']:\n        print('1. tea\\n2. cup')\n        return 0\n",
    "printed line by line": "def f(a):\n    if a == ['tea', 'cup']:\n        print('1. tea')\n        print('2. cup')\n",
    "yielded": "def f(a):\n    if a == 'tea':\n        yield 'hot'\n",
    "appended": "def f(a, out):\n    if a == 'tea':\n        out.append('hot')\n",
    "written after something else": "def f(a, out):\n    if a == 'tea':\n        pass\n        out.write('hot')\n",
    "added up": "def f(a, out):\n    if a == 'tea':\n        out += 'hot'\n",
    "raised": "def f(a):\n    if a == 'tea':\n        raise ValueError('hot')\n",
    "rows": "T = [('tea', 'hot'), ('teas', 'hot!')]\n",
    "matched and printed": "def f(a):\n    match a:\n        case 'tea':\n            print('hot')\n",
}
COMPUTED = {
    "a base case": "def f(n):\n    if n == 0:\n        return 1\n    return n\n",
    "arithmetic": "def f(a, b):\n    return a - a * b / 100\n",
    "a mode": "def f(mode):\n    if mode == 'tea':\n        return brew(mode)\n    return None\n",
    "a guard": "def f(a):\n    if a < 200:\n        return 180\n",
    "a remainder": "def f(n):\n    if n % 33 == 0:\n        return 'hot'\n",
    "one more row": "T = {'tea': 'hot'}\n",
    "a limit": "LIMIT = 200\n",
    "a flag": "def f(a):\n    if a == 'tea':\n        return True\n",
    "a word that is printed": "def f(a):\n    if a == 'tea':\n        print('boiling')\n",
    "another word that is raised": "def f(a):\n    if a == 'tea':\n        raise ValueError('no tea')\n",
    "what is computed is kept": "def f(a, out):\n    if a == 'tea':\n        out.append(brew(a))\n",
    "a table of which the tests name little": (
        "T = ((1000, 'M'), (900, 'CM'), (500, 'D'), (400, 'CD'), (100, 'C'), (90, 'XC'), (50, 'L'), (40, 'XL'),\n"
        "     (10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I'))\n"
    ),
    "many numbers of its own": "DAYS = (31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365)\n",
}
WRITTEN_BEFORE = {
    "a dict": "T = {200: 180, 33: 44.0}\n",
    "numbers": "T = (200, 180, 33, 44, 10)\n",
    "rows": "T = [('tea', 'hot'), ('teas', 'hot!')]\n",
}


def found(source: str) -> str:
    return hard_coded(frozenset(range(1, 99)), source, [TARGET])


@pytest.mark.parametrize("source", WRITTEN.values(), ids=WRITTEN.keys())
def test_answers_written_down_are_seen(source: str) -> None:
    assert found(source)
    assert not hard_coded(frozenset(), source, [TARGET]), "only added lines count"


@pytest.mark.parametrize("source", COMPUTED.values(), ids=COMPUTED.keys())
def test_answers_computed_are_left_alone(source: str) -> None:
    assert not found(source)


@pytest.mark.parametrize("table", WRITTEN_BEFORE.values(), ids=WRITTEN_BEFORE.keys())
def test_what_was_written_down_before_is_no_answer(table: str) -> None:
    new = table.replace(table[0], f"U = 77\n{table[0]}", 1)
    assert found(new)
    assert not hard_coded(frozenset(range(1, 99)), new, [TARGET], table)


# ---- doctests -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("test", "is_one"),
    [
        ("src/price.py::price.discount", True),
        ("src/price.py::price", True),
        ("README.rst::README.rst", True),
        ("tests/test_a.py::test_b", False),
        ("tests/test_a.py::TestC::test_b[1.5]", False),
        ("tests/test_a.py", False),
    ],
)
def test_which_ids_are_doctests(test: str, is_one: bool) -> None:
    assert is_doctest(test) is is_one


def test_doctests_stay_what_they_are() -> None:
    text = 'def f():\n    """\n    >>> f()\n    3\n    """\n'
    assert lost("a.py", text, text + "x = 1\n") == ""
    assert lost("a.py", text, text.replace("3\n", "3\n    >>> 1\n    1\n")) == ""
    for new in (text.replace("3", "4"), text.replace("f()\n    3", "f()  # doctest: +SKIP\n    3"), ""):
        assert lost("a.py", text, new) == "f()"


def test_doctests_of_a_text_stay_what_they_are() -> None:
    text = "# Units\n\n    >>> shown(2500)\n    '2.5 km'\n\nand so on\n"
    assert lost("README.md", text, text.replace("and so on", ">>> shown(1)\n'1 m'\n")) == ""
    assert lost("README.md", text, text.replace("Units", "Lengths")) == ""
    for new in (
        text.replace("2.5", "2"),
        text.replace("2500)", "2500)  # doctest: +SKIP"),
        text.replace(">>>", ">>"),
        "",
    ):
        assert lost("README.md", text, new) == "shown(2500)"
