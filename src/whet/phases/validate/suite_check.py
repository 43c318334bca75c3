"""The check that runs the target's suite: red on the base, green with the patch, red on revert, all others unchanged.

The tests of the base judge the patch. Test files that the patch brings or edits are judged apart, in own_tests.py: they
count as evidence only if somebody other than the author vouches for them (`Claim.trusted_tests`), and they never replace
a test of the base.
"""

from dataclasses import replace

from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import CheckResult, Verdict
from whet.kit import Kit
from whet.phases.validate import Claim
from whet.phases.validate.compare import compare, list_tests
from whet.phases.validate.integrity.planted_file import PlantedFile, plant, without_planted
from whet.phases.validate.integrity.run import examine
from whet.phases.validate.integrity.subject import Reports, Subject
from whet.phases.validate.own_tests import with_own_tests
from whet.phases.validate.side_by_side import side_by_side
from whet.phases.validate.suite_run import failed_check, inconclusive_check, run_suite, with_safeguards
from whet.phases.validate.trees import Trees, ground_tree, make_trees, reverted_tree
from whet.target.suite import PER_TEST_RUNNERS


class SuiteCheck:
    def __init__(self, kit: Kit) -> None:
        self._kit, self._policy = kit, kit.policy.tests

    def check(self, claim: Claim) -> CheckResult:
        kit = self._kit
        base = run_suite(kit, ground_tree(claim, kit.git), "base", fresh=False)
        if base.exit_only:
            return _exit_code_only(base)
        if not base.complete:
            return inconclusive_check(f"the suite on the base {base.problem}")
        trees = make_trees(claim, base, kit)
        planted = self._plant(base)
        reverted_at = reverted_tree(claim, kit.git)
        patched, reverted = side_by_side(
            [
                lambda: run_suite(kit, trees.graded, "patched", planted=planted),
                lambda: run_suite(kit, reverted_at, "reverted", planted=planted),
            ],
            self._at_once(base),
        )
        if not patched.complete:
            return failed_check(f"with the patch the suite {patched.problem}")
        if not reverted.complete:
            return inconclusive_check(f"the suite on revert {reverted.problem}")
        reports = Reports(base, patched, reverted, planted)
        result = compare(
            base,
            without_planted(patched, planted),
            without_planted(reverted, planted),
            claim.targets.get("tests", ()),
        )
        result = self._rerun_regressions(result, trees)
        if planted:
            targets = result.red if result.verdict is Verdict.PASSED else ()
            result = with_safeguards(result, examine(Subject(kit, claim.patch, trees, reports, targets)))
        return with_own_tests(result, claim, trees, reports, kit) if trees.own_tests else result

    def _at_once(self, base: SuiteReport) -> int:
        """Return how many suites may run at the same time; one, if a slower run could exceed its time limit."""
        return self._policy.at_once if base.seconds * 3 < self._policy.timeout_seconds else 1

    def _plant(self, base: SuiteReport) -> PlantedFile | None:
        """Plant tests beside an existing test file; None for a runner that cannot be told to run an additional file."""
        neighbours = [test.partition("::")[0] for test in base.outcomes if "::" in test]
        return plant(neighbours[0]) if neighbours and self._policy.runner in PER_TEST_RUNNERS else None

    def _rerun_regressions(self, result: CheckResult, trees: Trees) -> CheckResult:
        """Run regressed tests again; if all of them pass now, they are flaky and the result is inconclusive."""
        if result.verdict is not Verdict.FAILED or not result.regressed or result.missing:
            return result
        again = run_suite(self._kit, trees.graded, "regressed again", result.regressed)
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
