"""Three runs of the suite: which outcomes pass, and which do not."""

from dataclasses import replace

import pytest

from whet.domain.suite import Failure, Outcome, SuiteReport
from whet.domain.verdict import CheckResult, Verdict
from whet.phases.validate.compare import compare
from whet.phases.validate.own_tests import with_edited_named
from whet.phases.validate.step import conclude

P, F, E, S, X = Outcome.PASSED, Outcome.FAILED, Outcome.ERROR, Outcome.SKIPPED, Outcome.XFAILED
XP = Outcome.XPASSED


def report(**outcomes: Outcome) -> SuiteReport:
    return SuiteReport(tree="t", outcomes=outcomes, seconds=1.0, complete=True)


def compared(
    base: dict[str, Outcome],
    green: dict[str, Outcome],
    reverted: dict[str, Outcome] | None = None,
    targets: tuple[str, ...] = ("bug",),
) -> CheckResult:
    return compare(report(**base), report(**green), report(**(reverted or base)), targets)


MUST_PASS = {
    "red, green, red": ({"bug": F, "ok": P}, {"bug": P, "ok": P}, None),
    "an error counts as red": ({"bug": E, "ok": P}, {"bug": P, "ok": P}, None),
    "another red stays red": ({"bug": F, "other": F, "ok": P}, {"bug": P, "other": F, "ok": P}, None),
    "a skip may stay a skip": ({"bug": F, "skip": S}, {"bug": P, "skip": S}, None),
    "an expected failure may stay one": ({"bug": F, "x": X}, {"bug": P, "x": X}, None),
    "a flaky other is set apart": ({"bug": F, "coin": P}, {"bug": P, "coin": F}, {"bug": F, "coin": F}),
}
MUST_NOT_PASS = {
    "still red": ({"bug": F, "ok": P}, {"bug": F, "ok": P}, None),
    "skipped instead of green": ({"bug": F, "ok": P}, {"bug": S, "ok": P}, None),
    "expected to fail instead of green": ({"bug": F, "ok": P}, {"bug": X, "ok": P}, None),
    "the target is missing": ({"bug": F, "ok": P}, {"ok": P}, None),
    "another broke": ({"bug": F, "ok": P}, {"bug": P, "ok": F}, None),
    "another is skipped now": ({"bug": F, "ok": P}, {"bug": P, "ok": S}, None),
    "another errs now": ({"bug": F, "ok": P}, {"bug": P, "ok": E}, None),
    "another is missing": ({"bug": F, "ok": P}, {"bug": P}, None),
    "an expected failure fails for real": ({"bug": F, "x": X}, {"bug": P, "x": F}, None),
    "a new id is red": ({"bug": F, "ok": P}, {"bug": P, "ok": P, "new": F}, None),
    "not red on the base": ({"bug": P, "ok": P}, {"bug": P, "ok": P}, None),
    "not there on the base": ({"ok": P}, {"bug": P, "ok": P}, None),
    "not red on revert": ({"bug": F, "ok": P}, {"bug": P, "ok": P}, {"bug": P, "ok": P}),
    "skipped on the base": ({"bug": S, "ok": P}, {"bug": P, "ok": P}, None),
}


@pytest.mark.parametrize("case", MUST_PASS.values(), ids=MUST_PASS.keys())
def test_an_honest_fix_passes(case: tuple[dict[str, Outcome], dict[str, Outcome], dict[str, Outcome] | None]) -> None:
    result = compared(*case)
    assert result.verdict is Verdict.PASSED, result.reason
    assert conclude([result])[0] is Verdict.PASSED


@pytest.mark.parametrize("case", MUST_NOT_PASS.values(), ids=MUST_NOT_PASS.keys())
def test_a_patch_that_does_less_does_not_pass(
    case: tuple[dict[str, Outcome], dict[str, Outcome], dict[str, Outcome] | None],
) -> None:
    result = compared(*case)
    assert result.verdict is not Verdict.PASSED, result
    assert conclude([result])[0] is not Verdict.PASSED


