"""Run the target's suite with pytest inside the sandbox and report every test id on a descriptor of its own.

    python run_pytest.py RESULT_FD

Runs under the target's interpreter (3.9 or later); nothing of whet is importable. Reads one JSON object from standard
input (`args`, `ids`, `planted`, and optionally `part`) and writes one JSON line per event: `collected`, `start`, `outcome`,
`end`. The end event has digests of the tree's modules, taken after collection, and of the library's, taken after the last
test. With a `part` everything is collected and only a part runs (parts.py); `listed` then names all collected tests.
An object with `runs` and `timeout_seconds` instead holds several such requests, each to be run in a fork (fork_runs.py).
pytest is imported before the project's folder is on the path, so no module of the project can replace it.
"""

import importlib.util
import json
import os
import random
import sys
import time

import pytest
from _pytest.doctest import DoctestItem  # older versions of pytest have no public name for it

RED = ("failed", "error")


def load(name):
    """Load a module that lies beside this script, without entering it in sys.modules."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    spec = importlib.util.spec_from_file_location("whet_" + name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


failure_report, module_digests = load("failure_report"), load("module_digests")
pytest_options, parts = load("pytest_options"), load("parts")


class PytestReporter:
    """The pytest plug-in that writes the events."""

    def __init__(self, descriptor, root, planted, part):
        self._planted, self._part = planted, part
        self._out = os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace")
        self._root = os.path.realpath(root) + os.sep
        self._failures = {}
        self._open = {}
        self._doctests = set()
        self._repeated = set()
        self._compared = []
        self._began = 0.0
        self.tree_digests = {}

    def write(self, **event):
        """Write an event. An outcome is flushed with the next start event; a hang is still attributed correctly."""
        self._out.write(json.dumps(event) + "\n")
        if event["event"] != "outcome":
            self._out.flush()

    def pytest_configure(self, config):
        """Add the planted files to the arguments, except below a folder that is collected anyway.

        If pytest 8 is given both a folder and a file in it, it runs only the file; other versions run a file twice that
        is named twice.
        """
        top = self._root  # the suite of a package runs in another folder
        given = [os.path.join(top, argument) for argument in config.args]
        missing = [path for path in self._planted if not any(holds(place, os.path.join(top, path)) for place in given)]
        missing = [path for path in missing if path not in config.args]
        config.args = [*config.args, *missing]
        for path in self._planted:
            config.addinivalue_line("python_files", os.path.basename(path))

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        """Leave only the part that runs, and move the planted tests to a random place between two files, so that no
        fixture is set up twice for them."""
        if self._part is not None:
            self._choose_part(items)
        planted = [item for item in items if item.nodeid.split("::")[0] in self._planted]
        if not planted:
            return
        others = [item for item in items if item.nodeid.split("::")[0] not in self._planted]
        files = [item.nodeid.split("::")[0] for item in others]
        seams = [0, *(place for place in range(1, len(files)) if files[place - 1] != files[place]), len(files)]
        place = random.SystemRandom().choice(seams)
        items[:] = [*others[:place], *planted, *others[place:]]

    def _choose_part(self, items):
        if self._part.get("list"):
            doctests = [item.nodeid for item in items if isinstance(item, DoctestItem)]
            self.write(event="listed", tests=[item.nodeid for item in items], doctests=doctests)
        items[:] = [item for item in items if self._runs(item.nodeid.split("::")[0])]

    def _runs(self, file):
        return file in self._planted or parts.contains(self._part, file)

    def pytest_collection_finish(self, session):
        self.tree_digests = module_digests.digests_of_tree(self._root)
        self._doctests = {item.nodeid for item in session.items if isinstance(item, DoctestItem)}
        self.write(event="collected", count=len(session.items))

    def pytest_collectreport(self, report):
        if report.failed:
            self.write(
                event="outcome",
                test=report.nodeid or "collection",
                outcome="error",
                seconds=0.0,
                collecting=True,
                failure=self._collection_failure(report),
            )

    def pytest_runtest_logstart(self, nodeid, location):
        self._open[nodeid] = None
        self._repeated.discard(nodeid)
        self._compared = []
        self._began = time.perf_counter()
        self.write(event="start", test=nodeid)

    def pytest_assertrepr_compare(self, op, left, right):
        if op == "==":
            self._compared = failure_report.compared_texts(left, right) or self._compared

    def pytest_exception_interact(self, node, call, report):
        """Keep the failure of a test, or of a test file that cannot be imported, until its outcome is reported."""
        if call.excinfo is None:
            return
        exception, text = call.excinfo.value, report.longreprtext
        if isinstance(report, pytest.TestReport):
            failure = failure_report.describe(exception, call.excinfo.tb, text, self._root, self._compared)
        else:
            # pytest wraps errors of an import in a CollectError; the wrapped exception has the useful traceback.
            if isinstance(exception.__cause__, (ImportError, SyntaxError)):
                exception = exception.__cause__
            failure = failure_report.describe_import_error(exception, exception.__traceback__, text, self._root)
        self._failures[report.nodeid] = failure

    def pytest_runtest_logreport(self, report):
        """Combine the reports of a test's phases and subtests: the first outcome counts, unless a later one is red.

        A report with the outcome `rerun` comes from a plug-in that repeats the test; only the repetition counts.
        """
        if report.outcome == "rerun":
            self._repeated.add(report.nodeid)
            self._failures.pop(report.nodeid, None)
        if report.nodeid in self._repeated:
            return
        outcome = self._outcome(report)
        earlier = self._open.get(report.nodeid)
        if outcome is not None and (earlier is None or (outcome in RED and earlier not in RED)):
            self._open[report.nodeid] = outcome
        if report.when == "teardown":
            outcome = self._open.pop(report.nodeid, None) or "error"
            if report.failed:
                outcome = "error"
            failure = self._failures.pop(report.nodeid, None)
            # The id alone does not tell: `a.py::a` is the docstring of a module, or a function named like its file.
            doctest = report.nodeid in self._doctests
            self.write(
                event="outcome",
                test=report.nodeid,
                outcome=outcome,
                seconds=time.perf_counter() - self._began,  # with what the runner itself needs for the test
                doctest=doctest,
                failure=failure,
            )

    def _outcome(self, report):
        expected = hasattr(report, "wasxfail")
        if report.failed:
            return "failed" if report.when == "call" else "error"
        if report.skipped:
            return "xfailed" if expected else "skipped"
        if report.when == "call":
            return "xpassed" if expected else "passed"
        return None

    def _collection_failure(self, report):
        """Return the failure of a test file: of the exception if it has project frames, else from pytest's text."""
        failure = self._failures.pop(report.nodeid, None)
        if failure is not None and failure["frames"]:
            return failure
        text = report.longreprtext
        last = [line for line in text.splitlines() if line.startswith("E ")][-1:] or text.splitlines()[-1:]
        sentence = last[0].lstrip("E ").strip() if last else "does not collect"
        name = sentence.split(":", 1)[0]
        kind = name if name.isidentifier() else "CollectError"
        return {"exception": kind, "message": sentence, "frames": [], "text": text[-failure_report.TEXT_KEPT :]}


def holds(folder, path):
    """True if `folder`, an argument of pytest, is a folder that contains the file `path`."""
    return os.path.isdir(folder) and os.path.realpath(path).startswith(os.path.join(os.path.realpath(folder), ""))


def main():
    descriptor = int(sys.argv[1])
    os.set_inheritable(descriptor, False)
    request = json.loads(sys.stdin.read())
    sys.path[0] = os.getcwd()
    if "runs" in request:
        descriptor, request = load("fork_runs").fork_each(descriptor, request["runs"], request["timeout_seconds"])
    # pytest's own tracebacks parse the whole test file for every failure: minutes if hundreds fail in a long file.
    args = ["--continue-on-collection-errors", "--maxfail=0", "-q", "--tb=native"]
    args += pytest_options.one_process(request["args"])
    reporter = PytestReporter(descriptor, os.getcwd(), request["planted"], request.get("part"))
    code = pytest.main(
        [*request["args"], *args, *request["ids"]], plugins=[reporter, *pytest_options.package_plugins()]
    )
    digests = {**reporter.tree_digests, **module_digests.digests_of_library()}
    reporter.write(event="end", code=int(code), looks=digests)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(int(code))


main()
