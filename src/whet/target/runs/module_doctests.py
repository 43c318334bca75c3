"""Run the doctests of modules, also where the suite's own settings do not collect them."""

import json
from collections.abc import Sequence
from dataclasses import replace

from whet.sandbox.bubblewrap import INSIDE_AT
from whet.target.result_stream import ResultReader
from whet.target.suite import Suite

_WALL_SECONDS = 60


def passing_doctests(suite: Suite, tree: str, paths: Sequence[str]) -> frozenset[str]:
    """Return the ids of the doctests in these modules that pass under pytest.

    Doctests of a module that cannot be imported by itself do not pass; neither does any if the run reaches its time limit.
    """
    policy = suite.policy.tests
    question = {"args": [*policy.args, "--doctest-modules"], "ids": list(paths), "planted": []}
    argv = (suite.interpreter.path, f"{INSIDE_AT}/run_pytest.py", "{results}")
    job = suite.job(tree, argv, min(_WALL_SECONDS, policy.timeout_seconds))
    reader = ResultReader(None, policy.runner, suite.shown_ids)
    finished = suite.sandbox.run(replace(job, stdin=json.dumps(question).encode()), reader.line)
    report = reader.report(tree, finished, finished.problem)
    return report.passed & report.doctests
