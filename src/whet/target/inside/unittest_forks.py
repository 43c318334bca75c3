"""Run the candidates of evaluate.py with unittest: fork before anything of the project is imported.

Loaded by its path in the target's interpreter (3.9 or later, Linux). `server` is evaluate.py's Server; it also holds the
modules `swap` and `unittest_suite`.
"""

import sys


def run(server, arguments, first):
    """Fork for every request and run its tests; `first` is the first request."""
    del first
    sys.argv = ["python -m unittest"]
    if server.swift:
        server.prepare = _cannot_swap(server)
    request = server.attend()
    unittest_suite = server.unittest_suite

    class ForkedResult(unittest_suite.UnittestResult):
        """Sends the outcome of each test down the fork's pipe."""

        def finished(self, test):
            if server.stop_early and self._held[1] in ("failed", "error"):
                self._flush()

        def ended(self, test, outcome, seconds, exception):
            server.tell(test, outcome)
            if server.stop_early and outcome in ("failed", "error"):
                server.end()

    try:
        suite = unittest_suite.UnittestSuite(arguments)
        suite.load(request["tests"])
        for path in suite.import_errors:
            server.tell(path, "error")
        suite.run(ForkedResult())
    finally:
        server.end()


def _cannot_swap(server):
    def prepare(_request):
        raise server.swap.CannotSwap("unittest suites are imported for every candidate")

    return prepare
