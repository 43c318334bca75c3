"""Run the target's suite with unittest inside the sandbox and report every test id on a descriptor of its own.

    python run_unittest.py RESULT_FD

Takes the same request and writes the same events as run_pytest.py, for projects whose interpreter has no pytest. Runs
under the target's interpreter (3.9 or later); nothing of whet is importable.
"""

import importlib.util
import json
import os
import sys
import unittest.mock  # noqa: F401 - before the project's folder is on the path


def load(name):
    """Load a module that lies beside this script, without entering it in sys.modules."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    spec = importlib.util.spec_from_file_location("whet_" + name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


failure_report, module_digests, unittest_suite, parts = (
    load("failure_report"),
    load("module_digests"),
    load("unittest_suite"),
    load("parts"),
)
# Exit codes as pytest's, because the reader of the events knows those.
PASSED, FAILED, USAGE_ERROR, NO_TESTS = 0, 1, 4, 5


class UnittestReporter(unittest_suite.UnittestResult):
    """Writes the events of a run."""

    def __init__(self, descriptor, root):
        super().__init__()
        self._out = os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace")
        self._root = os.path.realpath(root) + os.sep
        self.any_red = False

    def write(self, **event):
        """Write an event. An outcome is flushed with the next start event; a hang is still attributed correctly."""
        self._out.write(json.dumps(event) + "\n")
        if event["event"] != "outcome":
            self._out.flush()

    def started(self, test):
        self.write(event="start", test=test)

    def ended(self, test, outcome, seconds, exception):
        self.any_red = self.any_red or outcome in ("failed", "error")
        failure = None
        if exception is not None:
            text = failure_report.text_of(exception, unittest_suite.text_of)
            failure = failure_report.describe(exception, exception.__traceback__, text, self._root)
        self.write(event="outcome", test=test, outcome=outcome, seconds=seconds, failure=failure)

    def import_error(self, path, exception):
        """Report a file that cannot be imported as an error of its own."""
        self.any_red = True
        text = failure_report.text_of(exception, unittest_suite.text_of)
        failure = failure_report.describe_import_error(exception, exception.__traceback__, text, self._root)
        self.write(event="outcome", test=path, outcome="error", seconds=0.0, collecting=True, failure=failure)


def choose_part(suite, part, planted, reporter):
    """Leave only the tests of a part in the suite, and the planted ones."""
    if part.get("list"):
        reporter.write(event="listed", tests=list(suite.tests), doctests=[])
    files = {test: test.split("::")[0] for test in suite.tests}
    suite.tests = {
        test: case
        for test, case in suite.tests.items()
        if files[test] in planted or parts.contains(part, files[test])
    }  # fmt: skip


def main():
    descriptor = int(sys.argv[1])
    os.set_inheritable(descriptor, False)
    request = json.loads(sys.stdin.read())
    sys.path[0] = os.getcwd()
    sys.argv[:] = ["python -m unittest"]
    reporter = UnittestReporter(descriptor, os.getcwd())
    code, digests = NO_TESTS, {}
    try:
        suite = unittest_suite.UnittestSuite(request["args"])
        suite.load(request["ids"], request["planted"])
    except unittest_suite.UnittestUsageError as problem:
        print(f"unittest: error: {problem}", file=sys.stderr)
        code = USAGE_ERROR
    else:
        for path, exception in suite.import_errors.items():
            reporter.import_error(path, exception)
        if request.get("part") is not None:
            choose_part(suite, request["part"], request["planted"], reporter)
        digests = module_digests.digests_of_tree(os.path.realpath(os.getcwd()) + os.sep)
        reporter.write(event="collected", count=len(suite.tests))
        suite.run(reporter)
        if suite.tests or suite.import_errors:
            code = FAILED if reporter.any_red else PASSED
    reporter.write(event="end", code=code, looks={**digests, **module_digests.digests_of_library()})
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


main()
