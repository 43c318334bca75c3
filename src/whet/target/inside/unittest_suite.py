"""Load a unittest suite by folders, files or test ids, and run it with an outcome for every id.

Ids look like pytest's: `tests/test_x.py::TestCase::test_method`. A class that two files load has an id in each. If
`load_tests` makes several instances of one method, the later ones get `[2]`, `[3]`, and so on.
Loaded by its path in the target's interpreter (3.9 or later); standard library only.
"""

import argparse
import importlib
import os
import sys
import time
import traceback
import unittest

PATTERN = "test*.py"


class UnittestUsageError(Exception):
    """The arguments or ids name nothing that unittest can run."""


class UnittestSuite:
    """The loaded tests by id, and the errors of files that could not be imported by path."""

    def __init__(self, args=()):
        parser = argparse.ArgumentParser(prog="unittest", add_help=False)
        parser.add_argument("-p", "--pattern", default=PATTERN)
        options, unknown = parser.parse_known_args(list(args))
        if unknown:
            raise UnittestUsageError(f"tests.args: unittest knows only -p PATTERN, not {' '.join(unknown)}")
        self.pattern = options.pattern
        self.root = os.getcwd()
        self.tests = {}
        self.import_errors = {}

    def load(self, names, planted=()):
        """Load folders, files and ids; with none, discover from the project's folder as `python -m unittest` does."""
        files = {}
        for name in names or ["."]:
            path = name.partition("::")[0]
            if os.path.isdir(path):
                self._discover(path)
            elif os.path.isfile(path):
                files.setdefault(path, []).append(name)
            else:
                raise UnittestUsageError(f"not found: {name}")
        for path, ids in files.items():
            self._load_file(path, ids)
        for path in planted:
            if not any(test.startswith(path + "::") for test in self.tests):
                self._load_file(path, [path])

    def _discover(self, folder):
        loader = WatchedLoader(self)
        top = top_level(folder)
        try:
            loader.discover(os.path.abspath(folder), self.pattern, top)
        except ImportError as problem:
            raise UnittestUsageError(f"not importable: {folder}: {problem}") from problem

    def _load_file(self, path, ids):
        """Load the tests of a file that match one of `ids`."""
        top = top_level(os.path.dirname(path) or ".")
        if top not in sys.path:
            sys.path.insert(0, top)
        name = os.path.relpath(path, top)[: -len(".py")].replace(os.sep, ".")
        try:
            module = importlib.import_module(name)
        except unittest.SkipTest:
            return
        except BaseException as problem:
            if isinstance(problem, KeyboardInterrupt):
                raise
            self.import_errors[path] = problem
            return
        before = dict(self.tests)
        WatchedLoader(self).loadTestsFromModule(module, pattern=self.pattern)
        loaded = {test: case for test, case in self.tests.items() if test not in before}
        chosen = {test: case for test, case in loaded.items() if any(is_below(test, each) for each in ids)}
        missing = [each for each in ids if not any(is_below(test, each) for test in loaded)]
        if missing and not all(each == path for each in missing):
            raise UnittestUsageError(f"not found: {missing[0]}")
        self.tests = {**before, **chosen}

    def add(self, module, cases):
        """Register the tests that a module's namespace holds, under the module's path."""
        path = os.path.relpath(os.path.realpath(module.__file__), os.path.realpath(self.root))
        for case in cases:
            base = f"{path}::{type(case).__qualname__}::{case._testMethodName}"
            test, number = base, 1
            while test in self.tests and self.tests[test] is not case:
                number += 1
                test = f"{base}[{number}]"
            self.tests[test] = case

    def run(self, result):
        """Run every loaded test, with its class and module fixtures, and report to `result`."""
        result.names = {id(case): test for test, case in self.tests.items()}
        suite = unittest.TestSuite(self.tests.values())
        suite._removeTestAtIndex = lambda _index: None  # keep the cases: they are known by their identity
        suite.run(result)
        result.finish(self.tests)


class WatchedLoader(unittest.TestLoader):
    """A loader that registers every test with the file that loads it, and every import error with its file."""

    def __init__(self, suite):
        super().__init__()
        self._suite = suite

    def loadTestsFromModule(self, module, *args, **options):
        loaded = super().loadTestsFromModule(module, *args, **options)
        cases = [case for case in flat(loaded) if type(case).__module__ != "unittest.loader"]
        self._suite.add(module, cases)
        return loaded

    def _get_module_from_name(self, name):
        """Import a module; called by `discover`, which turns an exception into a test that fails."""
        try:
            return super()._get_module_from_name(name)
        except unittest.SkipTest:
            raise
        except BaseException as problem:
            path = os.path.join(self._top_level_dir, *name.split(".")) + ".py"
            if not os.path.exists(path):
                path = os.path.join(self._top_level_dir, *name.split("."), "__init__.py")
            self._suite.import_errors[os.path.relpath(path, self._suite.root)] = problem
            raise


