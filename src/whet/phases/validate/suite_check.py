"""The check that runs the target's suite: red on the base, green with the patch, red on revert, all others unchanged.

The tests of the base judge the patch. Test files that the patch brings or edits are judged apart, in own_tests.py, and never
replace a test of the base. They count as evidence in a lane of their own (own_lane.py), or beside the tests of the base if
somebody other than the author vouches for them (`Claim.trusted_tests`).
"""

from dataclasses import replace

from whet.domain.proved_claim import ProvedClaim
from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import CheckResult, Verdict
from whet.kit import Kit
from whet.phases.validate import Claim
from whet.phases.validate.affected import fail_fast
from whet.phases.validate.compare import compare, list_tests
from whet.phases.validate.integrity.planted_file import PlantedFile, plant, without_planted
from whet.phases.validate.integrity.run import examine
from whet.phases.validate.integrity.subject import Reports, Subject
from whet.phases.validate.own_lane import (
    Lane,
    examine_added_tests,
    lane_of,
    prove_by_own_tests,
    why_not_only_tests,
    with_uncounted,
)
from whet.phases.validate.own_tests import OwnRuns, run_own_tests, with_edited_named, with_own_tests
from whet.phases.validate.refactoring import judge_refactoring
from whet.phases.validate.reverted_run import run_reverted
from whet.phases.validate.split_run import run_all
from whet.phases.validate.suite_run import (
    failed_check,
    inconclusive_check,
    run_suite,
    with_held_behaviour,
    with_safeguards,
)
from whet.phases.validate.trees import Trees, make_trees, reverted_tree, tree_of_base
from whet.phases.validate.unverified_base import confirm_collection
from whet.target.suite import PER_TEST_RUNNERS


class SuiteCheck:
    def __init__(self, kit: Kit) -> None:
        self._kit, self._policy = kit, kit.policy.tests

    def check(self, claim: Claim) -> CheckResult:
        kit, tree = self._kit, tree_of_base(claim, self._kit.git)
        base = run_suite(kit, tree, "base", fresh=False)
        if base.from_file and (confirmed := confirm_collection(kit, base)):
            result = self._compare_with(confirmed, claim)
            if result:
                return replace(result, details={**result.details, "base": "read from a cache file"})
        if base.from_file:
            kit.progress.note("the cache file does not say what the base does here: the suite runs on the base")
            base = run_suite(kit, tree, "base")
        if base.exit_only:
            return _exit_code_only(base)
        if not base.complete:
            return inconclusive_check(f"the suite on the base {base.problem}")
        return self._compare_with(base, claim) or inconclusive_check("the suite on the base cannot be confirmed")

    def _compare_with(self, base: SuiteReport, claim: Claim) -> CheckResult | None:
        """Run the suite with the patch and what decides without it; None if `base` comes from a file that is wrong."""
        kit = self._kit
        trees = make_trees(claim, base, kit)
        planted = self._plant(base)
        targets = claim.targets_of("tests")
        reverted_at = reverted_tree(claim, kit.git)
        if failure := fail_fast(kit, trees, claim.patch.paths, base, targets):
            return with_edited_named(failure, trees.own_tests)
        patched = run_all(kit, trees.patched, "patched", base, planted)
        if not patched.complete:
            return failed_check(f"with the patch the suite {patched.problem}")
        if base.from_file:
            base = replace(base, seconds=min(base.seconds, patched.seconds))
        reverted = run_reverted(kit, reverted_at, base, patched, targets, planted)
        if reverted.contradicts:
            return None
        if not reverted.report.complete:
            return inconclusive_check(f"the suite on revert {reverted.report.problem}")
        reports = Reports(base, patched, reverted.report, planted)
        result = compare(
            base,
            without_planted(patched, planted),
            without_planted(reverted.report, planted),
            targets,
            reverted.repeated,
        )
        result = self._rerun_regressions(result, trees)
        own = run_own_tests(claim, trees, reports, kit) if trees.own_tests else None
        held = result.verdict is Verdict.PASSED
        lane = lane_of(claim, result, own, trees, kit) if held and planted else Lane.BASE
        if planted:
            # Varied inputs are asked once: here, or with the tests of the change in their lane.
            asks_late = held and lane is Lane.BASE
            subject = Subject(kit, claim.patch, trees, reports, result.red if held else (), asks_late)
            result = with_safeguards(result, examine(subject))
            if asks_late and not result.red:
                result = with_held_behaviour(result)
        if own:
            result = with_own_tests(result, own, claim, trees, reports, kit)
        if result.verdict is not Verdict.PASSED:
            return with_edited_named(result, trees.own_tests)
        if own and lane is Lane.OWN_TESTS:
            return prove_by_own_tests(result, own, claim, trees, reports, kit)
        if own and lane is Lane.ADDED_TESTS:
            return examine_added_tests(result, own, claim, trees, reports, kit)
        return self._as_stated(result, own, claim, trees)

    def _as_stated(self, result: CheckResult, own: OwnRuns | None, claim: Claim, trees: Trees) -> CheckResult:
        """Return a passed result as the stated claim has it: only tests, a refactoring, or none."""
        if claim.stated is ProvedClaim.TESTS:
            return replace(
                result, verdict=Verdict.INCONCLUSIVE, reason=f"{why_not_only_tests(claim, trees, own)}; {result.reason}"
            )
        if claim.stated is ProvedClaim.REFACTORING:
            texts = self._kit.git.texts(change for change in claim.patch.changes if change.path not in trees.own_tests)
            return judge_refactoring(result, texts, own.red if own else ())
        return with_uncounted(result, own, claim) if own else result

    def _plant(self, base: SuiteReport) -> PlantedFile | None:
        """Plant tests beside an existing test file; None for a runner that cannot be told to run an additional file."""
        neighbours = [test.partition("::")[0] for test in base.outcomes if "::" in test]
        return plant(neighbours[0]) if neighbours and self._policy.runner in PER_TEST_RUNNERS else None

    def _rerun_regressions(self, result: CheckResult, trees: Trees) -> CheckResult:
        """Run regressed tests again; if all of them pass now, they are flaky and the result is inconclusive."""
        if result.verdict is not Verdict.FAILED or not result.regressed or result.missing:
            return result
        again = run_suite(self._kit, trees.patched, "regressed again", result.regressed)
        if any(again.outcomes.get(test) is not Outcome.PASSED for test in result.regressed):
            return result
        return replace(
            result,
            verdict=Verdict.INCONCLUSIVE,
            flaky=(*result.flaky, *result.regressed),
            regressed=(),
            reason=f"{list_tests(result.regressed)} failed once and passed once with the patch",
        )


def _exit_code_only(base: SuiteReport) -> CheckResult:
    result = inconclusive_check(
        "the runner gives an exit code and no test ids, which proves nothing about single tests"
    )
    return replace(result, details={"exit_code": base.exit_code})
