"""Run the target tests on one candidate after the other, in a sandbox that starts while the model writes its first answer."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from whet.domain.suite import Outcome, SuiteReport
from whet.target.suite import PER_TEST_RUNNERS, Suite
from whet.target.warm_pool import CandidateResult, WarmPool

TargetRun = Callable[[str, Mapping[str, str]], SuiteReport]
"""Return the report of the targets on a candidate: its tree, and the texts of the files that differ from the unedited tree."""

_OUTCOMES = frozenset(Outcome)


@contextmanager
def target_runs(
    suite: Suite, tree: str, targets: tuple[str, ...], *, run_seconds: float, wall_seconds: float
) -> Iterator[TargetRun]:
    """Yield a function that runs the targets; `tree` is the unedited tree.

    The first run is of the unedited tree: it loads the libraries, and it must be red as it is elsewhere. If it is not, and where
    the warm sandbox has no answer, a candidate runs in a sandbox of its own. So do candidates of several packages, and those
    of runners that report no single tests. A candidate that takes longer than `run_seconds` is given up.
    """

    def cold(candidate: str, _files: Mapping[str, str]) -> SuiteReport:
        return suite.run(candidate, targets)

    parts = suite.divide(targets)
    if len(parts) > 1 or suite.policy.tests.runner not in PER_TEST_RUNNERS:
        yield cold
        return
    with WarmPool(parts[0][0], tree, 1, wall_seconds) as pool, ThreadPoolExecutor(1) as thread:

        def run(files: Mapping[str, str]) -> CandidateResult:
            [result] = pool.run([files], targets, run_seconds, stop_early=False, failures=True)
            return result

        unedited = thread.submit(run, {})

        def warm(candidate: str, files: Mapping[str, str]) -> SuiteReport:
            if Outcome.PASSED in unedited.result().outcomes.values():
                return cold(candidate, files)
            return _report(candidate, run(files)) or cold(candidate, files)

        yield warm


def _report(tree: str, result: CandidateResult) -> SuiteReport | None:
    """Return the result of a warm sandbox as a report; None if there is none."""
    if result.timed_out:
        # Without the number of seconds: after a restart a question to the model must be the same, or it is paid for twice.
        return SuiteReport(tree=tree, outcomes={}, seconds=result.seconds, complete=False, problem="took too long")
    if result.cannot or not result.outcomes:
        return None
    outcomes = {test: Outcome(outcome) for test, outcome in result.outcomes.items() if outcome in _OUTCOMES}
    return SuiteReport(
        tree=tree, outcomes=outcomes, seconds=result.seconds, complete=True, failures=dict(result.failures)
    )