def test_without_targets_every_test_that_turned_green_is_one() -> None:
    result = compared({"a": F, "b": F, "ok": P}, {"a": P, "b": F, "ok": P}, targets=())
    assert (result.red, result.green, result.reverted) == (("a",), ("a",), ("a",))
    assert result.verdict is Verdict.PASSED


def test_a_patch_that_mends_nothing_is_inconclusive() -> None:
    result = compared({"ok": P}, {"ok": P}, targets=())
    assert result.verdict is Verdict.PASSED
    assert conclude([result])[0] is Verdict.INCONCLUSIVE


def test_a_suite_without_tests_is_inconclusive() -> None:
    empty = compared({}, {}, targets=())
    assert (empty.verdict, "see `[tests]` in whet.toml" in empty.reason) == (Verdict.INCONCLUSIVE, True)
    assert conclude([])[0] is Verdict.INCONCLUSIVE


def test_a_suite_that_does_not_import_is_inconclusive_and_names_the_error() -> None:
    failure = Failure(
        exception="ModuleNotFoundError",
        message="ModuleNotFoundError: No module named 'six'",
        text="",
        frames=(("shop.py", 1, "<module>"),),
    )
    broken = replace(report(**{"tests/test_shop.py": E}), failures={"tests/test_shop.py": failure})
    result = compare(broken, broken, broken, ())
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "shop.py:1: ModuleNotFoundError: No module named 'six' (tests/test_shop.py)" in result.reason


def test_one_failed_check_outweighs_those_that_passed() -> None:
    good = compared({"bug": F}, {"bug": P})
    bad = CheckResult(check="lint", verdict=Verdict.FAILED, reason="new violations")
    unsure = CheckResult(check="lint", verdict=Verdict.INCONCLUSIVE, reason="?")
    assert conclude([good, bad, unsure])[0] is Verdict.FAILED
    assert conclude([good, unsure])[0] is Verdict.INCONCLUSIVE


def test_other_mended_tests_are_reported_and_not_counted() -> None:
    result = compared({"bug": F, "twin": F, "ok": P}, {"bug": P, "twin": P, "ok": P})
    assert result.also_mended == ("twin",)
    assert result.held == 1


def test_an_unexpected_pass_may_become_a_pass() -> None:
    assert compared({"bug": F, "x": XP}, {"bug": P, "x": P}).verdict is Verdict.PASSED


def test_tests_that_stay_red_are_named_and_not_counted() -> None:
    base = {"bug": F, "z": F, "a": E, "twin": F, "gone": F, "coin": F, "ok": P}
    green = {"bug": P, "z": E, "a": F, "twin": P, "coin": F, "ok": P}
    result = compared(base, green, {**base, "coin": P})
    assert result.verdict is Verdict.PASSED
    assert result.still_red == ("a", "z")
    assert result.held == 1
    assert "red before and after" in result.reason


def test_a_target_that_stays_red_is_not_named_among_the_others() -> None:
    assert compared({"bug": F, "other": F}, {"bug": F, "other": F}).still_red == ("other",)


def test_a_target_that_did_not_run_on_revert_proves_nothing() -> None:
    base, green = report(bug=F, ok=P), report(bug=P, ok=P)
    result = compare(base, green, report(), ("bug",), repeated=())
    assert (result.red, result.reverted) == ((), ())
    assert result.verdict is Verdict.INCONCLUSIVE


def test_a_test_that_did_not_run_on_revert_is_held_and_not_flaky() -> None:
    base, green = report(bug=F, ok=P), report(bug=P, ok=P)
    result = compare(base, green, report(bug=F), ("bug",), repeated=("bug",))
    assert (result.verdict, result.held, result.flaky) == (Verdict.PASSED, 1, ())


def test_a_regressed_test_that_the_change_edits_is_named_with_the_way_out() -> None:
    green = {"tests/test_a.py::test_old": F, "ok": P}
    result = compared({"tests/test_a.py::test_old": P, "ok": P}, green, targets=())
    named = with_edited_named(result, ("tests/test_a.py",))
    assert named.verdict is Verdict.FAILED
    assert named.reason.startswith(result.reason)
    assert "the change edits this test: if what it now expects is right, `whet prove --trust-tests`" in named.reason
    assert with_edited_named(result, ("tests/test_b.py",)) == result
