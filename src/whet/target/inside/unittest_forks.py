"""Run the candidates of evaluate.py with unittest: fork before anything of the project is imported.

Loaded by its path in the target's interpreter (3.9 or later, Linux). `server` is evaluate.py's Server; it also holds the
modules `swap` and `unittest_suite`.
"""

import os
import sys


def run(server, arguments, first):
    """Fork for every request and run its tests; `first` is the first request."""
    del first
    sys.argv = ["python -m unittest"]
    if server.swift:
        server.prepare = _cannot_swap(server)
    request = server.attend()
    unittest_suite, failure_report = server.unittest_suite, server.failure_report
    root = os.path.join(os.path.realpath(server.root), "")

    class ForkedResult(unittest_suite.UnittestResult):
        """Sends the outcome of each test down the fork's pipe."""

        def finished(self, test):
            if server.stop_early and self._held[1] in ("failed", "error"):
                self._flush()

        def ended(self, test, outcome, seconds, exception):
            described = exception is not None and server.describes_failures
            failure = failure_report.describe(exception, exception.__traceback__, "", root) if described else None
            server.tell(test, outcome, failure)
            if server.stop_early and outcome in ("failed", "error"):
                server.end()

    try:
        suite = unittest_suite.UnittestSuite(arguments)
        suite.load(request["tests"])
        for path, problem in suite.import_errors.items():
            failure = failure_report.describe_import_error(problem, problem.__traceback__, "", root)
            server.tell(path, "error", failure)
        suite.run(ForkedResult())
    finally:
        server.end()


def _cannot_swap(server):
    def prepare(_request):
        raise server.swap.CannotSwap("unittest suites are imported for every candidate")

    return prepare
