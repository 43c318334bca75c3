"""Read the JSON lines that the test reporter writes inside the sandbox, and build a suite report from them.

The code under test runs in the reporter's process and could write to the same stream. So the stream must be consistent:
any deviation makes the run incomplete, never a pass.
"""

import json
import re
from collections.abc import Callable, Mapping

from whet.domain.redact import redact
from whet.domain.redact_noun import redact_noun
from whet.domain.suite import Failure, Outcome, SuiteReport
from whet.sandbox.sandbox import Finished
from whet.target.pytest_plugins import missing_plugins
from whet.target.shown_ids import ShownIds

OnProgress = Callable[[int, int], None]
_INTERNAL_ERROR = "INTERNALERROR>"
_USAGE_ERROR = ": error: "
_NOT_OURS = "the result stream was not what the reporter writes"
_OUTPUT_KEPT = 600
_LONGEST_SECONDS = 1e6
# In pytest's report of a conftest.py that does not import: a frame of a project file, a syntax error, the exception.
_FRAME = re.compile(r"^(?!\.\.|/)(\S.*\.py):(\d+): in ")
_SYNTAX_FRAME = re.compile(r'^E\s+File "(.+)", line (\d+)')
_EXCEPTION = re.compile(r"^E\s+(\w[\w.]*(?::.*)?)$")
# pytest's own exit codes; run_unittest.py uses the same
_INTERRUPTED, _NO_TESTS = 2, 5


