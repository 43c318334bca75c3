"""Run the tests that are close to the change first, and end the proof at once if one of them fails.

A test is close if its file imports a changed file, directly or over others. This only finds a failure sooner: if nothing
fails here, the whole suite still runs.
"""

from collections.abc import Collection, Mapping, Sequence

from whet.domain.plural import count
from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import CheckResult, Verdict
from whet.kit import Kit
from whet.phases.validate.compare import list_tests
from whet.phases.validate.suite_run import run_suite
from whet.phases.validate.test_files import import_roots, imported_files
from whet.phases.validate.trees import Trees

_SHORTEST_SECONDS = 5  # of all tests; a shorter suite is soon done
_LARGEST_SHARE = 0.1


def fail_fast(
    kit: Kit, trees: Trees, changed: Collection[str], base: SuiteReport, targets: Sequence[str]
) -> CheckResult | None:
    """Run the targets and the tests close to the change with the patch; None unless one of them fails for certain."""
    if sum(base.file_seconds.values()) < _SHORTEST_SECONDS:
        return None
    python = [path for path in kit.git.files(trees.patched) if path.endswith(".py")]
    sources = {path: text.decode(errors="replace") for path, text in kit.git.read_all(trees.patched, python).items()}
    files = closest_test_files(sources, changed, base)
    known = [test for test in targets if test in base.outcomes and test.partition("::")[0] not in files]
    if not files and not known:
        return None
    report = run_suite(kit, trees.patched, "close to the change", [*known, *files])
    suspects = failing_tests(base, report, targets)
    if not report.complete or not suspects:
        return None
    return _conclude(kit, trees, base, report, suspects, targets)


def failing_tests(base: SuiteReport, report: SuiteReport, targets: Collection[str]) -> list[str]:
    """Return the targets that are not green, and the tests that passed on the base and are red."""
    not_green = [test for test in targets if report.outcomes.get(test, Outcome.PASSED) is not Outcome.PASSED]
    return not_green + [test for test in sorted(report.red & base.passed) if test not in targets]


def closest_test_files(sources: Mapping[str, str], changed: Collection[str], base: SuiteReport) -> list[str]:
    """Return test files that import the changed files, directly first, then through other modules.

    Stop when the files together would take more than `_LARGEST_SHARE` of the suite's time.
    """
    importers = _importers(sources)
    limit = _LARGEST_SHARE * sum(base.file_seconds.values())
    seconds = 0.0
    chosen: list[str] = []
    reached = near = {path for path in changed if path in sources}
    while near:
        for file in sorted(file for file in near if file in base.file_seconds):
            seconds += base.file_seconds[file]
            if seconds > limit:
                return chosen
            chosen.append(file)
        near = {importer for path in near for importer in importers.get(path, ())} - reached
        reached = reached | near
    return chosen


def _importers(sources: Mapping[str, str]) -> dict[str, set[str]]:
    """Return the files that import each file."""
    roots = import_roots(sources)
    importers: dict[str, set[str]] = {}
    for path in sources:
        for imported in imported_files(path, sources, roots):
            importers.setdefault(imported, set()).add(path)
    return importers


def _conclude(
    kit: Kit, trees: Trees, base: SuiteReport, report: SuiteReport, suspects: list[str], targets: Collection[str]
) -> CheckResult | None:
    """Return a failure for suspects that fail again; those that are no targets must also pass alone without the patch."""
    again = run_suite(kit, trees.patched, "close to the change, again", suspects)
    failing = [test for test in suspects if again.outcomes.get(test, Outcome.PASSED) is not Outcome.PASSED]
    regressed = [test for test in failing if test not in targets]
    if regressed:
        alone = run_suite(kit, trees.base, "the same without the patch", regressed)
        regressed = [test for test in regressed if alone.outcomes.get(test) is Outcome.PASSED]
    not_green = [test for test in failing if test in targets]
    if not not_green and not regressed:
        return None
    reason = f"still not green with the patch: {list_tests(not_green)}" if not_green else ""
    if regressed:
        reason = f"tests that held on the base fail with the patch: {list_tests(regressed)}"
    ran = len(report.outcomes)
    not_run = count(len(base.outcomes) - ran, "other test")
    return CheckResult(
        check="tests",
        verdict=Verdict.FAILED,
        reason=f"{reason} ({not_run} did not run)",
        green=tuple(test for test in targets if report.outcomes.get(test) is Outcome.PASSED),
        held=len(report.passed & base.passed),
        regressed=tuple(regressed),
        details={"ids": len(base.outcomes), "ran": ran, "seconds": [base.seconds, report.seconds]},
    )
