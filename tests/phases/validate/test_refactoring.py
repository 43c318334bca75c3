"""A refactoring passes only if everything that changed was asked, and answered as before."""

from dataclasses import replace

import pytest

from whet.domain.proved_claim import ProvedClaim
from whet.domain.verdict import CheckResult, SafeguardResult, Verdict
from whet.phases.validate.refactoring import judge_refactoring

OLD = '"""Prices."""\n\nRATE = 2\n\n\nclass Till:\n    def add(self, price):\n        return price * RATE\n\n\ndef cheapest(prices):\n    return min(prices)\n'
HELD = SafeguardResult("varied inputs", Verdict.PASSED, "behaviour held on 46 varied inputs of 1 changed function")
RESULT = CheckResult(check="tests", verdict=Verdict.PASSED, reason="3 others held", held=3, safeguards=(HELD,))
NEW = OLD.replace("return min(prices)", "lowest = min(prices)\n    return lowest")


def judge(
    result: CheckResult = RESULT, new: str = NEW, path: str = "price.py", own_red: tuple[str, ...] = ()
) -> CheckResult:
    return judge_refactoring(result, {path: (OLD, new)}, own_red)


MUST_PASS = {
    "another body": NEW,
    "a new function": NEW.replace("lowest = min(prices)", "lowest = _low(prices)")
    + "\n\ndef _low(x):\n    return min(x)\n",
    "a new import": "import math\n" + NEW,
    "a docstring": NEW.replace('"""Prices."""', '"""Prices of things."""'),
    "an ordinary literal": OLD.replace("min(prices)", "sorted(prices)[0]"),
}
MUST_NOT = {
    "a constant": (NEW.replace("RATE = 2", "RATE = 2.0"), "statements of the module"),
    "a parameter": (NEW.replace("cheapest(prices)", "cheapest(prices, key=None)"), "`cheapest` changed"),
    "a function that is gone": (NEW.replace("def cheapest", "def lowest"), "`cheapest` is gone"),
    "a base class": (NEW.replace("class Till:", "class Till(dict):"), "`Till` changed"),
    "a method that is gone": (NEW.replace("def add", "def plus"), "`Till.add` is gone"),
    "a bound": (OLD.replace("min(prices)", "min(prices[:5])"), "the new literal 5"),
    "no Python": (NEW.replace("def ", "def def "), "cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("new", MUST_PASS.values(), ids=MUST_PASS.keys())
def test_changed_bodies_that_answer_as_before_are_a_refactoring(new: str) -> None:
    result = judge(new=new)
    assert (result.verdict, result.claim) == (Verdict.PASSED, ProvedClaim.REFACTORING), result.reason


@pytest.mark.parametrize(("new", "words"), MUST_NOT.values(), ids=MUST_NOT.keys())
def test_a_change_beyond_bodies_is_not(new: str, words: str) -> None:
    result = judge(new=new)
    assert (result.verdict, result.claim) == (Verdict.INCONCLUSIVE, None)
    assert words in result.reason


def test_a_file_that_is_not_python_is_not_covered() -> None:
    assert "data.json is not Python" in judge(path="data.json").reason
    assert judge(path="README.md").verdict is Verdict.PASSED


@pytest.mark.parametrize(
    ("safeguards", "words"),
    [
        ((), "were not asked with other inputs"),
        ((replace(HELD, words="46 varied inputs of 1 changed function: 44 answered as on the base, 2 differently"),), "2 differently"),
        ((replace(HELD, notes=("`cheapest` (price.py, line 5) was not asked",)),), "was not asked"),
        ((replace(HELD, verdict=None, words="no test names a changed function or its module"),), "no test names"),
    ],
)  # fmt: skip
def test_behaviour_that_was_not_seen_to_hold_everywhere_is_not_enough(
    safeguards: tuple[SafeguardResult, ...], words: str
) -> None:
    result = judge(replace(RESULT, safeguards=safeguards))
    assert result.verdict is Verdict.INCONCLUSIVE
    assert words in result.reason


def test_a_test_that_turns_green_contradicts_it() -> None:
    assert "tests/test_a.py::test_b is red without" in judge(own_red=("tests/test_a.py::test_b",)).reason
    assert judge(replace(RESULT, red=("tests/test_a.py::test_c",))).verdict is Verdict.INCONCLUSIVE


def test_a_failure_stays_a_failure() -> None:
    failed = replace(RESULT, verdict=Verdict.FAILED)
    assert judge(failed) is failed
