"""Trace which lines each test runs, the jumps between them, and which files it opens.

    python trace.py RESULT_FD ROOT TIMEOUT_SECONDS RUNNER [args...] -- id id ...

RUNNER is `pytest` or `unittest`. Runs under the target's interpreter (3.9 or later), inside the sandbox. Writes one JSON line per test to RESULT_FD, then an
end line; an interrupted run has none:

    {"test": "tests/test_x.py::test_y", "outcome": "failed", "lines": {"pkg/mod.py": [1, 2, 5]},
     "jumps": {"pkg/mod.py": [[1, 2], [2, 5]]}, "opened": [["pkg/mod.py", "tests/data.txt", false]]}
    {"end": true}

Setup and teardown count for their test; imports before the first test count for none. A test that runs longer than
TIMEOUT_SECONDS is interrupted and counts as failed, with the lines it ran until then. Jumps are within one function;
Python 3.12 and later reports only those of branches. `opened` lists [opener, file, written] for the project's files other
than modules; files opened at import count for every test.
"""

import importlib.util
import json
import os
import signal
import sys
import tempfile


def load(name):
    """Load a module that lies beside this script, without entering it in sys.modules."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    spec = importlib.util.spec_from_file_location("whet_" + name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


line_tracers, pytest_options = load("line_tracers"), load("pytest_options")


class TimeIsUp(BaseException):
    """A test ran longer than TIMEOUT_SECONDS. Not an Exception, so that the code under test does not catch it."""


class TestTracer:
    """Traces one test at a time, from the start of its setup to the end of its teardown, and writes its event."""

    def __init__(self, result, root, timeout_seconds):
        files = line_tracers.Files(root)
        self.result = result
        self.line_tracer = line_tracers.tracer_for(files)
        self.opened = line_tracers.OpenedFiles(files)
        self.timeout_seconds = timeout_seconds

    def start(self):
        signal.signal(signal.SIGALRM, _interrupt)
        signal.setitimer(signal.ITIMER_REAL, self.timeout_seconds)
        self.opened.start()
        self.line_tracer.start()

    def stop(self):
        """Stop tracing and return the data of the test's event, without its outcome."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        coverage, opened = self.line_tracer.stop(), self.opened.stop()
        return {**coverage.as_event(), "opened": opened}

    def write(self, test, outcome, data):
        _send(self.result, {"test": test, "outcome": outcome, **data})


class PytestPlugin:
    """The pytest plug-in that starts and stops the tracer."""

    def __init__(self, tracer):
        self.tracer = tracer
        self.outcome = "error"

    def pytest_runtest_logstart(self):
        self.outcome = None
        self.tracer.start()

    def pytest_runtest_logreport(self, report):
        outcome = _outcome(report)
        if outcome is not None and self.outcome not in ("failed", "error"):
            self.outcome = outcome

    def pytest_runtest_logfinish(self, nodeid):
        self.tracer.write(nodeid, self.outcome or "error", self.tracer.stop())


def _interrupt(_number, _frame):
    raise TimeIsUp


def _outcome(report):
    if hasattr(report, "wasxfail"):
        return {"skipped": "xfailed", "passed": "xpassed"}.get(report.outcome)
    if report.when == "call" or report.outcome == "skipped":
        return report.outcome
    return "error" if report.outcome == "failed" else None


def _send(fd, message):
    data = (json.dumps(message) + "\n").encode()
    while data:
        data = data[os.write(fd, data) :]


def _put_project_on_path():
    """Do as `python -m pytest` does: put the project's folder, not this script's, first on the path."""
    here = os.path.dirname(os.path.abspath(__file__))
    if sys.path and os.path.abspath(sys.path[0]) == here:
        del sys.path[0]
    sys.path.insert(0, os.getcwd())
    sys.dont_write_bytecode = True


def main():
    result, root, timeout_seconds, runner = int(sys.argv[1]), sys.argv[2], float(sys.argv[3]), sys.argv[4]
    divider = sys.argv.index("--", 5)
    arguments, tests = sys.argv[5:divider], sys.argv[divider + 1 :]
    os.set_inheritable(result, False)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    # Loaded before the project's folder is on the path, so that no module of the project replaces unittest.
    unittest_suite = load("unittest_suite") if runner == "unittest" else None
    _put_project_on_path()
    tracer = TestTracer(result, root, timeout_seconds)
    if unittest_suite is not None:
        _trace_unittest(unittest_suite, tracer, arguments, tests)
    else:
        _trace_pytest(tracer, arguments, tests)
    _send(result, {"end": True})


def _trace_pytest(tracer, arguments, tests):
    import pytest

    if not any(argument.startswith("--rootdir") for argument in arguments):
        arguments.append("--rootdir=" + os.getcwd())
    sys.argv = [os.path.join(os.path.dirname(pytest.__file__), "__main__.py")]
    quiet = ["-q", "--tb=no", "--no-header", "--no-summary", *pytest_options.one_process(arguments)]
    quiet += pytest_options.without_cache(arguments, tempfile.gettempdir())
    pytest.main([*arguments, *quiet, *tests], plugins=[PytestPlugin(tracer), *pytest_options.package_plugins()])


def _trace_unittest(unittest_suite, tracer, arguments, tests):
    class TracedResult(unittest_suite.UnittestResult):
        """Starts and stops the tracer around every test."""

        def started(self, test):
            tracer.start()

        def finished(self, test):
            self.data = tracer.stop()

        def ended(self, test, outcome, seconds, exception):
            tracer.write(test, outcome, self.data)

    sys.argv = ["python -m unittest"]
    suite = unittest_suite.UnittestSuite(arguments)
    suite.load(tests)
    suite.run(TracedResult())


if __name__ == "__main__":
    main()
