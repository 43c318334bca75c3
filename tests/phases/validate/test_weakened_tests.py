"""Weakened tests of the base are named; tests that ask for as much or more are not."""

import pytest

from whet.domain.suite import Outcome, SuiteReport
from whet.phases.validate.weakened_tests import disabled_tests, weakened_tests


def report(**outcomes: Outcome) -> SuiteReport:
    return SuiteReport(tree="t", outcomes=outcomes, seconds=1.0, complete=True)


BEFORE = """def test_a():
    assert f(1) == 2
    assert f(2) == 4
"""
WEAKENED = {
    "an assertion less": (
        BEFORE.replace("    assert f(2) == 4\n", ""),
        "no longer asserts `f(2) == 4` (line 3 before)",
    ),
    "no value": (BEFORE.replace("== 4", "is not None"), "asserts less than `f(2) == 4` (line 3 before)"),
    "an inequality": (BEFORE.replace("== 4", "> 0"), "asserts less than `f(2) == 4`"),
    "a wider tolerance": (BEFORE.replace("== 4", "== approx(4, abs=9)"), "asserts less than `f(2) == 4`"),
    "under a condition": (
        BEFORE.replace("    assert f(2) == 4\n", "    if FAST:\n        assert f(2) == 4\n"),
        "asserts `f(2) == 4` only if `FAST` (line 4)",
    ),
    "in a try": (
        BEFORE.replace(
            "    assert f(2) == 4\n",
            "    try:\n        assert f(2) == 4\n    except AssertionError:\n        pass\n",
        ),
        "only in a `try` with handlers",
    ),
    "suppressed": (
        BEFORE.replace("    assert f(2) == 4\n", "    with suppress(AssertionError):\n        assert f(2) == 4\n"),
        "only inside `suppress(AssertionError)`",
    ),
    "in a function that nobody calls": (
        BEFORE.replace("    assert f(2) == 4\n", "    def later():\n        assert f(2) == 4\n"),
        "only if `later` is called",
    ),
    "an early return": (BEFORE.replace("    assert f(2)", "    return\n    assert f(2)"), "returns in line 3"),
}
AS_STRONG = {
    "the same": BEFORE,
    "an assertion more": BEFORE + "    assert f(3) == 6\n",
    "a comment": BEFORE.replace("    assert f(2)", "    # two\n    assert f(2)"),
    "another order": "def test_a():\n    assert f(2) == 4\n    assert f(1) == 2\n",
    "a test more": BEFORE + "\n\ndef test_b():\n    assert f(3) == 6\n",
    "a moved assertion": "def test_a():\n    assert f(1) == 2\n\n\ndef test_b():\n    assert f(2) == 4\n",
    "the same in other words": BEFORE.replace("f(2) == 4", "4 == f(1 + 1)"),
    "a name for a value": BEFORE.replace("    assert f(2)", "    number = 2\n    assert f(2)"),
}


@pytest.mark.parametrize(("after", "words"), WEAKENED.values(), ids=WEAKENED.keys())
def test_a_test_that_asserts_less_is_named(after: str, words: str) -> None:
    [sentence] = weakened_tests({"tests/test_a.py": (BEFORE, after)})
    assert sentence.startswith("tests/test_a.py::test_a ")
    assert words in sentence


@pytest.mark.parametrize("after", AS_STRONG.values(), ids=AS_STRONG.keys())
def test_a_test_that_asserts_as_much_is_not_named(after: str) -> None:
    assert weakened_tests({"tests/test_a.py": (BEFORE, after)}) == []


def test_a_method_is_named_as_pytest_names_it() -> None:
    text = "class TestIt:\n    def test_a(self):\n        self.assertEqual(f(1), 2)\n"
    [sentence] = weakened_tests({"test_a.py": (text, text.replace("self.assertEqual(f(1), 2)", "pass"))})
    assert sentence.startswith("test_a.py::TestIt::test_a no longer asserts `self.assertEqual(f(1), 2)`")


def test_a_test_that_does_not_run_any_more_is_named() -> None:
    before = report(a=Outcome.PASSED, b=Outcome.PASSED, c=Outcome.SKIPPED)
    after = report(a=Outcome.SKIPPED, b=Outcome.XFAILED, c=Outcome.SKIPPED)
    assert disabled_tests(before, after) == ["it skips a", "it expects the failure of b"]
