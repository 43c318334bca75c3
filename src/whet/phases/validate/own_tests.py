"""The tests that a patch brings or edits: run with the patch and without it, and reported.

They will be merged with the patch, so what they do to the other tests counts against it. Whether they count for it is
decided in own_lane.py.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from whet.domain.plural import count
from whet.domain.suite import SuiteReport
from whet.domain.verdict import CheckResult, SafeguardResult, Verdict
from whet.kit import Kit
from whet.phases.validate import Claim
from whet.phases.validate.compare import list_tests
from whet.phases.validate.integrity.planted_file import without_planted
from whet.phases.validate.integrity.safeguard import inconclusive, passed
from whet.phases.validate.integrity.safeguards.bundled_tests import changed_outcomes, judge_bundled
from whet.phases.validate.integrity.safeguards.planted_tests import judge_planted
from whet.phases.validate.integrity.subject import Reports
from whet.phases.validate.integrity.test_ids import split_id
from whet.phases.validate.split_run import run_all
from whet.phases.validate.suite_run import failed_check, run_suite, with_safeguards
from whet.phases.validate.trees import Trees
from whet.phases.validate.weakened_tests import disabled_tests, weakened_tests

WEAKENED = "weakened tests"


@dataclass(frozen=True)
class OwnRuns:
    """The runs with the test files of the patch. `whole` is the suite with the patch and its planted tests, `tree` the code
    of the base with the patch's test files, and `without` the run of these files there; None if `whole` is not complete.

    `brought` are the tests that the base does not have and that pass with the patch. `red` are the passing tests of these
    files, brought or edited, that are red without the patch.
    """

    whole: SuiteReport
    tree: str
    without: SuiteReport | None
    brought: tuple[str, ...] = ()
    red: tuple[str, ...] = ()

    def is_red(self, test: str) -> bool:
        """True if the test is red without the patch, or if its file cannot be collected there."""
        return self.without is not None and _is_red(self.without, test)


def run_own_tests(claim: Claim, trees: Trees, reports: Reports, kit: Kit) -> OwnRuns:
    """Run the suite with the patch's own test files, and these files on the code of the base.

    Their whole files run there. A single id that the base cannot collect would keep the runner from starting.
    """
    base, planted = reports.base, reports.planted
    whole = run_all(kit, claim.patch.tree, "with its own tests", base, planted)
    tree = kit.git.with_entries(trees.base, claim.patch.tree, trees.own_tests)
    if not whole.complete:
        return OwnRuns(whole, tree, None)
    passing = without_planted(whole, planted).passed
    brought = sorted(passing - base.outcomes.keys())
    own = sorted(test for test in passing if test in brought or split_id(test)[0] in trees.own_tests)
    files = sorted({split_id(test)[0] for test in own})
    without = run_suite(kit, tree, "its tests, base code", files) if files else replace(base, tree=tree, outcomes={})
    return OwnRuns(whole, tree, without, tuple(brought), tuple(test for test in own if _is_red(without, test)))


def with_own_tests(
    result: CheckResult, own: OwnRuns, claim: Claim, trees: Trees, reports: Reports, kit: Kit
) -> CheckResult:
    """Add what the runs with the patch's own test files show to the result."""
    if own.without is None:
        return failed_check(f"with the change's own tests the suite {own.whole.problem}")
    base, planted = reports.base, reports.planted
    with_own = without_planted(own.whole, planted)
    removed = sorted(test for test in base.passed if test not in with_own.outcomes)
    if removed:
        reason = f"it removes tests: {list_tests(removed)}"
        return replace(result, verdict=Verdict.FAILED, missing=tuple(removed), reason=reason)
    broken = sorted(with_own.red - base.red)
    if broken:
        return replace(result, verdict=Verdict.FAILED, reason=f"its own tests fail: {list_tests(broken)}")
    result = _report_brought(result, own, trees, kit)
    safeguards = [judge_planted(planted, own.whole, reports.reverted)] if planted else []
    texts = _edited_texts(claim, trees, kit)
    if texts:
        safeguards.append(_judge_weakened(texts, without_planted(reports.patched, planted), with_own))
    safeguards.append(_judge_bundled(claim, trees, reports, with_own, result.flaky, kit))
    return with_safeguards(result, safeguards)


def with_edited_named(result: CheckResult, own_files: Collection[str]) -> CheckResult:
    """Say which regressed tests the change itself edits, and how to have it judged by its own version of them."""
    edited = [test for test in result.regressed if split_id(test)[0] in own_files]
    if not edited:
        return result
    words = f"the change edits {'this test' if len(result.regressed) == 1 else list_tests(edited)}"
    remedy = "if what it now expects is right, `whet prove --trust-tests` proves the change by its own tests"
    return replace(result, reason=f"{result.reason}; {words}: {remedy}")


def _is_red(without: SuiteReport, test: str) -> bool:
    """True if a test is red in the run without the patch, or its file cannot be collected there."""
    outcome = without.outcomes.get(test) or without.outcomes.get(split_id(test)[0])
    return outcome is not None and outcome.red


def _report_brought(result: CheckResult, own: OwnRuns, trees: Trees, kit: Kit) -> CheckResult:
    """Report the tests that the patch brings, and which of them fail on the code of the base."""
    red = [test for test in own.brought if test in own.red]
    details = {
        **result.details, "brought_tests": list(own.brought), "brought_red_on_base": red,
        "own_tests_red_on_base": list(own.red), "from_base": trees.own_tests,
    }  # fmt: skip
    reason = f"{result.reason}; it brings {count(len(own.brought), 'test')}, {len(red)} of them red without it"
    if edited := len(own.red) - len(red):
        reason += f", and edits {count(edited, 'test')} that {'is' if edited == 1 else 'are'} red without it"
    if others := [path for path in trees.own_tests if not kit.is_test(path)]:
        reason += f"; files that tests use were taken from the base: {list_tests(others)}"
    return replace(result, details=details, reason=reason)


def _edited_texts(claim: Claim, trees: Trees, kit: Kit) -> dict[str, tuple[str, str]]:
    """Return the old and new text of each test file, or helper of tests, that the base has and the patch edits."""
    texts = kit.git.texts(claim.patch.changes)
    return {
        path: both
        for path, both in texts.items()
        if path in trees.own_tests and path.endswith(".py") and both[0]
    }  # fmt: skip


def _judge_weakened(
    texts: Mapping[str, tuple[str, str]], patched: SuiteReport, with_own: SuiteReport
) -> SafeguardResult:
    """Judge whether the patch weakens tests of the base, by their texts and by what runs."""
    weakened = [*disabled_tests(patched, with_own), *weakened_tests(texts)]
    if not weakened:
        return passed(WEAKENED, "the tests of the base that it edits assert as much as before")
    more = f", and {len(weakened) - 1} more" if len(weakened) > 1 else ""
    return inconclusive(WEAKENED, f"it weakens a test: {weakened[0]}{more}")


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