def flat(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from flat(item)
        else:
            yield item


def top_level(folder):
    """Return the absolute path of the first folder upwards that is not a package: imports start there."""
    folder = os.path.abspath(folder)
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder = os.path.dirname(folder)
    return folder


def is_below(test, name):
    return test == name or test.startswith((name + "::", name + "["))


class UnittestResult(unittest.TestResult):
    """Turns unittest's calls into one outcome per test: override `started` and `ended`.

    The outcome of a test is held back until the next test starts, because an error in tearDownClass or tearDownModule,
    which comes after the test, makes it an error.
    """

    def __init__(self):
        super().__init__()
        self.names = {}
        self._outcome, self._failure = None, None
        self._held = None
        self._running = None
        self._fixture_failures = {}
        self._reported = set()
        self._began = 0.0

    def started(self, test):
        """Called before the setup of a test."""

    def ended(self, test, outcome, seconds, failure):
        """Called once for every test; `failure` is the exception or None."""

    def startTest(self, case):
        self._flush()
        super().startTest(case)
        self._outcome, self._failure = None, None
        self._began = time.monotonic()
        self._running = case
        self.started(self.names[id(case)])

    def stopTest(self, case):
        super().stopTest(case)
        self._running = None
        test = self.names[id(case)]
        self._held = [test, self._outcome or "error", time.monotonic() - self._began, self._failure]
        self._reported.add(test)
        self.finished(test)

    def finished(self, test):
        """Called after the teardown of a test, before its outcome is final."""

    def _set(self, outcome, error=None):
        """Set the outcome of the running test; the first failure stays."""
        if self._outcome != "failed":
            self._outcome = outcome
            self._failure = error[1] if error else None

    def addSuccess(self, case):
        if self._outcome is None:
            self._set("passed")

    def addFailure(self, case, error):
        self._set("failed", error)

    def addError(self, case, error):
        if id(case) in self.names:
            self._set("failed", error)
        else:
            self._fixture_error(case, error[1])

    def addSkip(self, case, reason):
        if id(case) in self.names and self._running is not case:
            self.startTest(case)  # Python 3.12.1 does not call it for a test with a skip decorator
        if id(case) in self.names or hasattr(case, "test_case"):  # a test, or a subtest of the running test
            self._set("skipped")
        else:
            self._fixture_failures[_fixture_of(case)[1]] = ("skipped", None)

    def addExpectedFailure(self, case, error):
        self._set("xfailed")

    def addUnexpectedSuccess(self, case):
        self._set("failed", (None, AssertionError("Unexpected success"), None))

    def addSubTest(self, case, subtest, error):
        if error is not None:
            self._set("failed", error)

    def _fixture_error(self, holder, exception):
        """Report an error of setUpClass, setUpModule and so on; `holder` stands for the class or module."""
        kind, name = _fixture_of(holder)
        if kind.startswith("tearDown") and self._held is not None:
            self._held[1], self._held[3] = "error", exception
        else:
            self._fixture_failures[name] = ("error", exception)

    def _flush(self):
        if self._held is not None:
            self.ended(*self._held)
            self._held = None

    def finish(self, tests):
        """Report the last test, and the tests whose class or module fixture failed, so that they did not run."""
        self._flush()
        for test, case in tests.items():
            if test not in self._reported:
                kind = type(case)
                names = (f"{kind.__module__}.{kind.__qualname__}", kind.__module__)
                known = [self._fixture_failures[name] for name in names if name in self._fixture_failures]
                outcome, exception = known[0] if known else ("error", None)
                self.started(test)
                self._held = [test, outcome, 0.0, exception]
                self.finished(test)
                self._flush()


def _fixture_of(holder):
    """Split the description of a fixture, e.g. `setUpClass (tests.test_a.TestA)`, into its kind and its owner."""
    kind, _, owner = str(getattr(holder, "description", "")).partition(" (")
    return kind, owner.rstrip(")")


def text_of(exception):
    return "".join(traceback.format_exception(type(exception), exception, exception.__traceback__))
