"""Signals from the target's own suite: one per test id that is red."""

from collections.abc import Sequence

from whet.domain.clock import now
from whet.domain.payload import FailingTest
from whet.domain.signal import Signal
from whet.domain.suite import SuiteReport
from whet.errors import SuiteBroken
from whet.kit import Kit
from whet.target.import_errors import import_errors, import_remedy
from whet.target.missing_files import extra_files_hint, missing_ignored_files


class Tests:
    def __init__(self, kit: Kit) -> None:
        self._git, self._suite, self._progress = kit.git, kit.suite, kit.progress

    def observe(self, commit: str) -> tuple[Signal, ...]:
        report = self._suite.run(
            self._git.tree_of(commit), on_progress=lambda done, total: self._progress.advance("tests", done, total)
        )
        if report.exit_only:
            return _from_exit_code(report)
        missing = missing_ignored_files(report, self._suite)
        self._refuse_suite_without_tests(report, commit, missing)
        if missing:
            self._progress.note(extra_files_hint(missing))
        if not report.outcomes:
            self._progress.note("the suite has no tests: `[tests]` in whet.toml says what is collected")
        return tuple(signal_of(report, test) for test in sorted(report.red))

    def _refuse_suite_without_tests(self, report: SuiteReport, commit: str, missing: Sequence[str]) -> None:
        """Raise SuiteBroken if no test ran; `missing` are ignored files that the tests need (see `target.extra_files`)."""
        if not report.complete:
            remedy = "run it by hand; `[tests]` in whet.toml says how whet runs it"
            raise SuiteBroken(f"the test suite {report.problem}", extra_files_hint(missing) if missing else remedy)
        if report.outcomes and not any("::" in test for test in report.outcomes):
            remedy = (
                extra_files_hint(missing)
                if missing
                else import_remedy(report, self._git.files(self._git.tree_of(commit)), self._suite.interpreter.path)
            )
            raise SuiteBroken(f"the test suite does not import: {import_errors(report)}", remedy)


def _from_exit_code(report: SuiteReport) -> tuple[Signal, ...]:
    if not report.complete:
        raise SuiteBroken(f"the test command {report.problem}")
    if report.exit_code == 0:
        return ()
    payload = FailingTest(outcome="failed", exit_code=report.exit_code)
    return (Signal.of("tests", "the test command", payload, now()),)


def signal_of(report: SuiteReport, test: str) -> Signal:
    payload = FailingTest(outcome=report.outcomes[test].value, failure=report.failures.get(test))
    return Signal.of("tests", test, payload, now())
