"""One look at live calls of the old version, run a second time on the candidate, in the sandbox.

The application has no part in it: its calls are the old version's, and what it kept of them is read as it arrives. What
the candidate answers as the application did agrees. Where it does not, the old tree is asked too: a call that comes out
differently there says nothing about the change. Durations are the sandbox's and not compared; the watch that follows
compares real ones.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import accumulate

from whet.cases.from_calls import Beside, beside
from whet.cases.from_suggestion import folder_of_tests
from whet.domain.decision import Decision, State
from whet.domain.deployment import Deployment
from whet.domain.recorded import RecordedCall, RecordedTool
from whet.domain.suite import SuiteReport
from whet.domain.version import CONTROL, Manifest
from whet.kit import Kit
from whet.statistics.arm import Pairs
from whet.statistics.shadow import decide_shadow
from whet.statistics.terms import Terms
from whet.store.executions import Executions
from whet.target.suite import Suite

_MOST_CALLS = 200
_MOST_NS = 10_000_000_000
"""At once, by what they took in the application."""

_SECONDS = 120
"""What the calls of one look may take in the sandbox before it counts as not getting through them."""


class Shadow:
    def __init__(self, kit: Kit, staged: Deployment) -> None:
        self._progress, self._executions = kit.progress, Executions(kit.state)
        self._old, self._new = kit.git.tree_of(staged.before), kit.git.tree_of(staged.after)
        self._folder = folder_of_tests([entry.path for entry in kit.git.entries(self._old)], kit.is_test)
        self._suite = _for_calls(kit.suite)
        self._seen: dict[str, int] = {}
        self._tally = Tally()

    def look(self, manifests: Sequence[Manifest], began: datetime, *, time_is_up: bool) -> Decision:
        for manifest in manifests:
            for tool in self._tools(manifest):
                if broken := self._compare(tool, manifest.path, self._arrived(tool, began)):
                    return Decision(State.ROLLBACK, broken)
        self._progress.advance("live calls compared", self._tally.pairs.calls, 0)
        decision = decide_shadow(self._tally.pairs, Terms(), time_is_up=time_is_up)
        if not self._tally.left_out:
            return decision
        return replace(decision, why=f"{decision.why}; {self._tally.left_out} could not be compared")

    def _tools(self, manifest: Manifest) -> Iterator[RecordedTool]:
        for tool in self._executions.tools():
            if (tool.module, tool.version) == (manifest.module, manifest.current.short):
                yield tool

    def _arrived(self, tool: RecordedTool, began: datetime) -> Sequence[RecordedCall]:
        """No more at once than can be run in a moment; the rest waits for the next look."""
        after = self._seen.get(tool.name, 0)
        found = self._executions.arrived(tool, CONTROL, since=began, after=after, limit=_MOST_CALLS)
        spent = accumulate(call.duration_ns or 0 for call in found)
        calls = [call for call, so_far in zip(found, spent, strict=True) if so_far <= _MOST_NS] or found[:1]
        if calls:
            self._seen[tool.name] = calls[-1].number
        return calls

    def _compare(self, tool: RecordedTool, path: str, calls: Sequence[RecordedCall]) -> str:
        """Adds up what came of these calls; why not, where the candidate does not even get to its end with them."""
        written = beside(tool, path, calls, self._folder)
        if written is None:
            self._tally = self._tally.leaving_out(len(calls))
            return ""
        new = self._run(self._new, written, list(written.calls))
        doubtful = _doubtful(written, new)
        old = self._run(self._old, written, doubtful) if doubtful else None
        if not new.complete and old is not None and old.complete:
            new = self._run(self._new, written, list(written.calls))  # a machine with too much to do is no fault of its
            if not new.complete:
                return (
                    f"the candidate did not get through calls of {tool.name} that the old version does: {new.problem}"
                )
        self._tally = self._tally.leaving_out(len(calls) - sum(map(len, written.calls.values())))
        self._tally = self._tally.with_calls(written.calls, old, new)
        return ""

    def _run(self, tree: str, written: Beside, tests: Sequence[str]) -> SuiteReport:
        return self._suite.run(tree, tests, overlay={written.path: written.text.encode()})


@dataclass(frozen=True)
class Tally:
    """`left_out` are calls that could not be written down or that the old tree does not answer as the application did."""

    pairs: Pairs = field(default_factory=Pairs)
    left_out: int = 0

    def leaving_out(self, calls: int) -> "Tally":
        return replace(self, left_out=self.left_out + calls)

    def with_calls(
        self, calls: Mapping[str, Sequence[RecordedCall]], old: SuiteReport | None, new: SuiteReport
    ) -> "Tally":
        """`old` ran what is in doubt: calls that failed, and those that the candidate does not answer as before."""
        tally = self
        for test, same in calls.items():
            tally = tally._with(test, len(same), old, new, failed=same[0].failed)
        return tally

    def _with(self, test: str, count: int, old: SuiteReport | None, new: SuiteReport, *, failed: bool) -> "Tally":
        pairs, passes = self.pairs, new.complete and test in new.passed
        if passes and not failed:
            return replace(self, pairs=replace(pairs, calls=pairs.calls + count))
        if old is None or not old.complete or (test in old.passed) == failed:
            return self.leaving_out(count)
        if failed:
            return replace(self, pairs=replace(pairs, better=pairs.better + count * passes))
        otherwise = _answers_otherwise(test, new)
        return replace(
            self,
            pairs=replace(
                pairs,
                calls=pairs.calls + count,
                different=pairs.different + count * otherwise,
                worse=pairs.worse + count * (not otherwise),
            ),
        )


def _doubtful(written: Beside, new: SuiteReport) -> list[str]:
    """What the old tree has to be asked about; all of it after a run that did not get to its end."""
    agreed = new.passed if new.complete else frozenset()
    return [test for test, same in written.calls.items() if same[0].failed or test not in agreed]


def _answers_otherwise(test: str, new: SuiteReport) -> bool:
    """Whether it is the comparison in the test that failed, and not the tool."""
    failure, path = new.failures.get(test), test.partition("::")[0]
    return (
        failure is not None and failure.exception == "AssertionError" and {at for at, _, _ in failure.frames} == {path}
    )


def _for_calls(suite: Suite) -> Suite:
    """Calls are run by pytest whatever runs the project's own tests, and what hangs must not outlast the trial."""
    tests = suite.policy.tests
    ours = tests.model_copy(
        update={"runner": "pytest", "timeout_seconds": min(tests.timeout_seconds, _SECONDS)},
    )
    return replace(suite, policy=suite.policy.model_copy(update={"tests": ours}))
