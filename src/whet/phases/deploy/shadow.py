"""`ShadowComparison`: runs live calls of the old version a second time on the candidate, in the sandbox.

The application runs only the old version and captures its calls, which are read here as they arrive. A call agrees if the
candidate gives the captured result. If it does not, the call is run on the old tree as well: if its result differs there
too, the call says nothing about the change and is left out. Durations in the sandbox are not compared; the watch after
the deployment compares real ones.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import accumulate

from whet.cases.from_calls import LiveCallTests, live_call_tests
from whet.cases.from_suggestion import folder_of_tests
from whet.domain.captured import CapturedCall, CapturedTool
from whet.domain.decision import Decision, State
from whet.domain.deployment import Deployment
from whet.domain.suite import SuiteReport
from whet.domain.version import CONTROL, Manifest
from whet.kit import Kit
from whet.phases.deploy.traffic import terms_of
from whet.statistics.arm import Pairs
from whet.statistics.shadow import decide_shadow
from whet.store.executions import Executions
from whet.target.suite import Suite

_MOST_CALLS = 200
_MOST_NS = 10_000_000_000
"""The largest sum of the durations, in the application, of the calls of one batch."""

_SECONDS = 120
"""The time limit for one batch in the sandbox."""


class ShadowComparison:
    """Decides a shadow trial from the calls compared so far."""

    def __init__(self, kit: Kit, staged: Deployment) -> None:
        self._terms = terms_of(kit.policy.deploy)
        self._progress, self._executions = kit.progress, Executions(kit.state)
        self._old, self._new = kit.git.tree_of(staged.before), kit.git.tree_of(staged.after)
        self._folder = folder_of_tests([entry.path for entry in kit.git.entries(self._old)], kit.is_test)
        self._suite = _for_calls(kit.suite)
        self._last_number: dict[str, int] = {}
        """By tool: the number of the last call that was compared."""
        self._tally = ShadowTally()

    def decide(self, manifests: Sequence[Manifest], began: datetime, *, time_is_up: bool) -> Decision:
        """Compare the calls that have arrived since the last time, and decide on all so far."""
        for manifest in manifests:
            for tool in self._tools(manifest):
                if reason := self._compare(tool, manifest.path, self._next_batch(tool, began)):
                    return Decision(State.ROLLBACK, reason)
        self._progress.advance("live calls compared", self._tally.pairs.calls, 0)
        decision = decide_shadow(self._tally.pairs, self._terms, time_is_up=time_is_up)
        if not self._tally.left_out:
            return decision
        return replace(decision, why=f"{decision.why}; {self._tally.left_out} could not be compared")

    def _tools(self, manifest: Manifest) -> Iterator[CapturedTool]:
        for tool in self._executions.tools():
            if (tool.module, tool.version) == (manifest.module, manifest.current.short):
                yield tool

    def _next_batch(self, tool: CapturedTool, began: datetime) -> Sequence[CapturedCall]:
        """Return new calls, no more than can be run in a few seconds; the rest waits for the next batch."""
        after = self._last_number.get(tool.name, 0)
        arrived = self._executions.arrived(tool, CONTROL, since=began, after=after, limit=_MOST_CALLS)
        sums_ns = accumulate(call.duration_ns or 0 for call in arrived)
        calls = [call for call, sum_ns in zip(arrived, sums_ns, strict=True) if sum_ns <= _MOST_NS] or arrived[:1]
        if calls:
            self._last_number[tool.name] = calls[-1].number
        return calls

    def _compare(self, tool: CapturedTool, path: str, calls: Sequence[CapturedCall]) -> str:
        """Add the results of these calls to the tally. Return a reason if the candidate did not finish the batch, else ''."""
        test_file = live_call_tests(tool, path, calls, self._folder)
        if test_file is None:
            self._tally = self._tally.leaving_out(len(calls))
            return ""
        new = self._run(self._new, test_file, list(test_file.calls))
        doubtful = _doubtful(test_file, new)
        old = self._run(self._old, test_file, doubtful) if doubtful else None
        if not new.complete and old is not None and old.complete:
            # Try once more: the batch may have timed out because the machine was busy.
            new = self._run(self._new, test_file, list(test_file.calls))
            if not new.complete:
                return f"the candidate did not finish calls of {tool.name} that the old version finishes: {new.problem}"
        self._tally = self._tally.leaving_out(len(calls) - sum(map(len, test_file.calls.values())))
        self._tally = self._tally.with_calls(test_file.calls, old, new)
        return ""

    def _run(self, tree: str, test_file: LiveCallTests, tests: Sequence[str]) -> SuiteReport:
        return self._suite.run(tree, tests, overlay={test_file.path: test_file.text.encode()})


@dataclass(frozen=True)
class ShadowTally:
    """The compared pairs so far. `left_out` counts calls that could not be written as a test, or whose result on the old
    tree differs from the captured one."""

    pairs: Pairs = field(default_factory=Pairs)
    left_out: int = 0

    def leaving_out(self, calls: int) -> "ShadowTally":
        """Return the tally with `calls` more calls counted as left out."""
        return replace(self, left_out=self.left_out + calls)

    def with_calls(
        self, calls: Mapping[str, Sequence[CapturedCall]], old: SuiteReport | None, new: SuiteReport
    ) -> "ShadowTally":
        """Return the tally with these calls added.

        `calls` lists identical calls by the id of the test that replays them, and `new` is the run of these tests with
        the candidate. `old` is the run on the old tree of the calls that failed or that it answers differently; None if
        there are none.
        """
        tally = self
        for test, identical in calls.items():
            tally = tally._with(test, len(identical), old, new, failed=identical[0].failed)
        return tally

    def _with(self, test: str, count: int, old: SuiteReport | None, new: SuiteReport, *, failed: bool) -> "ShadowTally":
        pairs, passes = self.pairs, new.complete and test in new.passed
        if passes and not failed:
            return replace(self, pairs=replace(pairs, calls=pairs.calls + count))
        if old is None or not old.complete or (test in old.passed) == failed:
            return self.leaving_out(count)
        if failed:
            return replace(self, pairs=replace(pairs, better=pairs.better + count * passes))
        differs = _answers_differently(test, new)
        return replace(
            self,
            pairs=replace(
                pairs,
                calls=pairs.calls + count,
                different=pairs.different + count * differs,
                worse=pairs.worse + count * (not differs),
            ),
        )


def _doubtful(test_file: LiveCallTests, new: SuiteReport) -> list[str]:
    """Return the tests to run on the old tree too: calls that failed, and those that the candidate answers differently.

    After an incomplete run these are all tests.
    """
    agreed = new.passed if new.complete else frozenset()
    return [test for test, identical in test_file.calls.items() if identical[0].failed or test not in agreed]


def _answers_differently(test: str, new: SuiteReport) -> bool:
    """True if the comparison in the test failed, and not the tool."""
    failure, path = new.failures.get(test), test.partition("::")[0]
    return (
        failure is not None
        and failure.exception == "AssertionError"
        and {file for file, _, _ in failure.frames} == {path}
    )


def _for_calls(suite: Suite) -> Suite:
    """Return the suite with pytest as its runner, whatever the project uses, and with a time limit for one batch."""
    tests = suite.policy.tests
    settings = tests.model_copy(
        update={"runner": "pytest", "timeout_seconds": min(tests.timeout_seconds, _SECONDS)},
    )
    return replace(suite, policy=suite.policy.model_copy(update={"tests": settings}))
