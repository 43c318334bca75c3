"""Which tests can be run without the test runner, and what their scripts ask for."""

import pytest

from whet.phases.validate.integrity.oracle.script import Comparison, Script
from whet.phases.validate.integrity.oracle.scripts_from_tests import scripts_of_tests

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


def test_the_scripts_of_a_test_file() -> None:
    file = scripts_of_tests(FILE, "tests")
    assert file is not None
    assert {name: len(scripts) for name, scripts in file.scripts.items() if scripts[0].queries} == {
        "test_plain": 1, "test_rows": 2, "test_helper": 1, "TestIt::test_method": 1,
    }  # fmt: skip
    plain = file.scripts["test_plain"][0]
    assert [query.expected for query in plain.queries if not query.side] == [5, 7, [1, 2], True, "ValueError"]
    assert [script.queries[0].expected for script in file.scripts["test_rows"]] == [2, 4]
    assert file.scripts["TestIt::test_method"][0].queries[0].comparison is Comparison.NEAR


def test_expected_values_are_not_in_the_scripts() -> None:
    file = scripts_of_tests(FILE, "tests")
    assert file is not None
    inside = file.imports + "".join(script.source for scripts in file.scripts.values() for script in scripts)
    for secret in ("== 5", "7 ==", "[1, 2]", "b = 2", "b = 4", "== 9", "1.5", "ValueError", "pytest"):
        assert secret not in inside


def test_relative_imports_become_absolute() -> None:
    file = scripts_of_tests(FILE, "pkg.tests")
    assert file is not None
    assert "from pkg.tests.near import other" in file.imports
    assert "near" not in scripts_of_tests(FILE, "").imports  # type: ignore[union-attr]


# ---- tests with and without a script ----------------------------------------------------------------------------

HEAD = "import pytest, unittest\nfrom shop import price, register\n"
SCRIPTABLE = {
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
NOT_SCRIPTABLE = {
    "a set-up of the file": "def setup_module():\n    register(1)\ndef test_it():\n    assert price(1) == 2\n",
    "a fixture for all": "@pytest.fixture(autouse=True)\ndef a():\n    register(1)\ndef test_it():\n    assert price(1) == 2\n",
    "a fixture that clears up": "@pytest.fixture\ndef a():\n    yield 1\ndef test_it(a):\n    assert price(a) == 2\n",
    "a set-up that acts": "class TestIt:\n    def setup_method(self):\n        register(1)\n    def test_it(self):\n        assert price(1) == 2\n",
    "an attribute from elsewhere": "class TestIt:\n    def test_it(self):\n        assert price(self.a) == 2\n",
    "a fixture of the runner": "def test_it(tmp_path):\n    assert price(tmp_path) == 2\n",
    "a method of the runner": "class TestIt(unittest.TestCase):\n    def test_it(self):\n        self.assertLogs(price(1))\n",
}  # fmt: skip


def scripts_of(text: str, conftest: str = "") -> list[Script]:
    file = scripts_of_tests((HEAD + text).encode(), "", [conftest.encode()] if conftest else [])
    assert file is not None
    return [script for scripts in file.scripts.values() for script in scripts if script.queries]


@pytest.mark.parametrize("text", SCRIPTABLE.values(), ids=SCRIPTABLE.keys())
def test_a_test_that_needs_no_runner_gets_a_script(text: str) -> None:
    (script,) = scripts_of(text)
    assert [query.expected for query in script.queries] == [2, 4]
    file = scripts_of_tests((HEAD + text).encode(), "")
    assert file is not None
    for secret in ("= 2", "= 4", "(1, 2)", "== "):
        assert secret not in file.imports + script.source, "expected values stay outside"


@pytest.mark.parametrize("text", NOT_SCRIPTABLE.values(), ids=NOT_SCRIPTABLE.keys())
def test_a_test_that_needs_the_runner_gets_no_script(text: str) -> None:
    assert scripts_of(text) == []


SIMPLE = "def test_it():\n    assert price(1) == 2\n"


@pytest.mark.parametrize(
    ("conftest", "scriptable"),
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
def test_a_conftest_that_sets_something_up_prevents_scripts(conftest: str, scriptable: bool) -> None:
    assert bool(scripts_of(SIMPLE, conftest)) is scriptable


def test_the_assertions_in_a_loop_of_a_helper_are_conditional_queries() -> None:
    (script,) = scripts_of(
        "def check(found, wanted):\n    for a, b in zip(found, wanted):\n        assert a == b\n"
        "def test_it():\n    check(price(1), [2])\n"
    )
    assert script.queries[0].conditional


def test_an_import_that_no_script_needs_may_fail() -> None:
    file = scripts_of_tests(b"from tests import Mixin\nfrom shop import price\n" + SIMPLE.encode(), "")
    assert file is not None
    assert "try:\n    from tests import Mixin" in file.imports
    assert "\nfrom shop import price" in file.imports
