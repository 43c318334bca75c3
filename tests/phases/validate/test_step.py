"""The verdict on a patch: what the checks, the guard and the author of the patch contribute to it."""

from types import SimpleNamespace
from typing import Any

import pytest

from whet.domain.evidence import Evidence, GuardFinding
from whet.domain.verdict import CheckResult, Verdict
from whet.phases.validate import Claim
from whet.phases.validate.step import protected_paths, validate


def finding(rule: str, severity: str, path: str = "a.py") -> GuardFinding:
    return GuardFinding(rule=rule, severity=severity, path=path, reason=f"{path}: {rule}")


PROTECTED = finding("protected", "block", "whet.toml")
REFUSED_CONTENT = finding("tls_disabled", "block")
TO_REVIEW = finding("content_unknown", "raise")
NOTE = finding("size", "note")


class FakeCheck:
    """A check with a fixed verdict that counts its calls."""

    def __init__(self, verdict: Verdict) -> None:
        self.calls = 0
        self._verdict = verdict

    def check(self, claim: Claim) -> CheckResult:
        self.calls += 1
        return CheckResult(
            check="tests", verdict=self._verdict, reason="result", red=("t",), green=("t",), reverted=("t",)
        )


def validated(
    *guard: GuardFinding,
    by_outsider: bool,
    verdict: Verdict = Verdict.PASSED,
    trusted_tests: tuple[str, ...] = (),
) -> tuple[Evidence, FakeCheck]:
    check = FakeCheck(verdict)
    patch: Any = SimpleNamespace(base="base", tree="tree", digest="digest")
    suite: Any = SimpleNamespace(runs=0, containment=None)
    claim = Claim(patch=patch, targets={}, trusted_tests=trusted_tests, by_outsider=by_outsider)
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
        "tests: result",
        f"not covered by the proof: {PROTECTED.reason}",
        f"the guard refuses it: {REFUSED_CONTENT.reason}",
        f"needs human review: {TO_REVIEW.reason}",
    )


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
