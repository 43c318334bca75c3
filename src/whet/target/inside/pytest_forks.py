"""The pytest plug-ins of evaluate.py: where pytest forks for each candidate, and how the fork reports outcomes.

Loaded by its path in the target's interpreter (3.9 or later, Linux). `server` is evaluate.py's Server; it also holds the
modules `forks`, `swap` and `pytest_options`.
"""

import ctypes
import os
import sys
import tempfile

import pytest

PROJECT_LOADED = 4
QUIET = [
    "-q",
    "--tb=no",
    "--no-header",
    "--no-summary",
    "--capture=sys",
]


class ForkAtCollection:
    """Fast mode: pytest configures itself once and forks just before it collects."""

    def __init__(self, server):
        self.server = server

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session):
        request = self.server.attend()
        session.config.args = request["tests"]
        session.config.option.maxfail = 1 if self.server.stop_early else 0


class ForkAfterCollection:
    """Swift mode: pytest collects once; every fork swaps its candidate's function into the loaded module.

    If the first test has no fixtures and its setup leaves no shared state, the fork happens even later: at its call.
    """

    def __init__(self, server, tests):
        self.server, self.tests = server, tests
        self.at_call, self.state_before, self.has_threads = False, None, True
        self.replacements = []
        self.loaded = server.swap.Loaded(server.root)
        self.loaded.watch()
        # The C library's fork: Python's own touches (and so copies) the memory of all objects for the sake of threads,
        # and there are none here.
        server.prepare, server.fork = self._prepare, ctypes.PyDLL(None).fork

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        if session.items and not session.testsfailed and not _has_fixtures(session.items[0]):
            self.state_before = self.server.forks.inherited_state()
            pid = os.fork()
            if pid == 0:
                return  # rehearse the setup of the first test; pytest_pyfunc_call ends this process
            self.at_call = self.server.forks.exits_cleanly(pid)
        if not self.at_call:
            self._attend(session)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem):
        if self.at_call:
            self.at_call = False
            self._attend(pyfuncitem.session)
        elif self.state_before is not None and self.server.pipe == -1:
            unchanged = self.server.forks.inherited_state() == self.state_before
            os._exit(0 if unchanged and not self.server.workspace.watch.has_events() else 1)
        result = yield
        if self.server.stop_early and result.excinfo is not None and _is_failure(pyfuncitem, result.excinfo[0]):
            self.server.tell(pyfuncitem.nodeid, "failed")
            self.server.end()

    def _attend(self, session):
        self.loaded.index()
        self.has_threads = len(os.listdir("/proc/self/task")) > 1
        self.server.attend()
        for function, code in self.replacements:
            function.__code__ = code
        session.config.option.maxfail = 1 if self.server.stop_early else 0

    def _prepare(self, request):
        if request["tests"] != self.tests:
            raise self.server.swap.CannotSwap("other tests are held ready")
        if self.has_threads:
            raise self.server.swap.CannotSwap("there are threads")
        self.replacements = []
        for path, source in request["files"].items():
            self.replacements += self.loaded.replacements(os.path.join(self.server.root, path), source)


def _has_fixtures(item):
    """True if a test uses fixtures other than the pseudo-fixtures that pass on its own parameters."""
    info = getattr(item, "_fixtureinfo", None)
    if info is None:
        return True
    return any(
        definition.func.__name__ != "get_direct_param_fixture_func"
        for definitions in info.name2fixturedefs.values()
        for definition in definitions
    )


def _is_failure(item, kind):
    """True if pytest is certain to report this exception as a failure: no skip, and the test is not marked xfail."""
    return issubclass(kind, Exception) and kind.__name__ != "SkipTest" and item.get_closest_marker("xfail") is None


class Outcomes:
    """Sends the outcome of each test down the fork's pipe, and ends the fork after the last.

    pytest does not render failures, because nobody reads them.
    """

    def __init__(self, server):
        self.server = server
        self.outcomes, self.failures = {}, {}
        pytest.Function.repr_failure = lambda _item, _excinfo, **_options: ""

    def pytest_exception_interact(self, call, report):
        """Keep the failure of a test until its outcome is sent, or send that of a test file that cannot be imported."""
        if not self.server.describes_failures or call.excinfo is None:
            return
        exception, root = call.excinfo.value, os.path.join(os.path.realpath(self.server.root), "")
        if isinstance(report, pytest.TestReport):
            describe = self.server.failure_report.describe
            self.failures[report.nodeid] = describe(exception, call.excinfo.tb, "", root)
        else:
            # pytest wraps errors of an import in a CollectError; the wrapped exception has the useful traceback.
            if isinstance(exception.__cause__, (ImportError, SyntaxError)):
                exception = exception.__cause__
            describe = self.server.failure_report.describe_import_error
            self.server.tell(report.nodeid, "error", describe(exception, exception.__traceback__, "", root))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report):
        outcome = _outcome(report)
        if outcome is not None and self.outcomes.get(report.nodeid) not in ("failed", "error"):
            self.outcomes[report.nodeid] = outcome
            if self.server.stop_early and outcome in ("failed", "error"):
                self.server.tell(report.nodeid, outcome)
                self.server.end()

    def pytest_runtest_logfinish(self, nodeid):
        self.server.tell(nodeid, self.outcomes.get(nodeid, "error"), self.failures.get(nodeid))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self):
        self.server.end()


def _outcome(report):
    if hasattr(report, "wasxfail"):
        return {"skipped": "xfailed", "passed": "xpassed"}.get(report.outcome)
    if report.when == "call" or report.outcome == "skipped":
        return report.outcome
    return "error" if report.outcome == "failed" else None


class CollectionProbe:
    """Exits with PROJECT_LOADED if project code (besides conftest.py) is imported before pytest collects."""

    def __init__(self, server):
        self.server = server

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self):
        loaded = self.server.forks.loaded_modules()["project"]
        project = [path for path in loaded if os.path.basename(path) != "conftest.py"]
        os._exit(PROJECT_LOADED if project else 0)


def _can_fork_at_collection(server, arguments):
    """True if no project code is loaded at collection; else a fork there would not import the candidate's file."""
    pid = os.fork()
    if pid == 0:
        try:
            pytest.main(arguments, plugins=[CollectionProbe(server), *server.pytest_options.package_plugins()])
        finally:
            os._exit(PROJECT_LOADED)
    return server.forks.exits_cleanly(pid)


def run(server, arguments, first):
    """Run pytest so that it forks as late as possible for every request; `first` is the first request."""
    sys.argv = [os.path.join(os.path.dirname(pytest.__file__), "__main__.py")]
    folder = tempfile.tempdir
    options = [*server.pytest_options.one_process(arguments), *server.pytest_options.without_cache(arguments, folder)]
    options += [] if server.describes_failures else ["--assert=plain"]
    arguments = [*arguments, *QUIET, *options, "--basetemp=" + os.path.join(folder, "pytest")]
    if not any(argument.startswith("--rootdir") for argument in arguments):
        arguments.append("--rootdir=" + os.getcwd())
    package = server.pytest_options.package_plugins()
    if server.swift:
        plugins = [ForkAfterCollection(server, first["tests"]), Outcomes(server), *package]
        pytest.main([*arguments, *first["tests"]], plugins=plugins)
    elif _can_fork_at_collection(server, [*arguments, *first["tests"]]):
        pytest.main([*arguments, *first["tests"]], plugins=[ForkAtCollection(server), Outcomes(server), *package])
    else:
        request = server.attend()
        arguments += ["--maxfail=1"] if request.get("stop_early") else []
        pytest.main([*arguments, *request["tests"]], plugins=[Outcomes(server), *package])
