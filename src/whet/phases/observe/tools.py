"""Signals from running applications: repeated failures of their tools, and hours in which a tool was worse.

Failed calls are replayed in the sandbox first. If none of them fails on the base commit any more, there is no signal.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial

from whet.cases.from_calls import Replay, replay
from whet.cases.from_suggestion import folder_of_tests
from whet.cases.timed_calls import timed_calls, why_not_timed
from whet.domain.canonical import to_plain
from whet.domain.captured import CapturedCall, CapturedTool, FailureSignature, Overhead, Rollup
from whet.domain.clock import now
from whet.domain.finding import MINIMUM_SIGNALS
from whet.domain.payload import FailingCall, ObservedTool, SlowWindow
from whet.domain.plural import count
from whet.domain.recommendation import Recommendation, recommend
from whet.domain.regression import Regression
from whet.domain.signal import Signal
from whet.domain.suite import Failure, SuiteReport
from whet.domain.timed_calls import TimedCalls
from whet.domain.version import Mode
from whet.errors import EnvironmentProblem, StateUnusable
from whet.kit import Kit
from whet.knowledge.measures.benchmark import benchmark_of_calls
from whet.phases.observe.windows import worse_windows
from whet.store.codec import decode
from whet.store.executions import Executions
from whet.target.module_paths import path_of

_WINDOW = timedelta(days=7)
_MOST_FAILURES = 10
_MOST_CALLS = 60
_MOST_SIGNALS = 5
_ENOUGH = MINIMUM_SIGNALS


@dataclass(frozen=True)
class _Failing:
    """One failure signature of one version of a tool, with its number of errors and the number of all calls."""

    tool: CapturedTool
    failure: FailureSignature
    errors: int
    calls: int


@dataclass(frozen=True)
class _Replayed:
    """The result of replaying failed calls on the base: a test file that shows the failure, or that it is fixed, or the
    reason why neither is known."""

    regression: Regression | None = None
    failures: Mapping[str, Failure] = field(default_factory=dict)
    fixed: bool = False
    why_not: str = ""


def overhead(kit: Kit) -> Overhead:
    """Return the recent overhead of capturing; zero if the file cannot be read, which the source `tools` reports."""
    try:
        return Executions(kit.state).overhead(since=now() - _WINDOW)
    except StateUnusable:
        return Overhead(own_seconds=0.0, spent_seconds=0.0)


class Tools:
    """The signal source `tools`: reads the captured calls of running applications."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git = kit, kit.git
        self._executions = Executions(kit.state)
        self.skipped: tuple[str, ...] = ()

    def observe(self, commit: str) -> tuple[Signal, ...]:
        """Return the signals for a commit. A file that cannot be read is noted and gives no signals, since applications own it."""
        try:
            return self._observe(commit)
        except StateUnusable as problem:
            self._kit.progress.note(f"tools are left out: {problem.message}")
            return ()

    def _observe(self, commit: str) -> tuple[Signal, ...]:
        paths = [entry.path for entry in self._git.entries(self._git.tree_of(commit))]
        failing = sorted(self._failing(), key=lambda failing: -failing.errors)
        worst, rest = failing[:_MOST_FAILURES], failing[_MOST_FAILURES:]
        cut = f"{count(len(rest), 'failure')} skipped: only the {_MOST_FAILURES} most frequent ones are replayed"
        self.skipped = (cut,) if rest else ()
        signals = [signal for failing in worst for signal in self._signals(failing, commit, paths)]
        tools = self._executions.tools()
        path_by_tool = {tool.name: path_of(tool.module, tool.file, self._git.root, paths) for tool in tools}
        windows = list(worse_windows(self._executions.rollups(since=now() - _WINDOW), path_by_tool))
        return (*signals, *self._with_benchmarks(windows, tools, commit))

    def _with_benchmarks(
        self, windows: Sequence[Signal], tools: Sequence[CapturedTool], commit: str
    ) -> Iterator[Signal]:
        """Yield the windows; the first slow one of each tool that was slow often enough carries a benchmark, or why there is none."""
        slow = Counter(signal.subject for signal in windows if signal.kind == SlowWindow.kind)
        known = {(tool.name, tool.version): tool for tool in tools}
        for signal in windows:
            if signal.kind == SlowWindow.kind and slow.pop(signal.subject, 0) >= _ENOUGH:
                window = decode(SlowWindow, signal.payload)
                timed, why_not = self._benchmark(known[signal.subject, window.tool.version], window.tool.path, commit)
                yield replace(signal, payload=to_plain(replace(window, timed=timed, why_not=why_not)))
            else:
                yield signal

    def _benchmark(self, tool: CapturedTool, path: str, commit: str) -> tuple[TimedCalls | None, str]:
        """Return a benchmark of the tool's captured calls that runs on the base, or the reason why there is none."""
        if not path:
            return None, f"its module {tool.module} is not in this repository"
        if why_not := why_not_timed(tool.characteristics):
            return None, why_not
        timed = timed_calls(tool, path, self._calls(tool, failed=False))
        if timed is None:
            return None, "none of its captured calls can be written down"
        try:
            benchmark_of_calls(timed, self._kit).measure(self._git.tree_of(commit), 0)
        except EnvironmentProblem as problem:
            return None, f"its captured calls could not be timed: {problem.message}"[:500]
        return timed, ""

    def _failing(self) -> Iterator[_Failing]:
        """Yield the failure signatures of current versions that occurred often enough."""
        tools = {(tool.name, tool.version): tool for tool in self._executions.tools()}
        for row in self._newest_rows():
            tool = tools[row.tool, row.version]
            for failure in self._executions.signatures(row.tool, version=row.version):
                errors = row.failures.get(failure.signature, 0)
                if errors >= _ENOUGH:
                    yield _Failing(tool, failure, errors, row.calls)

    def _newest_rows(self) -> list[Rollup]:
        """Return, for each tool, the totals of the version that was called last; calls in trials are ignored."""
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
        replayed = self._replay(failing, path, failed, paths, commit)
        if replayed.fixed:
            self._kit.progress.note(f"{tool.name} no longer fails with {error}")
            return
        facts = FailingCall(
            signature=failure.signature,
            inputs="",
            summary=f"{error}: {failure.message}" if failure.message else error,
            tool=ObservedTool(
                name=tool.name, version=tool.version, path=path, characteristics=dict(tool.characteristics)
            ),
            calls=failing.calls,
            affected=failing.errors,
            recommendation=self._recommend(tool, len(replayed.regression.red) if replayed.regression else 0),
            frames=failure.frames,
            replay=replayed.regression,
            failures=dict(replayed.failures),
            why_not=replayed.why_not,
        )
        for number, call in enumerate(failed[:_MOST_SIGNALS]):
            bare = FailingCall(signature=failure.signature, inputs=call.inputs)
            payload = replace(facts, inputs=call.inputs) if number == 0 else bare
            yield Signal.of("tools", tool.name, payload, call.at)

    def _replay(
        self, failing: _Failing, path: str, failed: Sequence[CapturedCall], paths: Sequence[str], commit: str
    ) -> _Replayed:
        """Replay the calls on the base. A call that worked in the application but not on the base is left out."""
        tool, error = failing.tool, failing.failure.error.rpartition(".")[2]
        if not path:
            return _Replayed(why_not=f"its module {tool.module} is not in this repository")
        folder = folder_of_tests(paths, self._kit.is_test)
        write = partial(replay, tool, path, failed, self._calls(tool, failed=False), folder, error)
        test_file = write()
        if test_file is None:
            return _Replayed(
                why_not=next(iter(recommend(tool.characteristics, 1).warnings), "its calls cannot be written as a test")
            )
        report = self._run(test_file, commit)
        if not report.complete:
            return _Replayed(why_not=f"its calls could not be replayed: the run {report.problem}")
        red = tuple(test for test in (*test_file.failed, *test_file.cases) if test in report.red)
        if not red:
            return _Replayed(fixed=True)
        passed = tuple(test for test in test_file.ids if test in report.passed)
        if test_file.worked and not any(test in passed for test in test_file.worked):
            return _Replayed(why_not="none of its successful calls gives the same result in the sandbox")
        shortened = write(without=[test for test in test_file.ids if test not in red and test not in passed])
        assert shortened is not None  # noqa: S101 - the same file with fewer tests
        return _Replayed(
            regression=Regression(path=shortened.path, text=shortened.text, red=red, held=passed),
            failures={test: report.failures[test] for test in red if test in report.failures},
        )

    def _recommend(self, tool: CapturedTool, replayable_calls: int) -> Recommendation:
        shadows = self._kit.policy.deploy.trial is Mode.SHADOW
        return recommend(tool.characteristics, replayable_calls, shadows=shadows)

    def _calls(self, tool: CapturedTool, *, failed: bool) -> tuple[CapturedCall, ...]:
        return self._executions.calls(tool.name, version=tool.version, failed=failed, limit=_MOST_CALLS)

    def _run(self, test_file: Replay, commit: str) -> SuiteReport:
        """Run a test file on the tree of a commit, in the sandbox."""
        tree = self._git.with_files(self._git.tree_of(commit), {test_file.path: test_file.text.encode()})
        return self._kit.suite.run(tree, test_file.ids)
