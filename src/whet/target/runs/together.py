"""Run tests on several versions of one tree in one sandbox, each version in a forked process of its own."""

import base64
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from whet.domain.suite import SuiteReport
from whet.sandbox.bubblewrap import INSIDE_AT
from whet.sandbox.sandbox import Finished
from whet.target.result_stream import ResultReader
from whet.target.suite import Overlay, Suite

_SECONDS_EACH = 20.0


@dataclass(frozen=True)
class VersionRun:
    """Tests to run on a version of a tree: the files of `overlay` replace those of the tree, None removes one."""

    tests: tuple[str, ...]
    overlay: Overlay = field(default_factory=dict)
    planted: tuple[str, ...] = ()


def run_together(suite: Suite, tree: str, runs: Sequence[VersionRun]) -> list[SuiteReport | None]:
    """Return the report of each run; None for a run that did not end in order, which must be repeated alone.

    Only a complete report is returned: limits are those of the sandbox, so which run broke one is not known. Code under
    test can reach the descriptor of the process that it was forked from. A report that it forges for another run comes
    twice, unless it kills that process; so neither a repeated report counts, nor any if that process was killed.
    """
    interpreter, policy = suite.interpreter, suite.policy.tests
    requests = [
        {
            "files": {path: _encoded(content) for path, content in run.overlay.items()},
            "request": {"args": policy.args, "ids": suite.real_ids(tree, run.tests), "planted": run.planted},
        }
        for run in runs
    ]
    argv = (interpreter.path, f"{INSIDE_AT}/run_pytest.py", "{results}")
    job = suite.job(tree, argv, min(policy.timeout_seconds, _SECONDS_EACH) * (len(runs) + 1))
    question = json.dumps({"runs": requests, "timeout_seconds": _SECONDS_EACH})
    finished = suite.sandbox.run(replace(job, stdin=question.encode()))
    suite.count_runs(len(runs))
    numbered = [_report(suite, tree, finished, line) for line in finished.lines] if finished.exit_code == 0 else []
    times = Counter(number for number, _ in numbered)
    reports = {number: report for number, report in numbered if times[number] == 1 and report and report.complete}
    return [reports.get(number) for number in range(len(runs))]


def _encoded(content: bytes | None) -> str | None:
    return None if content is None else base64.b64encode(content).decode()


def _report(suite: Suite, tree: str, finished: Finished, line: bytes) -> tuple[int, SuiteReport | None]:
    """Read the report of one fork; code under test could write to the same descriptor, so anything may come."""
    try:
        fork = json.loads(line)
        number, code, seconds = int(fork["run"]), int(fork["code"]), float(fork["seconds"])
        if not 0 <= seconds <= suite.policy.tests.timeout_seconds:
            return -1, None
        reader = ResultReader(None, suite.policy.tests.runner, suite.shown_ids)
        for event in fork["lines"]:
            reader.line(event.encode())
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return -1, None
    of_fork = replace(finished, exit_code=code, seconds=seconds, output="", lines=())
    return number, reader.report(tree, of_fork, finished.problem)