class ResultReader:
    """Collects the events of one run: `listed`, `collected`, `start`, `outcome` and `end`."""

    def __init__(self, on_progress: OnProgress | None, runner: str = "pytest", ids: ShownIds | None = None) -> None:
        self._ids = ShownIds() if ids is None else ids
        self._on_progress, self._runner = on_progress, runner
        self._collected = self._collection_errors = 0
        self._running = ""
        self._end_code: int | None = None
        self._broken = ""
        self.outcomes: dict[str, Outcome] = {}
        self.failures: dict[str, Failure] = {}
        self.looks: dict[str, str] = {}
        self.doctests: set[str] = set()
        self.listed: frozenset[str] | None = None
        self.file_seconds: dict[str, float] = {}

    def line(self, line: bytes) -> None:
        """Read one line; after the first invalid line, ignore the rest."""
        if self._broken:
            return
        try:
            self._read(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            self._broken = _NOT_OURS

    def _read(self, event: dict[str, object]) -> None:
        if self._end_code is not None:
            raise ValueError("an event after the end event")
        match event["event"]:
            case "listed":
                self._read_listed(event)
            case "collected":
                self._collected = int(str(event["count"]))
            case "start":
                self._running = self._ids.shown(str(event["test"]))
            case "end":
                self._end_code = int(str(event["code"]))
                self.looks = _digests(event.get("looks", {}))
            case "outcome":
                self._read_outcome(self._ids.shown(str(event["test"])), event)
            case _:
                raise ValueError("unknown event")

    def _read_listed(self, event: dict[str, object]) -> None:
        tests, doctests = event["tests"], event["doctests"]
        if not isinstance(tests, list) or not isinstance(doctests, list) or self.listed is not None:
            raise TypeError("`tests` and `doctests` must be lists, named once")
        self.listed = frozenset(self._ids.shown(str(test)) for test in tests)
        self.doctests = {self._ids.shown(str(test)) for test in doctests}

    def _read_outcome(self, test: str, event: dict[str, object]) -> None:
        if test in self.outcomes:
            self._broken = f"{test} was reported twice"
            return
        self._running = ""
        self._collection_errors += event.get("collecting") is True
        self.outcomes[test] = Outcome(str(event["outcome"]))
        if event.get("doctest") is True:
            self.doctests.add(test)
        file = test.partition("::")[0]
        self.file_seconds[file] = self.file_seconds.get(file, 0.0) + _seconds(event.get("seconds"))
        failure = event.get("failure")
        if isinstance(failure, dict) and self.outcomes[test].red:
            self.failures[test] = redact_noun(failure_of_event(failure))
        if self._on_progress:
            self._on_progress(len(self.outcomes), max(self._collected, len(self.outcomes)))

    def report(self, tree: str, finished: Finished, problem: str) -> SuiteReport:
        """Return the report of a finished run; `problem` is the reason the sandbox stopped it, if it did."""
        output = redact(finished.output.strip())  # before it is cut: half a secret is not recognised
        if not problem and self._end_code is None:
            problem = "ended before its end line" + (f", in {self._running}" if self._running else "")
            problem += f": {_end_of(output)}" if output else ""
        elif problem and self._running:
            problem += f" (it was in {self._running})"
        if not problem and self._end_code not in (0, 1):
            problem = _runner_problem(self._runner, self._end_code, output, self.outcomes)
        problem = problem or self._broken or self._inconsistency(finished)
        return SuiteReport(
            tree=tree,
            outcomes=self.outcomes,
            seconds=finished.seconds,
            complete=not problem,
            problem=problem,
            exit_code=finished.exit_code,
            failures=self.failures,
            looks=self.looks,
            doctests=frozenset(self.doctests),
            file_seconds={file: round(seconds, 4) for file, seconds in self.file_seconds.items()},
        )

    def _inconsistency(self, finished: Finished) -> str:
        """Return the first contradiction between the collected count, the outcomes and the exit code; else ""."""
        if finished.exit_code != self._end_code:
            return f"reported exit code {self._end_code}, but exited with {finished.exit_code}"
        reported = len(self.outcomes) - self._collection_errors
        if reported != self._collected:
            return f"collected {self._collected} tests, but reported {reported}"
        any_red = any(outcome.red for outcome in self.outcomes.values())
        if self._end_code == 0 and any_red:
            return "exited as if nothing had failed, but reported a failure"
        if self._end_code == 1 and not any_red:
            return "exited as if a test had failed, but reported no failure"
        return ""


def _runner_problem(runner: str, code: int | None, output: str, outcomes: Mapping[str, Outcome]) -> str:
    """Return the reason the runner could not run the suite; "" if its exit code has a harmless reason."""
    if code == _NO_TESTS:
        return ""  # a complete run of nothing
    if code == _INTERRUPTED and outcomes:
        return ""  # some modules were not collected; each of them is reported as an error of its own
    lines = output.splitlines() or [f"exit code {code}"]
    internal_errors = [line.removeprefix(_INTERNAL_ERROR).strip() for line in lines if line.startswith(_INTERNAL_ERROR)]
    usage_errors = [line for line in lines if _USAGE_ERROR in line]  # the lines after it name files, not the cause
    cause = (internal_errors or usage_errors or lines)[-1]
    if not internal_errors and not usage_errors:
        cause = _conftest_error(lines) or cause
    packages = missing_plugins(cause)
    if packages:
        cause += f" (install {' and '.join(packages)} in the target's environment)"
    return f"could not be run by {runner}: {cause}"


def _end_of(output: str) -> str:
    """Return the last lines of the output; a line too long to be kept is cut at its start."""
    kept = output[-_OUTPUT_KEPT:]
    whole = kept.partition("\n")[2] if len(output) > len(kept) else kept
    return whole or kept


def _conftest_error(lines: list[str]) -> str:
    """Return `path:line: exception` of the innermost project frame, if a conftest.py does not import; else ""."""
    exceptions = [match[1] for line in lines if (match := _EXCEPTION.match(line))]
    frames = [match for line in lines if (match := _FRAME.match(line) or _SYNTAX_FRAME.match(line))]
    if not exceptions or not frames:
        return ""
    return f"{frames[-1][1]}:{frames[-1][2]}: {exceptions[-1]}"


def _seconds(raw: object) -> float:
    """Return a duration; 0 for anything that is not one, because durations only balance the work."""
    return float(raw) if isinstance(raw, int | float) and 0 <= raw < _LONGEST_SECONDS else 0.0


def _digests(raw: object) -> dict[str, str]:
    if not isinstance(raw, dict):
        raise TypeError("`looks` must be a dict of digests by name")
    return {str(name): str(digest) for name, digest in raw.items()}


def failure_of_event(raw: Mapping[str, object]) -> Failure:
    """Return the failure that failure_report.py has described. Raise an error for anything of another form."""
    frames, compared = raw["frames"], raw.get("compared") or []
    if not isinstance(frames, list) or not isinstance(compared, list):
        raise TypeError("`frames` and `compared` must be lists")
    return Failure(
        exception=str(raw["exception"]),
        message=str(raw["message"]),
        frames=tuple((str(path), int(line), str(name)) for path, line, name in frames),
        text=str(raw["text"]),
        compared=tuple(map(str, compared[:2])),
    )
