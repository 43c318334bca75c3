"""The proof of a change by the tests that it brings, for a change that whet did not write.

The tests of the base have judged it before, and hold. Its own tests are written by its author, so each of them counts only if
it is red without the change, green with it, red again on revert, and red when the changed functions raise or return a fixed
value. Then the safeguards examine the change with these tests as targets. That they ask for the right thing is for a person
to judge, and the proof says so.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from enum import Enum

from whet.domain.plural import count
from whet.domain.proved_claim import ProvedClaim
from whet.domain.suite import Failure, Outcome, SuiteReport
from whet.domain.verdict import CheckResult, SafeguardResult
from whet.kit import Kit
from whet.phases.validate import Claim
from whet.phases.validate.compare import list_tests
from whet.phases.validate.integrity.mutate.gut import ended_by_gutting, gut_changed_functions
from whet.phases.validate.integrity.mutate.hollow import VALUES, hollow_out
from whet.phases.validate.integrity.mutate.mutants import mutate_tests
from whet.phases.validate.integrity.run import examine
from whet.phases.validate.integrity.safeguard import inconclusive, passed
from whet.phases.validate.integrity.subject import Reports, Subject
from whet.phases.validate.integrity.test_ids import names_by_file, split_id
from whet.phases.validate.own_tests import OwnRuns
from whet.phases.validate.suite_run import run_suite, with_safeguards
from whet.phases.validate.trees import Trees, make_trees, reverted_tree
from whet.target.runs.together import VersionRun, run_together
from whet.target.suite import Overlay

NAME = "own tests"
WITHOUT_CODE = (".md", ".rst", ".txt")
_NO_SUCH_NAME = ("ImportError", "ModuleNotFoundError", "AttributeError", "NameError")
_OTHER_PARAMETERS = ("unexpected keyword argument", "positional argument", "required keyword-only argument")


class Lane(Enum):
    """The tests that can show what a change is for."""

    BASE = "the tests of the base"
    OWN_TESTS = "tests that the change brings or edits, red without it"
    ADDED_TESTS = "tests that the change adds to code that stays as it is"


def lane_of(claim: Claim, result: CheckResult, own: OwnRuns | None, trees: Trees, kit: Kit) -> Lane:
    """Return the lane of a change under which the tests of the base have held.

    Its own tests count only if no test of the base shows what it is for, if nothing in it was taken from the base because
    it is protected, and if the policy lets them.
    """
    if own is None or own.without is None or result.red or claim.restored or not claim.by_outsider:
        return Lane.BASE
    if claim.stated is ProvedClaim.TESTS:
        return Lane.ADDED_TESTS if own.brought and not own.red and not _code_beside(claim, trees) else Lane.BASE
    if claim.stated or not own.red or kit.policy.checks.own_tests != "count":
        return Lane.BASE
    return Lane.OWN_TESTS


def why_not_only_tests(claim: Claim, trees: Trees, own: OwnRuns | None) -> str:
    """Return why a change that is said to be one of tests alone is none that can be proved."""
    if others := _code_beside(claim, trees):
        return f"said to change only tests, and it changes {others[0]}"
    if own and own.red:
        return f"said to change only tests, and {own.red[0]} is red without it"
    return "said to change only tests, and it brings no test that runs"


def with_uncounted(result: CheckResult, own: OwnRuns, claim: Claim) -> CheckResult:
    """Add to the reason why the tests that the change brings show nothing, if no other test shows what it is for."""
    if result.red or not (own.red or own.brought):
        return result
    why = "they pass without it too, so they show nothing"
    if own.red:
        why = 'they do not count (checks.own_tests = "report"; --trust-tests vouches for them)'
        if claim.restored:
            why = f"they do not count beside a change of {claim.restored[0]}, which the proof does not cover"
    return replace(result, reason=f"{result.reason}: {why}")


def _code_beside(claim: Claim, trees: Trees) -> list[str]:
    """Return the changed files that are neither tests nor documents."""
    others = [path for path in claim.patch.paths if path not in trees.own_tests]
    return [path for path in others if not path.endswith(WITHOUT_CODE)]


def prove_by_own_tests(
    result: CheckResult, own: OwnRuns, claim: Claim, trees: Trees, reports: Reports, kit: Kit
) -> CheckResult:
    """Return the result with the proof by the tests in `own.red`. The tests of the base have held."""
    claim = replace(claim, trusted_tests=(*claim.trusted_tests, *trees.own_tests))
    trees = make_trees(claim, reports.base, kit)
    reverted, stable = _run_reverted(own, reverted_tree(claim, kit.git), kit)
    reports = _with_own_tests(reports, own, trees, reverted)
    subject = Subject(kit, claim.patch, trees, reports, stable)
    targets, idle = _select_targets(subject) if stable else ((), ())
    safeguard = _judge_targets(own.red, stable, targets, idle)
    if not targets:
        return with_safeguards(result, [safeguard])
    shown = replace(
        result,
        red=targets,
        green=targets,
        reverted=targets,
        claim=ProvedClaim.OWN_FEATURE if _is_feature(targets, own.without) else ProvedClaim.OWN_FIX,
    )
    return _with_examined(shown, [safeguard, *examine(replace(subject, targets=targets))])


def examine_added_tests(
    result: CheckResult, own: OwnRuns, claim: Claim, trees: Trees, reports: Reports, kit: Kit
) -> CheckResult:
    """Return the result of a change of tests alone: each test that it brings must be able to fail."""
    claim = replace(claim, trusted_tests=(*claim.trusted_tests, *trees.own_tests))
    trees = make_trees(claim, reports.base, kit)
    subject = Subject(kit, claim.patch, trees, _with_own_tests(reports, own, trees, own.whole), own.brought)
    if unable := [test for test in own.brought if test not in _with_expectation(subject)]:
        words = f"no expectation that can be changed, so nothing shows that it can fail: {list_tests(unable)}"
        return with_safeguards(result, [inconclusive(NAME, words)])
    return _with_examined(replace(result, claim=ProvedClaim.TESTS), examine(subject))


def _run_reverted(own: OwnRuns, tree: str, kit: Kit) -> tuple[SuiteReport, tuple[str, ...]]:
    """Run the files of the red tests on the reverted tree; return the report and the tests that are red there too."""
    files = sorted({split_id(test)[0] for test in own.red})
    report = run_suite(kit, tree, "its tests, reverted", files)
    again = replace(own, without=report)
    return report, tuple(test for test in own.red if again.is_red(test))


def _with_own_tests(reports: Reports, own: OwnRuns, trees: Trees, reverted: SuiteReport) -> Reports:
    """Return the reports in which the test files of the change take the place of those of the base."""
    replaced = {split_id(test)[0] for test in own.whole.outcomes} & set(_files(own))
    kept = {test: outcome for test, outcome in reports.base.outcomes.items() if split_id(test)[0] not in replaced}
    without = own.without.outcomes if own.without else {}
    uncollected = {test: Outcome.ERROR for test in own.red if test not in without}
    base = replace(reports.base, tree=trees.base, outcomes={**kept, **without, **uncollected})
    of_reverted = {**reports.reverted.outcomes, **reverted.outcomes, **uncollected}
    return Reports(base, own.whole, replace(reports.reverted, outcomes=of_reverted), reports.planted)


def _files(own: OwnRuns) -> list[str]:
    return [split_id(test)[0] for test in (own.without.outcomes if own.without else {})]


def _select_targets(subject: Subject) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return (tests that need what the changed functions do, tests that do not).

    A test counts if it has an expectation, and fails when these functions raise, and when they return nothing or a fixed
    value: at least one of both, because a test may ask for nothing more than a true or a false answer.
    """
    texts = {path: both for path, both in subject.changed_code().items() if path not in subject.trees.own_tests}
    versions = [
        {path: gut_changed_functions(old, new) for path, (old, new) in texts.items()},
        *({path: hollow_out(old, new, value) for path, (old, new) in texts.items()} for value in VALUES),
    ]
    overlays = [{path: text.encode() for path, text in version.items() if text is not None} for version in versions]
    if not all(overlays):
        return (), ()
    raising, *fixed = _run_versions(subject, overlays)
    broke_off = raising is not None and ended_by_gutting(raising.problem, filter(None, versions[0].values()))
    needed = tuple(
        test
        for test in _with_expectation(subject)
        if (broke_off or _fails(test, raising)) and any(_fails(test, report) for report in fixed)
    )
    return needed, tuple(test for test in subject.targets if test not in needed)


