"""Signals from the target's own suite: one per test id that is red."""

from whet.domain.canonical import to_plain
from whet.domain.clock import now
from whet.domain.signal import Signal
from whet.domain.suite import SuiteReport
from whet.errors import SuiteBroken
from whet.kit import Kit


class Tests:
    def __init__(self, kit: Kit) -> None:
        self._git, self._suite, self._progress = kit.git, kit.suite, kit.progress

    def observe(self, commit: str) -> tuple[Signal, ...]:
        report = self._suite.run(
            self._git.tree_of(commit), watch=lambda done, total: self._progress.advance("tests", done, total)
        )
        if report.exit_only:
            return _from_exit_code(report)
        _refuse_a_suite_that_shows_nothing(report)
        if not report.outcomes:
            self._progress.note("the suite has no tests")
        return tuple(signal_of(report, test) for test in sorted(report.red))


def _refuse_a_suite_that_shows_nothing(report: SuiteReport) -> None:
    if not report.complete:
        raise SuiteBroken(
            f"the test suite {report.problem}", "run it by hand; `[tests]` in whet.toml says how whet runs it"
        )
    ran = [test for test in report.outcomes if "::" in test]
    if report.outcomes and not ran:
        test, failure = next(iter(report.failures.items()))
        raise SuiteBroken(
            f"the test suite does not import: {test}: {failure.message}",
            "make it run by hand with the same interpreter first; `whet doctor` shows which one whet uses",
        )


def _from_exit_code(report: SuiteReport) -> tuple[Signal, ...]:
    if not report.complete:
        raise SuiteBroken(f"the test command {report.problem}")
    if report.exit_code == 0:
        return ()
    payload = {"outcome": "failed", "failure": None, "exit_code": report.exit_code}
    return (Signal(source="tests", subject="the test command", kind="failing_test", at=now(), payload=payload),)


def signal_of(report: SuiteReport, test: str) -> Signal:
    failure = report.failures.get(test)
    payload = {"outcome": report.outcomes[test].value, "failure": to_plain(failure) if failure else None}
    return Signal(source="tests", subject=test, kind="failing_test", at=now(), payload=payload)
