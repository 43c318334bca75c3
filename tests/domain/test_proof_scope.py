"""A verdict says in one paragraph what was proved and what was not looked at."""

from dataclasses import replace

import pytest

from whet.domain.proof_scope import scope_of
from whet.domain.verdict import CheckResult, SafeguardResult, Verdict

PASSED, FAILED, INCONCLUSIVE = Verdict.PASSED, Verdict.FAILED, Verdict.INCONCLUSIVE
SILENT = tuple(SafeguardResult(f"s{number}", PASSED, "fine") for number in range(9))
TWO = CheckResult(
    check="tests", verdict=PASSED, reason="", red=("a", "b"), green=("a", "b"), reverted=("a", "b"), held=454, safeguards=SILENT
)  # fmt: skip
ALWAYS = "speed; inputs that no test uses."
LINT = CheckResult(check="lint", verdict=PASSED, reason="no new violations")


def noting(*notes: str) -> CheckResult:
    return replace(TWO, safeguards=(*SILENT, SafeguardResult("s", None, "", notes)))


PARAGRAPHS = {
    "several tests": (TWO, "Proved: 2 tests were red without the patch, green with it and red again on revert; 454 other tests "
        f"did what they did before; 9 safeguards saw nothing suspicious. Not looked at: {ALWAYS}"),
    "one of each": (replace(TWO, red=("a",), green=("a",), reverted=("a",), held=1, safeguards=SILENT[:1]),
        "Proved: 1 test was red without the patch, green with it and red again on revert; 1 other test did what it did before; "
        f"1 safeguard saw nothing suspicious. Not looked at: {ALWAYS}"),
    "thousands": (replace(TWO, held=4600), "4,600 other tests did what they did before"),
    "further tests turned green": (replace(TWO, also_mended=("c",)), "; 1 other red test turned green too; "),
    "a note of a safeguard": (noting("one new line that no test runs (stats.py:12)."),
        f"Not looked at: one new line that no test runs (stats.py:12); {ALWAYS}"),
    "the same note twice": (noting("the same", "the same"), f"Not looked at: the same; {ALWAYS}"),
    "flaky tests": (replace(TWO, flaky=("x",)), f"Not looked at: 1 flaky test (x); {ALWAYS}"),
    "many flaky tests": (replace(TWO, flaky=tuple("vwxyz")), "5 flaky tests (v, w, x and 2 more); "),
    "a test that stays red": (replace(TWO, still_red=("x",)), "1 test that stays red (x); "),
    "tests that stay red": (replace(TWO, still_red=("x", "y")), "2 tests that stay red (x, y); "),
    "a runner without safeguards": (replace(TWO, safeguards=()), "Not looked at: whether the patch fools its tests"),
    "another check": (LINT, f"Proved: lint: no new violations. Not looked at: {ALWAYS}"),
}  # fmt: skip


@pytest.mark.parametrize(("check", "words"), PARAGRAPHS.values(), ids=PARAGRAPHS.keys())
def test_the_paragraph_is_made_from_the_facts(check: CheckResult, words: str) -> None:
    assert words in scope_of(PASSED, [check]).text


@pytest.mark.parametrize("verdict", [FAILED, INCONCLUSIVE])
def test_only_a_passed_verdict_calls_its_facts_proved(verdict: Verdict) -> None:
    text = scope_of(verdict, [TWO]).text
    assert text.startswith("Shown, but not proved: 2 tests were red")
    assert scope_of(verdict, [TWO]).shown == scope_of(PASSED, [TWO]).shown


def test_targets_that_are_not_red_green_red_are_not_shown() -> None:
    assert not any("red" in clause for clause in scope_of(FAILED, [replace(TWO, green=("a",))]).shown)
    assert scope_of(FAILED, [replace(LINT, verdict=FAILED)]).shown == ()


def test_a_proof_without_checks_shows_nothing() -> None:
    assert scope_of(INCONCLUSIVE, []).text == f"Not looked at: {ALWAYS}"


def test_a_question_for_a_person_stands_first() -> None:
    scope = scope_of(INCONCLUSIVE, [replace(TWO, flaky=("x",))], ["no test says what f(1) should be"])
    assert scope.not_examined[:2] == ("no test says what f(1) should be", "1 flaky test (x)")


def test_a_safeguard_that_did_not_apply_is_not_counted_as_silent() -> None:
    checks = [replace(TWO, safeguards=(*SILENT[:2], SafeguardResult("x", None, "nothing to ask")))]
    assert "2 safeguards saw nothing suspicious" in scope_of(PASSED, checks).text
