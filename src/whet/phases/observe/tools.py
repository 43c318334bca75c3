"""Signals from running applications: calls of their tools that fail the same way, tried again in the sandbox first.

What no longer fails on the base is no signal any more, whoever mended it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any

from whet.cases.from_calls import Replay, replay
from whet.cases.from_suggestion import Regression, folder_of_tests
from whet.domain.canonical import to_plain
from whet.domain.clock import now
from whet.domain.finding import MINIMUM_SIGNALS, FindingKind
from whet.domain.recorded import FailureSignature, Overhead, RecordedCall, RecordedTool, Rollup
from whet.domain.signal import Signal
from whet.domain.strategy import Strategy, strategy
from whet.domain.suite import SuiteReport
from whet.domain.version import Mode
from whet.errors import StateUnusable
from whet.kit import Kit
from whet.phases.observe.windows import worse_windows
from whet.store.executions import Executions
from whet.target.module_paths import path_of

_WINDOW = timedelta(days=7)
_MOST_FAILURES = 10
_MOST_CALLS = 60
_MOST_SIGNALS = 5
_ENOUGH = MINIMUM_SIGNALS[FindingKind.FAILING_TOOL]


@dataclass(frozen=True)
class _Failing:
    """A way in which one version of a tool fails, and how often of how many calls."""

    tool: RecordedTool
    failure: FailureSignature
    errors: int
    calls: int


@dataclass(frozen=True)
class _Again:
    """What came of calling it again: the test file that shows the failure, that there is none any more, or why not."""

    regression: Regression | None = None
    failures: Mapping[str, Any] = field(default_factory=dict)
    mended: bool = False
    why_not: str = ""


def overhead(kit: Kit) -> Overhead:
    """A file that cannot be read says nothing, and the source `tools` says that."""
    try:
        return Executions(kit.state).overhead(since=now() - _WINDOW)
    except StateUnusable:
        return Overhead(own_seconds=0.0, spent_seconds=0.0)


class Tools:
    def __init__(self, kit: Kit) -> None:
        self._kit, self._git = kit, kit.git
        self._executions = Executions(kit.state)

    def observe(self, commit: str) -> tuple[Signal, ...]:
        """The file is the application's: one that cannot be read stops nothing but this."""
        try:
            return self._observe(commit)
        except StateUnusable as problem:
            self._kit.progress.note(f"tools are left out: {problem.message}")
            return ()

    def _observe(self, commit: str) -> tuple[Signal, ...]:
        paths = [entry.path for entry in self._git.entries(self._git.tree_of(commit))]
        found = sorted(self._failing(), key=lambda one: -one.errors)[:_MOST_FAILURES]
        signals = [signal for failing in found for signal in self._signals(failing, commit, paths)]
        known = {tool.name: path_of(tool.module, tool.file, self._git.root, paths) for tool in self._executions.tools()}
        recent = self._executions.rollups(since=now() - _WINDOW)
        return (*signals, *worse_windows(recent, known))

    def _failing(self) -> Iterator[_Failing]:
        tools = {(tool.name, tool.version): tool for tool in self._executions.tools()}
        for row in self._newest():
            tool = tools[row.tool, row.version]
            for failure in self._executions.signatures(row.tool, version=row.version):
                if (errors := row.failures.get(failure.signature, 0)) >= _ENOUGH:
                    yield _Failing(tool, failure, errors, row.calls)

    def _newest(self) -> list[Rollup]:
        """The version of each tool that was called last, as it is for everybody: a trial's arms are not."""
        rows = [row for row in self._executions.opportunity_rows(since=now() - _WINDOW) if row.arm == "current"]
        newest = {}
        for row in sorted(rows, key=lambda row: (row.began_at + row.length, row.began_at)):
            newest[row.tool] = row
        return list(newest.values())

    def _signals(self, failing: _Failing, commit: str, paths: Sequence[str]) -> Iterator[Signal]:
        tool, failure = failing.tool, failing.failure
        error = failure.error.removeprefix("builtins.")
        path = path_of(tool.module, tool.file, self._git.root, paths)
        failed = [call for call in self._calls(tool, failed=True) if call.signature == failure.signature]
        again = self._again(failing, path, failed, paths, commit)
        if again.mended:
            self._kit.progress.note(f"{tool.name} no longer fails so: {error}")
            return
        payload = {
            "signature": failure.signature,
            "what": f"{error}: {failure.message}" if failure.message else error,
            "tool": {"name": tool.name, "version": tool.version, "path": path, "characteristics": tool.characteristics},
            "strategy": to_plain(self._strategy(tool, len(again.regression.red) if again.regression else 0)),
            "calls": failing.calls,
            "hurt": failing.errors,
            "frames": [list(frame) for frame in failure.frames],
            "replay": to_plain(again.regression) if again.regression else None,
            "failures": again.failures,
            "why_not": again.why_not,
        }
        for number, call in enumerate(failed[:_MOST_SIGNALS]):
            told = payload if number == 0 else {"signature": failure.signature}
            yield Signal(
                source="tools",
                subject=tool.name,
                kind="failing_call",
                at=call.at,
                payload={**told, "inputs": call.inputs},
            )

    def _again(
        self, failing: _Failing, path: str, failed: Sequence[RecordedCall], paths: Sequence[str], commit: str
    ) -> _Again:
        """The calls, called again on the base. A call whose answer is another there says nothing about a change."""
        tool, error = failing.tool, failing.failure.error.rpartition(".")[2]
        if not path:
            return _Again(why_not=f"its module {tool.module} is not in this repository")
        folder = folder_of_tests(paths, self._kit.is_test)
        write = partial(replay, tool, path, failed, self._calls(tool, failed=False), folder, error)
        written = write()
        if written is None:
            return _Again(
                why_not=next(iter(strategy(tool.characteristics, 1).warnings), "its calls cannot be written down")
            )
        tried = self._tried(written, commit)
        if not tried.complete:
            return _Again(why_not=f"its calls could not be tried again: the run {tried.problem}")
        red = tuple(test for test in (*written.failed, *written.cases) if test in tried.red)
        if not red:
            return _Again(mended=True)
        held = tuple(test for test in written.ids if test in tried.passed)
        if written.worked and not any(test in held for test in written.worked):
            return _Again(why_not="none of its calls comes out in the sandbox as it did in the application")
        kept = write(without=[test for test in written.ids if test not in red and test not in held])
        assert kept is not None  # noqa: S101 - it is the same file with less in it
        return _Again(
            regression=Regression(path=kept.path, text=kept.text, red=red, held=held),
            failures={test: to_plain(tried.failures[test]) for test in red if test in tried.failures},
        )

    def _strategy(self, tool: RecordedTool, recorded: int) -> Strategy:
        shadows = self._kit.policy.deploy.trial is Mode.SHADOW
        return strategy(tool.characteristics, recorded, shadows=shadows)

    def _calls(self, tool: RecordedTool, *, failed: bool) -> tuple[RecordedCall, ...]:
        return self._executions.calls(tool.name, version=tool.version, failed=failed, limit=_MOST_CALLS)

    def _tried(self, written: Replay, commit: str) -> SuiteReport:
        ground = self._git.with_files(self._git.tree_of(commit), {written.path: written.text.encode()})
        return self._kit.suite.run(ground, written.ids)