def _run_versions(subject: Subject, overlays: Sequence[Overlay]) -> list[SuiteReport | None]:
    """Run the files of the target tests with each overlay, and return the reports; None for a run that broke off.

    A function that returns a fixed value can keep a loop of its caller running for ever. pytest runs all versions in one
    process with a short time limit for each.
    """
    suite, tree = subject.kit.suite, subject.trees.patched
    files = tuple(sorted({split_id(test)[0] for test in subject.targets}))
    runs = [VersionRun(files, over) for over in overlays]
    if suite.policy.tests.runner == "pytest":
        raising, *fixed = run_together(suite, tree, runs)
        return [raising or suite.run(tree, runs[0].tests, overlay=runs[0].overlay), *fixed]
    return [suite.run(tree, run.tests, overlay=run.overlay) for run in runs]


def _fails(test: str, report: SuiteReport | None) -> bool:
    """True if the test did not pass in a run that says so. A run that did not end in order says nothing."""
    return report is not None and report.complete and report.outcomes.get(test) is not Outcome.PASSED


def _judge_targets(
    red: Sequence[str], stable: Sequence[str], targets: Sequence[str], idle: Sequence[str]
) -> SafeguardResult:
    if unstable := [test for test in red if test not in stable]:
        return inconclusive(NAME, f"red and not red without the change: {list_tests(unstable)}")
    notes = []
    if idle:
        notes = [
            f"{list_tests(idle)}: red without the change, but asks nothing, or passes without the work of the changed functions"
        ]
    if not targets and not idle:
        return inconclusive(NAME, "it changes no function, so its own tests cannot be seen to need what it does")
    if not targets:
        return inconclusive(
            NAME, f"none of its own tests asks for what the changed functions do, for example {idle[0]}"
        )
    words = (
        f"{count(len(targets), 'test')} of its own failed when the changed functions raised or returned a fixed value"
    )
    return passed(NAME, words, notes)


