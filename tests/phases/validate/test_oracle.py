"""Questions that a test can be asked outside its runner, and what is made of the answers."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from whet.domain.verdict import Safeguard, Verdict
from whet.phases.validate.integrity.answers import Answer, Kind
from whet.phases.validate.integrity.class_protocols import same_manners
from whet.phases.validate.integrity.oracle import Heard, Inquiry, inquire, judge
from whet.phases.validate.integrity.questions import Case, take_apart

# ---- which tests can be asked ---------------------------------------------------------------------------------

HEAD = "import pytest, unittest\nfrom shop import price, register\n"
CAN = {
    "a table in a loop": "KNOWN = [(1, 2), (3, 4)]\ndef test_it():\n    for a, b in KNOWN:\n        assert price(a) == b\n",
    "sub-tests and a set-up that assigns": (
        "KNOWN = [(1, 2), (3, 4)]\nclass TestIt(unittest.TestCase):\n    def setUp(self):\n        self.known = KNOWN\n"
        "    def test_it(self):\n        for a, b in self.known:\n            with self.subTest(a=a):\n"
        "                self.assertEqual(price(a), b)\n"
    ),
    "async": "async def test_it():\n    got = await price(1)\n    assert got == 2\n    assert await price(3) == 4\n",
    "a pure fixture": "@pytest.fixture\ndef one():\n    return 1\ndef test_it(one):\n    assert price(one) == 2\n    assert price(3) == 4\n",
    "rows and a fixture": (
        "@pytest.fixture\ndef one():\n    return 1\n@pytest.mark.parametrize('a, b', [(1, 2)])\n"
        "def test_it(one, a, b):\n    assert price(one, a) == b\n    assert price(3) == 4\n"
    ),
    "attributes of the class": "class TestIt:\n    a = 1\n    def test_it(self):\n        assert price(self.a) == 2\n        assert price(3) == 4\n",
}  # fmt: skip
CANNOT = {
    "a set-up of the file": "def setup_module():\n    register(1)\ndef test_it():\n    assert price(1) == 2\n",
    "a fixture for all": "@pytest.fixture(autouse=True)\ndef a():\n    register(1)\ndef test_it():\n    assert price(1) == 2\n",
    "a fixture that clears up": "@pytest.fixture\ndef a():\n    yield 1\ndef test_it(a):\n    assert price(a) == 2\n",
    "a set-up that acts": "class TestIt:\n    def setup_method(self):\n        register(1)\n    def test_it(self):\n        assert price(1) == 2\n",
    "an attribute from elsewhere": "class TestIt:\n    def test_it(self):\n        assert price(self.a) == 2\n",
    "a fixture of the runner": "def test_it(tmp_path):\n    assert price(tmp_path) == 2\n",
    "a method of the runner": "class TestIt(unittest.TestCase):\n    def test_it(self):\n        self.assertLogs(price(1))\n",
}  # fmt: skip


def cases(text: str, conftest: str = "") -> list[Case]:
    asked = take_apart((HEAD + text).encode(), "", [conftest.encode()] if conftest else [])
    assert asked is not None
    return [case for cases in asked.cases.values() for case in cases if case.questions]


@pytest.mark.parametrize("text", CAN.values(), ids=CAN.keys())
def test_what_can_be_asked(text: str) -> None:
    (case,) = cases(text)
    assert [one.expected for one in case.questions] == [2, 4]
    asked = take_apart((HEAD + text).encode(), "")
    assert asked is not None
    for secret in ("= 2", "= 4", "(1, 2)", "== "):
        assert secret not in asked.imports + case.source, "what is expected stays outside"


@pytest.mark.parametrize("text", CANNOT.values(), ids=CANNOT.keys())
def test_what_cannot_be_asked(text: str) -> None:
    assert cases(text) == []


SIMPLE = "def test_it():\n    assert price(1) == 2\n"


@pytest.mark.parametrize(
    ("conftest", "can"),
    [
        ("import sys\nsys.path.insert(0, 'src')\n", True),
        ("import pytest\n@pytest.fixture\ndef other():\n    yield 1\n", True),
        ("def pytest_ignore_collect(path):\n    return False\n", True),
        ("def pytest_configure(config):\n    config.addinivalue_line('markers', 'slow')\n", True),
        ("import pytest\n@pytest.fixture(autouse=True)\ndef german(monkeypatch):\n    monkeypatch.setenv('A', 'de')\n", False),
        ("import os\nos.environ['A'] = 'de'\n", False),
        ("import shop\nshop.register(1)\n", False),
        ("def pytest_runtest_setup(item):\n    pass\n", False),
    ],
)  # fmt: skip
def test_what_is_set_up_above_a_test_counts(conftest: str, can: bool) -> None:
    assert bool(cases(SIMPLE, conftest)) is can


def test_a_helper_that_asserts_is_asked_now_and_then() -> None:
    (case,) = cases(
        "def check(found, wanted):\n    for a, b in zip(found, wanted):\n        assert a == b\n"
        "def test_it():\n    check(price(1), [2])\n"
    )
    assert case.questions[0].now_and_then


def test_an_import_that_nothing_needs_may_fail() -> None:
    asked = take_apart(b"from tests import Mixin\nfrom shop import price\n" + SIMPLE.encode(), "")
    assert asked is not None
    assert "try:\n    from tests import Mixin" in asked.imports
    assert "\nfrom shop import price" in asked.imports


# ---- what is made of the answers ------------------------------------------------------------------------------

FILE = "test_shop.py"
Said = tuple[str | None, str, str]


def said(inquiry: Inquiry, answers: list[Said]) -> list[dict[str, Any]]:
    (found,) = inquiry.targets.values()
    keys = [one.key for case in found.values() for one in case.questions]
    values = [
        {"event": "value", "key": key, "value": text, "place": place, "kind": kind}
        for key, (text, place, kind) in zip(keys, answers, strict=False)
    ]
    return [{"event": "import", "module": "0", "problem": ""}, *values]


def plain(*texts: str) -> list[Said]:
    return [(text, "library", "builtins.object") for text in texts]


def opaque(kind: str, place: str = "shop.py") -> Said:
    return None, place, kind


def judged(
    test: str,
    base: list[Said],
    patched: list[Said],
    elsewhere: list[Said] | None = None,
    base_elsewhere: list[Said] | None = None,
    is_known: Callable[[str, str], bool] = lambda path, name: False,
) -> Safeguard:
    source = f"{HEAD}import shop\nfrom datetime import date\nfrom decimal import Decimal\ndef test_it():\n    {test}\n"
    ids = [f"{FILE}::test_it"]
    inquiry = inquire(ids, [], ids, {FILE: source.encode()}.get)
    heard = Heard(
        said(inquiry, base),
        said(inquiry, patched),
        said(inquiry, patched if elsewhere is None else elsewhere),
        lambda: said(inquiry, base if base_elsewhere is None else base_elsewhere),
        is_known,
    )
    return judge(inquiry, heard)


EQUAL = "assert price(1) == 2"
FINE: dict[str, Callable[[], Safeguard]] = {
    "the value": partial(judged, EQUAL, plain("1"), plain("2")),
    "a number of a library": partial(judged, EQUAL, plain("1"), plain("Decimal('2.0')")),
    "a class that the base gave as well": partial(judged, EQUAL, [opaque("Money")], [opaque("Money")]),
    "a class that is as it was": partial(
        judged, EQUAL, plain("None"), [opaque("V")], is_known=lambda path, name: name == "V"
    ),
    "a new class on both sides": partial(
        judged, "assert price(1) == price(2)", [], [*plain("True"), opaque("V"), opaque("V")]
    ),
    "a new class that the test names": partial(judged, "assert 1 in shop.Box()", [], [*plain("True"), opaque("Box")]),
    "a subset": partial(judged, "assert price(1) <= {1, 2}", plain("False", "{3}"), plain("True", "{1}")),
    "empty before as well": partial(judged, "assert price(1) <= {1}", plain("True", "set()"), plain("True", "set()")),
    "what depends on the zone on the base too": partial(
        judged, EQUAL, plain("1"), plain("2"), elsewhere=plain("3"), base_elsewhere=plain("5")
    ),
    "other words that match": partial(
        judged,
        "with pytest.raises(ValueError, match='not a'): price(1)",
        plain("[]"),
        plain("['ValueError']", "'is not a word'"),
    ),
}
DOUBTFUL: dict[str, Callable[[], Safeguard]] = {
    "another value": partial(judged, EQUAL, plain("1"), plain("3")),
    "nothing": partial(judged, EQUAL, plain("1"), []),
    "a class of its own": partial(judged, EQUAL, plain("1"), [opaque("Liar")]),
    "a class that nobody holds": partial(judged, EQUAL, plain("1"), [opaque("int", "")]),
    "a class of a library": partial(judged, EQUAL, plain("1"), [opaque("numpy.ma.core.MaskedArray", "library")]),
    "a class in the place of a date": partial(
        judged,
        "assert price(1) == date(2024, 3, 5)",
        plain("False", "datetime.date(2024, 3, 6)", "datetime.date(2024, 3, 5)"),
        [*plain("True"), opaque("Day"), *plain("datetime.date(2024, 3, 5)")],
    ),
    "what the test works out alone": partial(
        judged,
        "assert price(1) == Decimal(1) * Decimal(2)",
        plain("False", "Decimal('1')", "Decimal('2')"),
        plain("True", "Decimal('Infinity')", "Decimal('Infinity')"),
    ),
    "no end": partial(
        judged, "assert 7 in price(1)", plain("False", "[1]"), [*plain("True"), opaque("itertools.count", "library")]
    ),
    "nothing is a subset": partial(judged, "assert price(1) <= {1, 2}", plain("False", "{3}"), plain("True", "set()")),
    "all of nothing": partial(
        judged, "assert all(one > 1 for one in price(1))", plain("False", "[0]"), plain("True", "[]")
    ),
    "only here": partial(judged, EQUAL, plain("1"), plain("2"), elsewhere=plain("3")),
    "other words": partial(
        judged, "with pytest.raises(ValueError, match='not a'): price(1)", plain("[]"), plain("['ValueError']", "'no'")
    ),
}


@pytest.mark.parametrize("ask", FINE.values(), ids=FINE.keys())
def test_what_passes(ask: Callable[[], Safeguard]) -> None:
    assert ask().verdict is Verdict.PASSED, ask()


@pytest.mark.parametrize("ask", DOUBTFUL.values(), ids=DOUBTFUL.keys())
def test_what_is_doubtful(ask: Callable[[], Safeguard]) -> None:
    assert ask().verdict is Verdict.INCONCLUSIVE, ask()


FORGED = [
    "",
    "(",
    "\0",
    "exec('x')",
    "Decimal('sNaN')",
    "Fraction(1, 0)",
    "Fraction('1e999999999')",
    "{[]: 1}",
    "Decimal('1e999999')",
    "(" * 300,
]


@pytest.mark.parametrize("text", FORGED)
@pytest.mark.parametrize("array", [False, True])
def test_an_answer_that_is_no_data_is_wrong_and_breaks_nothing(text: str, *, array: bool) -> None:
    answer = Answer(text, Kind("", ""), array)
    assert not answer.is_(2, near=False)
    assert not answer.is_(2, near=True)
    assert not answer.is_([2], near=True)
    assert not answer.hollow
    assert not answer.says("a word")


# ---- classes that are as they were ----------------------------------------------------------------------------

OLD = (
    "def plain(one):\n    return str(one)\n\nclass V:\n    def __eq__(self, other):\n        return plain(self) == plain(other)\n"
    "    def bump(self):\n        return None\n"
)  # fmt: skip


@pytest.mark.parametrize(
    ("new", "same"),
    [
        (OLD, True),
        (OLD.replace("return None", "return V()"), True),
        (OLD.replace("return plain(self) == plain(other)", "return True"), False),
        (OLD.replace("return str(one)", "return ''"), False),
        (OLD + "    def __hash__(self):\n        return 1\n", False),
        (OLD.replace("class V:", "class V(Any):"), False),
        (OLD + "V.__eq__ = lambda self, other: True\n", False),
        (OLD + "V = make()\n", False),
        (OLD.replace("class V", "class W"), False),
    ],
)
def test_a_class_is_known_by_what_it_does_towards_others(new: str, same: bool) -> None:
    assert same_manners(OLD, new, "V") is same
