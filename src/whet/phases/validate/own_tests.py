"""The tests that a patch brings or edits: run with the patch and without it, and reported.

They never count as evidence for the patch that brings them. They will be merged with it, so what they do to the other
tests counts against it.
"""

from collections.abc import Iterable
from dataclasses import replace

from whet.domain.plural import count
from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import CheckResult, SafeguardResult, Verdict
from whet.kit import Kit
from whet.phases.validate import Claim
from whet.phases.validate.compare import list_tests
from whet.phases.validate.integrity.planted_file import without_planted
from whet.phases.validate.integrity.safeguards.bundled_tests import changed_outcomes, judge_bundled
from whet.phases.validate.integrity.safeguards.planted_tests import judge_planted
from whet.phases.validate.integrity.subject import Reports
from whet.phases.validate.integrity.test_ids import split_id
from whet.phases.validate.split_run import run_all
from whet.phases.validate.suite_run import failed_check, run_suite, with_safeguards
from whet.phases.validate.trees import Trees


def with_own_tests(result: CheckResult, claim: Claim, trees: Trees, reports: Reports, kit: Kit) -> CheckResult:
    """Run the suite with the patch's own test files and add what it shows to the result."""
    base, planted = reports.base, reports.planted
    whole = run_all(kit, claim.patch.tree, "with its own tests", base, planted)
    if not whole.complete:
        return failed_check(f"with the change's own tests the suite {whole.problem}")
    with_own = without_planted(whole, planted)
    removed = sorted(test for test in base.passed if test not in with_own.outcomes)
    if removed:
        reason = f"it removes tests: {list_tests(removed)}"
        return replace(result, verdict=Verdict.FAILED, missing=tuple(removed), reason=reason)
    broken = sorted(with_own.red - base.red)
    if broken:
        return replace(result, verdict=Verdict.FAILED, reason=f"its own tests fail: {list_tests(broken)}")
    result = _report_brought(result, claim, trees, sorted(with_own.passed - base.outcomes.keys()), kit)
    safeguards = [judge_planted(planted, whole, reports.reverted)] if planted else []
    safeguards.append(_judge_bundled(claim, trees, reports, with_own, result.flaky, kit))
    return with_safeguards(result, safeguards)


def _report_brought(result: CheckResult, claim: Claim, trees: Trees, brought: list[str], kit: Kit) -> CheckResult:
    """Report the tests that the patch brings, and which of them fail on the code of the base.

    Their whole files run there. A single id that the base cannot collect would keep the runner from starting.
    """
    tree = kit.git.with_entries(trees.base, claim.patch.tree, trees.own_tests)
    files = sorted({split_id(test)[0] for test in brought})
    without = run_suite(kit, tree, "its tests, base code", files).outcomes if files else {}
    red = [test for test in brought if without.get(test, Outcome.ERROR) is not Outcome.PASSED]
    details = {
        **result.details, "brought_tests": brought, "brought_red_on_base": red, "from_base": trees.own_tests,
    }  # fmt: skip
    reason = result.reason + f"; it brings {count(len(brought), 'test')}, {len(red)} of them red without it"
    if brought and not result.red:
        reason += ", which do not count as evidence for the change that brought them (--trust-tests vouches for them)"
    if others := [path for path in trees.own_tests if not kit.is_test(path)]:
        reason += f"; files that tests use were taken from the base: {list_tests(others)}"
    return replace(result, details=details, reason=reason)


def _judge_bundled(
    claim: Claim, trees: Trees, reports: Reports, with_own: SuiteReport, flaky: Iterable[str], kit: Kit
) -> SafeguardResult:
    """Judge whether the patch's tests change the outcomes of others; a changed outcome must show in two runs."""
    patched = without_planted(reports.patched, reports.planted)
    changed = changed_outcomes(patched, with_own, frozenset(flaky), trees.own_tests)
    if changed:
        again = run_suite(kit, claim.patch.tree, "with its own tests again")
        changed = [test for test in changed if again.outcomes.get(test) is with_own.outcomes.get(test)]
    return judge_bundled(patched, with_own, changed, trees.own_tests)
