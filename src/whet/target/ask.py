"""Ask the code of a tree for values, in the sandbox, with no test runner in its process."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from whet.sandbox.bubblewrap import INSIDE_AT
from whet.target.suite import Over, Suite

_SECONDS = 60.0
_ELSEWHERE = "/srv/live/site"
_ELSEWHERE_ENV = {
    "TZ": "NPT-5:45",  # a zone that needs no database
    "USER": "live", "LOGNAME": "live", "TERM": "xterm", "COLUMNS": "132", "PYTHONHASHSEED": "7", "PWD": _ELSEWHERE,
}  # fmt: skip


def ask(
    suite: Suite, tree: str, over: Over, request: Mapping[str, Any], *, elsewhere: bool = False
) -> list[dict[str, Any]] | None:
    """What it said, line by line; None when it did not get to its end.

    `elsewhere` is another world: another folder, zone, user and hash seed, a terminal, another order of the questions.
    """
    job = suite.job(tree, (suite.interpreter.path, f"{INSIDE_AT}/ask.py", "{results}"), _SECONDS, over)
    if elsewhere:
        job = replace(job, root=_ELSEWHERE, env={**job.env, **_ELSEWHERE_ENV})
    given = json.dumps({**request, "elsewhere": elsewhere}).encode()
    finished = suite.sandbox.run(replace(job, stdin=given))
    events = []
    for line in finished.lines:
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            return None
        if not isinstance(event, dict):
            return None
        events.append(event)
    whole = not finished.stopped_by and events and events[-1].get("event") == "end"
    return events[:-1] if whole else None
