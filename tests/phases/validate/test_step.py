"""The verdict on a patch: what the checks, the guard and the author of the patch contribute to it."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from whet.domain.evidence import Evidence, GuardFinding
from whet.domain.undecided_call import BASE, PATCH, PossibleAnswer, UndecidedCall
from whet.domain.verdict import CheckResult, SafeguardResult, Verdict
from whet.guard.denied.rule import CODE as CATEGORY_DENIED
from whet.phases.validate import Claim
from whet.phases.validate.step import conclude, doubts_about_part, protected_paths, validate


def finding(rule: str, severity: str, path: str = "a.py") -> GuardFinding:
    return GuardFinding(rule=rule, severity=severity, path=path, reason=f"{path}: {rule}")


PROTECTED = finding("protected", "block", "whet.toml")
REFUSED_CONTENT = finding("tls_disabled", "block")
TO_REVIEW = finding("content_unknown", "raise")
NOTE = finding("size", "note")


class FakeCheck:
    """A check with a fixed verdict that counts its calls."""

    def __init__(self, verdict: Verdict, safeguards: tuple[SafeguardResult, ...] = ()) -> None:
        self.calls = 0
        self._verdict, self._safeguards = verdict, safeguards

    def check(self, claim: Claim) -> CheckResult:
        self.calls += 1
        return CheckResult(
            check="tests",
            verdict=self._verdict,
            reason="result",
            red=("t",),
            green=("t",),
            reverted=("t",),
            safeguards=self._safeguards,
        )


def validated(
    *guard: GuardFinding,
    by_outsider: bool = False,
    foreign: bool = False,
    verdict: Verdict = Verdict.PASSED,
    trusted_tests: tuple[str, ...] = (),
    undecided: UndecidedCall | None = None,
    safeguards: tuple[SafeguardResult, ...] = (),
) -> tuple[Evidence, FakeCheck]:
    check = FakeCheck(verdict, safeguards)
    patch: Any = SimpleNamespace(base="base", tree="tree", digest="digest")
    suite: Any = SimpleNamespace(runs=0, containment=None)
    claim = Claim(
        patch=patch,
        targets={},
        trusted_tests=trusted_tests,
        by_outsider=by_outsider,
        foreign=foreign,
        undecided=undecided,
    )
    return validate(claim, {"tests": check}, guard, suite, "policy", "proposal", "signature"), check


def test_a_refusal_of_whets_own_patch_fails_it_and_nothing_runs() -> None:
    evidence, check = validated(PROTECTED, NOTE, by_outsider=False)
    assert (evidence.verdict, evidence.reasons) == (Verdict.FAILED, (PROTECTED.reason,))
    assert check.calls == 0
    assert evidence.guard == (PROTECTED, NOTE)


@pytest.mark.parametrize("refusal", [PROTECTED, REFUSED_CONTENT, finding("protected", "unheard-of")])
def test_a_refusal_of_an_outsiders_patch_raises_the_tier_and_is_inconclusive(refusal: GuardFinding) -> None:
    evidence, check = validated(refusal, NOTE, by_outsider=True)
    assert evidence.verdict is Verdict.INCONCLUSIVE
    assert check.calls == 1
    assert [finding.severity for finding in evidence.guard] == ["raise", "note"]


def test_the_reasons_tell_protected_paths_from_refused_content() -> None:
    evidence, _ = validated(TO_REVIEW, REFUSED_CONTENT, PROTECTED, NOTE, by_outsider=True)
    assert evidence.reasons == (
        f"not covered by the proof: {PROTECTED.reason}",
        f"the guard refuses it: {REFUSED_CONTENT.reason}",
        f"needs human review: {TO_REVIEW.reason}",
        "tests: result",
    )


def test_the_deciding_reasons_stand_first() -> None:
    lint, tests = (
        CheckResult(check=name, verdict=Verdict.PASSED, reason="fine", red=("t",), green=("t",), reverted=("t",))
        for name in ("lint", "tests")
    )
    doubtful, failed = replace(tests, verdict=Verdict.INCONCLUSIVE), replace(tests, verdict=Verdict.FAILED)
    assert conclude([lint, failed])[1] == ("tests: fine", "lint: fine")
    assert conclude([lint, doubtful], ["doubt"])[1] == ("tests: fine", "doubt", "lint: fine")
    assert conclude([lint], ["doubt"])[1] == ("doubt", "lint: fine")
    assert conclude([replace(lint, red=())])[1][0].startswith("nothing that was red")


def test_a_failed_check_stays_failed_without_further_reasons() -> None:
    evidence, _ = validated(PROTECTED, TO_REVIEW, by_outsider=True, verdict=Verdict.FAILED)
    assert (evidence.verdict, evidence.reasons) == (Verdict.FAILED, ("tests: result",))


def test_content_to_review_raises_no_doubt_about_whets_own_patch_or_a_trusted_test() -> None:
    assert validated(TO_REVIEW, by_outsider=False)[0].verdict is Verdict.PASSED
    assert validated(TO_REVIEW, by_outsider=True)[0].verdict is Verdict.INCONCLUSIVE
    assert validated(TO_REVIEW, by_outsider=True, trusted_tests=("a.py",))[0].verdict is Verdict.PASSED


def test_only_refused_paths_are_restored_from_the_base() -> None:
    findings = [PROTECTED, REFUSED_CONTENT, TO_REVIEW, NOTE, finding("too_large", "block", "")]
    assert protected_paths(findings) == ("whet.toml",)


def test_a_denied_kind_of_change_is_run_and_leaves_the_verdict_open() -> None:
    denied = finding(CATEGORY_DENIED, "block", "src/auth.py")
    assert protected_paths([denied]) == ()
    evidence, _ = validated(denied, by_outsider=True)
    assert (evidence.verdict, evidence.guard[0].severity) == (Verdict.INCONCLUSIVE, "raise")
    assert any(reason == f"the guard refuses it: {denied.reason}" for reason in evidence.reasons)
    assert validated(denied, by_outsider=False)[0].verdict is Verdict.FAILED


def test_an_undecided_call_leaves_the_verdict_open_and_stands_first() -> None:
    answers = (PossibleAnswer(text="1", patches=("digest",)), PossibleAnswer(text="2", patches=("rival",)))
    undecided = UndecidedCall(call="f(0)", function="f", path="a.py", answers=answers)
    evidence, _ = validated(by_outsider=False, undecided=undecided)
    assert evidence.verdict is Verdict.INCONCLUSIVE
    assert evidence.reasons == (undecided.sentence, "tests: result")
    assert evidence.undecided == undecided
    assert replace(evidence, undecided=None).digest != evidence.digest


def test_the_question_of_a_safeguard_is_put_to_the_reviewer_of_an_outsiders_patch() -> None:
    answers = (PossibleAnswer(text="1", patches=(PATCH,)), PossibleAnswer(text="2", patches=(BASE,)))
    asked = UndecidedCall(call="f(0)", function="f", path="a.py", answers=answers)
    doubt = SafeguardResult("varied inputs", Verdict.INCONCLUSIVE, "words", question=asked)
    evidence, _ = validated(by_outsider=True, verdict=Verdict.INCONCLUSIVE, safeguards=(doubt,))
    assert evidence.undecided is not None
    assert [answer.patches for answer in evidence.undecided.answers] == [("digest",), (BASE,)]
    assert evidence.reasons == ("tests: result",)
    own, _ = validated(by_outsider=False, verdict=Verdict.INCONCLUSIVE, safeguards=(doubt,))
    assert own.undecided is None  # a gate would offer to answer it, and no rival patch waits for the answer
    assert validated(by_outsider=True, safeguards=(doubt,))[0].undecided is None


def test_an_undecided_call_does_not_save_a_patch_that_failed() -> None:
    undecided = UndecidedCall(call="f(0)", function="f", path="a.py", answers=())
    evidence, _ = validated(by_outsider=False, verdict=Verdict.FAILED, undecided=undecided)
    assert (evidence.verdict, evidence.reasons) == (Verdict.FAILED, ("tests: result",))


def test_a_patch_that_leaves_targets_of_its_finding_red_is_inconclusive_and_names_them() -> None:
    claim = Claim(patch=cast("Any", None), targets={"tests": ("t", "u", "v")}, left_red=("u", "v"))
    assert claim.targets_of("tests") == ("t",)
    result = CheckResult(check="tests", verdict=Verdict.PASSED, reason="", still_red=("u", "other"))
    [doubt] = doubts_about_part(claim, [result])
    assert doubt == "it fixes only a part: u should have the same cause, and is red before and after"
    assert doubts_about_part(claim, [replace(result, still_red=("other",))]) == ()


def test_what_a_model_wrote_needs_review_where_it_can_deceive_the_proof() -> None:
    evidence, check = validated(TO_REVIEW, foreign=True)
    assert (evidence.verdict, check.calls) == (Verdict.INCONCLUSIVE, 1)
    assert evidence.reasons[0] == "needs human review: a.py: content_unknown"
    assert validated(TO_REVIEW)[0].verdict is Verdict.PASSED, "whet's own edits come from a fixed grammar"
    assert validated(TO_REVIEW, foreign=True, trusted_tests=("a.py",))[0].verdict is Verdict.PASSED
    assert validated(PROTECTED, foreign=True)[0].verdict is Verdict.FAILED, "a refusal stays one"
