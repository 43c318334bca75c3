"""Which lines each test runs, seen from inside the sandbox."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from whet.sandbox.bubblewrap import INSIDE_AT
from whet.target.suite import Suite

_TEST_SECONDS = 20
_ALL_SECONDS = 60


@dataclass(frozen=True, order=True)
class Opening:
    """A file of the project that code in another one opened."""

    opener: str
    path: str
    writes: bool


@dataclass(frozen=True)
class Traced:
    test: str
    outcome: str
    lines: dict[str, frozenset[int]]
    jumps: dict[str, frozenset[tuple[int, int]]] = field(default_factory=dict)
    opened: frozenset[Opening] = frozenset()


def trace(suite: Suite, tree: str, tests: Sequence[str]) -> list[Traced]:
    """One run of these tests under a line tracer; a run that was cut off still tells what it saw."""
    argv = (suite.interpreter.path, f"{INSIDE_AT}/trace.py", "{results}", str(suite.git.root), str(_TEST_SECONDS),
            *suite.policy.tests.args, "--", *tests)  # fmt: skip
    finished = suite.sandbox.run(suite.job(tree, argv, min(_ALL_SECONDS, suite.policy.tests.timeout_seconds)))
    return [traced for line in finished.lines if (traced := _traced(line)) is not None]


def _traced(line: bytes) -> Traced | None:
    """One line of the tracer; what runs beside it can write to the same pipe, so another is passed over."""
    try:
        event = json.loads(line)
        lines = {str(path): frozenset(map(int, numbers)) for path, numbers in event["lines"].items()}
        jumps = {
            str(path): frozenset((int(here), int(there)) for here, there in pairs)
            for path, pairs in event["jumps"].items()
        }
        opened = frozenset(
            Opening(str(opener), str(path), writes is True) for opener, path, writes in event.get("opened", ())
        )
        return Traced(str(event["test"]), str(event["outcome"]), lines, jumps, opened)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
