"""Run the suite and report, for the conditions of an instrumented file, which outcomes passing tests saw.

    python watch_conditions.py RESULT_FD

Runs under the target's interpreter (3.9 or later), inside the sandbox. Reads one JSON object from standard input: `runner`
(`pytest` or `unittest`), `args`, `ids` (folders, files or test ids; empty for the whole suite), `first` (ids to run before
all others) and `count` (the number of conditions). The instrumented code calls `__whet_saw__(number, value)`. Writes a
line for each passing test that saw something new, and an end line:

    {"test": "tests/test_x.py::test_y", "saw": [[0, true], [1, false]]}
    {"end": true}

The run ends early when every condition was seen both ways.
"""

import builtins
import importlib.util
import json
import os
import sys


def load(name):
    """Load a module that lies beside this script, without entering it in sys.modules."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    spec = importlib.util.spec_from_file_location("whet_" + name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


pytest_options = load("pytest_options")


class Watcher:
    """Collects the outcomes of conditions, test by test; those of tests that do not pass are dropped."""

    def __init__(self, result, count):
        self.result, self.count = result, count
        self.seen, self.now = set(), set()

    def saw(self, number, value):
        self.now.add((number, bool(value)))
        return value

    def start(self):
        self.now.clear()

    def stop(self, test, passed):
        """Report what a test saw; return True if nothing is left to see."""
        new = self.now - self.seen if passed else set()
        if new:
            self.seen |= new
            send(self.result, {"test": test, "saw": sorted(new)})
        self.now.clear()
        return len(self.seen) == 2 * self.count


class ConditionPlugin:
    """The pytest plug-in that tells the watcher where a test begins and ends."""

    def __init__(self, watcher, first):
        self.watcher, self.first = watcher, set(first)
        self.passed = False
        self.session = None

    def pytest_collection_modifyitems(self, session, items):
        self.session = session
        items.sort(key=lambda item: item.nodeid not in self.first)

    def pytest_runtest_logstart(self):
        self.passed = False
        self.watcher.start()

    def pytest_runtest_logreport(self, report):
        if report.when == "call":
            self.passed = report.passed and not hasattr(report, "wasxfail")
        elif report.failed:
            self.passed = False

    def pytest_runtest_logfinish(self, nodeid):
        if self.watcher.stop(nodeid, self.passed):
            self.session.shouldstop = "every condition was seen both ways"


def send(descriptor, message):
    data = (json.dumps(message) + "\n").encode()
    while data:
        data = data[os.write(descriptor, data) :]


def main():
    result = int(sys.argv[1])
    os.set_inheritable(result, False)
    request = json.loads(sys.stdin.read())
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    # Loaded before the project's folder is on the path, so that no module of the project replaces them.
    unittest_suite = load("unittest_suite") if request["runner"] == "unittest" else None
    if unittest_suite is None:
        import pytest  # noqa: F401
    sys.path[0] = os.getcwd()
    sys.dont_write_bytecode = True
    watcher = Watcher(result, request["count"])
    builtins.__whet_saw__ = watcher.saw
    if unittest_suite is None:
        watch_pytest(watcher, request)
    else:
        watch_unittest(unittest_suite, watcher, request)
    send(result, {"end": True})
    os._exit(0)


def watch_pytest(watcher, request):
    import pytest

    arguments = request["args"]
    quiet = ["--continue-on-collection-errors", "--maxfail=0", "-q", "--tb=no", *pytest_options.one_process(arguments)]
    plugins = [ConditionPlugin(watcher, request["first"]), *pytest_options.package_plugins()]
    pytest.main([*arguments, *quiet, *request["ids"]], plugins=plugins)


def watch_unittest(unittest_suite, watcher, request):
    class WatchedResult(unittest_suite.UnittestResult):
        """Tells the watcher where a test begins and ends."""

        def started(self, test):
            watcher.start()

        def finished(self, test):
            if watcher.stop(test, self._outcome == "passed"):
                self.shouldStop = True

    suite = unittest_suite.UnittestSuite(request["args"])
    suite.load(request["ids"])
    suite.tests = dict(sorted(suite.tests.items(), key=lambda item: item[0] not in request["first"]))
    suite.run(WatchedResult())


if __name__ == "__main__":
    main()
