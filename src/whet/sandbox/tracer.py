"""Which lines each test runs, seen from inside the sandbox."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from whet.sandbox.bubblewrap import INSIDE_AT
from whet.sandbox.suite import Suite

_TEST_SECONDS = 20
_ALL_SECONDS = 60


@dataclass(frozen=True)
class Traced:
    test: str
    outcome: str
    lines: dict[str, frozenset[int]]


def trace(suite: Suite, tree: str, tests: Sequence[str]) -> list[Traced]:
    """One run of these tests under a line tracer; a run that was cut off still tells what it saw."""
    argv = (suite.interpreter.path, f"{INSIDE_AT}/trace.py", "{results}", str(suite.git.root), str(_TEST_SECONDS),
            *suite.policy.tests.args, "--", *tests)  # fmt: skip
    finished = suite.sandbox.run(suite.job(tree, argv, min(_ALL_SECONDS, suite.policy.tests.timeout_seconds)))
    events = [json.loads(line) for line in finished.lines if line.startswith(b"{")]
    return [
        Traced(event["test"], event["outcome"], {path: frozenset(lines) for path, lines in event["lines"].items()})
        for event in events
        if "test" in event
    ]
