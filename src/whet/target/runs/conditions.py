"""Run the suite on instrumented files and learn which outcomes of their conditions passing tests saw."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from whet.sandbox.bubblewrap import INSIDE_AT
from whet.target.suite import Overlay, Suite


@dataclass
class SeenOutcomes:
    """The outcomes of each condition by its number, with the first passing test that saw each outcome.

    `complete` is false if the run did not come to its end.
    """

    by_number: dict[int, dict[bool, str]] = field(default_factory=dict)
    complete: bool = False

    def of(self, number: int) -> dict[bool, str]:
        return self.by_number.get(number, {})


def watch_conditions(suite: Suite, tree: str, instrumented: Overlay, count: int, first: Sequence[str]) -> SeenOutcomes:
    """Run the whole suite, `first` before all others, until each of `count` conditions was seen both ways."""
    policy = suite.policy.tests
    request = {"runner": policy.runner, "args": policy.args, "ids": policy.folders, "first": first, "count": count}
    argv = (suite.interpreter.path, f"{INSIDE_AT}/watch_conditions.py", "{results}")
    job = suite.job(tree, argv, policy.timeout_seconds, instrumented)
    finished = suite.sandbox.run(replace(job, stdin=json.dumps(request).encode()))
    seen = SeenOutcomes()
    for line in finished.lines:
        _read(line, seen)
    return seen


def _read(line: bytes, seen: SeenOutcomes) -> None:
    """Add one line of the run. Other lines are dropped: code under test can write to the same pipe."""
    try:
        event = json.loads(line)
        if event.get("end") is True:
            seen.complete = True
            return
        for number, outcome in event["saw"]:
            seen.by_number.setdefault(int(number), {}).setdefault(outcome is True, str(event["test"]))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return
