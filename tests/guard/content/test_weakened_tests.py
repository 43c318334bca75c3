import pytest

from tests.guard.content.rows import remarks
from whet.guard.content.passage import Passage
from whet.guard.content.weakened_tests import weakened_tests

OLD = """import pytest
def helper():
    assert 1 == x
def test_a():
    assert f(1) == 2
    assert f(2) == 3
class TestB:
    def test_b(self):
        self.assertEqual(f(3), 4)
def test_c():
    with pytest.raises(ValueError):
        f(-1)
"""
QUIET = {
    "nothing": OLD,
    "a test more": OLD + "def test_d():\n    assert f(9) == 1\n",
    "an assertion more": OLD.replace("assert f(2) == 3", "assert f(2) == 3\n    assert f(2)"),
    "a helper less": OLD.replace("def helper():\n    assert 1 == x\n", ""),
    "another expectation": OLD.replace("== 3", "== 4"),
    "another attribute": OLD + "x.other\n",
    "a variable that skips": OLD + "skipped = 1\n",
}
SPEAKS = {
    "a test less": OLD.replace("def test_c", "def check_c"),
    "an assertion less": OLD.replace("    assert f(2) == 3\n", ""),
    "a method less": OLD.replace("        self.assertEqual(f(3), 4)", "        f(3)"),
    "no raises": OLD.replace("with pytest.raises(ValueError):", "if True:"),
    "a mark": OLD.replace("def test_c", "@pytest.mark.skip\ndef test_c"),
    "a condition": OLD.replace("def test_c", "@pytest.mark.skipif(True, reason='x')\ndef test_c"),
    "an expected failure": OLD.replace("def test_c", "@pytest.mark.xfail\ndef test_c"),
    "a call": OLD.replace("    with pytest.raises", "    pytest.skip('later')\n    with pytest.raises"),
    "by import": OLD + "from unittest import skip\n@skip('x')\ndef test_e():\n    assert f(1)\n",
    "always true": OLD.replace("f(2) == 3", "True"),
    "always a text": OLD.replace("f(2) == 3", "'f(2) == 3'"),
    "equal to itself": OLD.replace("f(2) == 3", "f(2) == f(2)"),
}


@pytest.mark.parametrize("new", QUIET.values(), ids=QUIET.keys())
def test_an_ordinary_change_to_tests_is_not_remarked_on(new: str) -> None:
    assert remarks(weakened_tests, new, OLD, is_test=True) == set()


@pytest.mark.parametrize("new", SPEAKS.values(), ids=SPEAKS.keys())
def test_a_weakened_test_raises_the_tier(new: str) -> None:
    assert remarks(weakened_tests, new, OLD, is_test=True) == {("raise", "weakened_test")}
    assert remarks(weakened_tests, new, OLD, is_test=False) == set()
    assert remarks(weakened_tests, new, new, is_test=True) == set()


@pytest.mark.parametrize(
    "word",
    ["skip", "skipif", "skipIf", "skipUnless", "xfail", "expectedFailure", "SkipTest", "importorskip", "skipTest"],
)
def test_every_way_to_skip_a_test_is_recognised(word: str) -> None:
    assert remarks(weakened_tests, f"{OLD}x.{word}\n", OLD, is_test=True)
    assert remarks(weakened_tests, f"{OLD}{word}\n", OLD, is_test=True)


@pytest.mark.parametrize(
    "call",
    [
        "pytest.raises(E)",
        "pytest.warns(E)",
        "self.fail()",
        "pytest.deprecated_call()",
        "self.assertTrue(x)",
        "assert_that(x)",
    ],
)
def test_every_kind_of_assertion_is_counted(call: str) -> None:
    old = f"def test_a():\n    {call}\n"
    assert remarks(weakened_tests, "def test_a():\n    other()\n", old, is_test=True)
    assert not remarks(weakened_tests, old + "x = 1\n", old, is_test=True)


def test_the_remark_names_the_test_and_its_line() -> None:
    gone = list(weakened_tests(Passage("tests/a.py", OLD, OLD.replace("def test_c", "def check_c"), is_test=True)))
    assert [(remark.line, remark.what) for remark in gone] == [(1, "removes `test_c`")]
    less = list(weakened_tests(Passage("tests/a.py", OLD, OLD.replace("    assert f(2) == 3\n", ""), is_test=True)))
    assert [(remark.line, remark.what) for remark in less] == [(4, "has fewer assertions in `test_a`: 1, 2 before")]
