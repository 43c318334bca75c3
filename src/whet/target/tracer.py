"""Trace which lines each test runs and which files it opens, inside the sandbox."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from whet.sandbox.bubblewrap import INSIDE_AT
from whet.target.suite import Suite

_TEST_SECONDS = 20
_ALL_SECONDS = 60


@dataclass(frozen=True, order=True)
class FileAccess:
    """A file of the project that was opened by code in another file of the project."""

    opener: str
    path: str
    writes: bool


@dataclass(frozen=True)
class TracedTest:
    """The lines that one test ran, the jumps between lines, and the files it opened, each by path."""

    test: str
    outcome: str
    lines: dict[str, frozenset[int]]
    jumps: dict[str, frozenset[tuple[int, int]]] = field(default_factory=dict)
    opened: frozenset[FileAccess] = frozenset()


def trace(suite: Suite, tree: str, tests: Sequence[str]) -> list[TracedTest]:
    """Run the tests once under a line tracer. A run that reaches a time limit returns the tests traced until then."""
    argv = (
        suite.interpreter.path,
        f"{INSIDE_AT}/trace.py",
        "{results}",
        str(suite.git.root),
        str(_TEST_SECONDS),
        suite.policy.tests.runner,
        *suite.policy.tests.args,
        "--",
        *suite.real_ids(tree, tests),
    )
    wall_seconds = min(_ALL_SECONDS, suite.policy.tests.timeout_seconds)
    finished = suite.sandbox.run(suite.job(tree, argv, wall_seconds))
    traced = [_traced_test(line) for line in finished.lines]
    return [replace(test, test=suite.shown_ids.shown(test.test)) for test in traced if test is not None]


def _traced_test(line: bytes) -> TracedTest | None:
    """Parse one line of the tracer. Return None for any other line: code under test can write to the same pipe."""
    try:
        event = json.loads(line)
        return TracedTest(
            test=str(event["test"]),
            outcome=str(event["outcome"]),
            lines={str(path): frozenset(map(int, numbers)) for path, numbers in event["lines"].items()},
            jumps={str(path): _jumps(pairs) for path, pairs in event["jumps"].items()},
            opened=frozenset(_access(*access) for access in event.get("opened", ())),
        )
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None


def _jumps(pairs: Any) -> frozenset[tuple[int, int]]:
    return frozenset((int(start), int(end)) for start, end in pairs)


def _access(opener: object, path: object, writes: object) -> FileAccess:
    return FileAccess(str(opener), str(path), writes is True)