def _with_expectation(subject: Subject) -> list[str]:
    """Return the targets that have an expectation which can be changed: the safeguards see them fail with another."""
    names = names_by_file(subject.targets)
    mutated = {
        path: mutate_tests(source, dict.fromkeys(names[path], 1)) for path, source in subject.sources(names).items()
    }
    known = {(path, mutant.test) for path, file in mutated.items() if file for mutant in file.mutants}
    return [test for test in subject.targets if split_id(test) in known]


def _with_examined(result: CheckResult, examined: Sequence[SafeguardResult]) -> CheckResult:
    """Add the results of these safeguards to a passed check, in place of their results for the tests of the base."""
    names = {answer.name for answer in examined}
    kept = tuple(answer for answer in result.safeguards if answer.name not in names)
    return with_safeguards(replace(result, safeguards=kept), examined)


def _is_feature(targets: Collection[str], without: SuiteReport | None) -> bool:
    """True if none of the tests can run on the base: it lacks the names or the parameters that they use."""
    failures = without.failures if without else {}
    return all(_lacks_a_name(failures.get(test) or failures.get(split_id(test)[0])) for test in targets)


def _lacks_a_name(failure: Failure | None) -> bool:
    if failure is None:
        return False
    if failure.exception.rpartition(".")[2] in _NO_SUCH_NAME:
        return True
    return failure.exception == "TypeError" and any(words in failure.message for words in _OTHER_PARAMETERS)
