"""Evaluate expressions of the tests on the code of a tree, in the sandbox, in a process without a test runner."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from whet.sandbox.bubblewrap import INSIDE_AT
from whet.target.suite import Overlay, Suite

_SECONDS = 60.0
_ELSEWHERE = "/srv/live/site"
_ELSEWHERE_ENV = {
    "TZ": "NPT-5:45",  # a zone that needs no database
    "USER": "live",
    "LOGNAME": "live",
    "TERM": "xterm",
    "COLUMNS": "132",
    "PYTHONHASHSEED": "7",
    "PWD": _ELSEWHERE,
}


def ask(
    suite: Suite, tree: str, overlay: Overlay, request: Mapping[str, Any], *, elsewhere: bool = False
) -> list[dict[str, Any]] | None:
    """Return the events that the script inside wrote, or None if it did not finish or wrote something else.

    `elsewhere` changes the environment: another folder, time zone, user and hash seed, a terminal, and the questions
    in reverse order. Code that recognises the test environment answers differently there.
    """
    job = suite.job(tree, (suite.interpreter.path, f"{INSIDE_AT}/ask.py", "{results}"), _SECONDS, overlay)
    if elsewhere:
        job = replace(job, root=_ELSEWHERE, env={**job.env, **_ELSEWHERE_ENV})
    question = json.dumps({**request, "elsewhere": elsewhere}).encode()
    finished = suite.sandbox.run(replace(job, stdin=question))
    events = []
    for line in finished.lines:
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            return None
        if not isinstance(event, dict):
            return None
        events.append(event)
    if finished.stopped_by or not events or events[-1].get("event") != "end":
        return None
    return events[:-1]
