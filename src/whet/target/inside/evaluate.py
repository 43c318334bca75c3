"""Tries candidate sources against chosen tests, many a second: `python evaluate.py RESULT_FD [pytest args]`.

Runs under the target's interpreter (3.9 or later, Linux), inside the sandbox, in a private writable copy of
the project; nothing of whet is importable here. pytest is imported, and where possible configured, once; every
candidate then runs in a fork of its own.

    stdin      {"id": 1, "files": {"pkg/mod.py": "<source>"}, "tests": ["tests/test_x.py::test_y"],
                "timeout_seconds": 2.0, "stop_early": true}
    RESULT_FD  {"ready": true}
               {"id": 1, "outcomes": {"tests/test_x.py::test_y": "passed"}, "seconds": 0.05,
                "timed_out": false}

Where the request says `"observe": {"path": "pkg/mod.py", "name": "total"}`, the answer has `"values"`: what that function
gives, and `"lines"`: those of that file that ran (see observe.py). A test that did not run (killed, not collected, stopped early) is absent from the outcomes. What a candidate
does to the tree, to its temporary folder or by leaving processes behind is undone before the next one starts;
where that is not possible, the script answers and ends with exit code 3, and the caller starts a new one on a
fresh copy.

Where the first request says `"swift": true`, its tests are collected once, and a fork puts the candidate's function in
the place of the loaded one (see swap.py). Where nothing stands in the way, the first test is set up once, too, and the
fork begins with the call of it. A candidate that cannot be tried in that way is answered with `"cannot"`.
"""

import ctypes
import gc
import importlib
import importlib.machinery
import importlib.metadata
import importlib.util
import itertools
import json
import os
import select
import signal
import sys
import tempfile
import time


def _beside(name):
    path = os.path.join(os.path.dirname(__file__), name + ".py")
    spec = importlib.util.spec_from_file_location("whet_" + name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


observe, swap, tree = _beside("observe"), _beside("swap"), _beside("tree")

# As `python -m pytest` does: the project's folder, not this script's, comes first on the path.
if sys.path and os.path.abspath(sys.path[0]) == os.path.dirname(os.path.abspath(__file__)):
    del sys.path[0]
sys.path.insert(0, os.getcwd())
sys.dont_write_bytecode = True

import pytest  # noqa: E402  the target's own, found by the path above

PR_SET_CHILD_SUBREAPER = 36
CANNOT_RESTORE = 3
PROJECT_LOADED = 4
END = b'{"end": true}\n'
FOREIGN = {"site-packages", "dist-packages", ".venv", "venv", ".tox", ".nox", "node_modules"}
QUIET = [
    "-q",
    "--tb=no",
    "--no-header",
    "--no-summary",
    "--assert=plain",
    "--capture=sys",
    "-p",
    "no:cacheprovider",
]


class Compiled:
    """Code of the project's unchanged files, compiled once in the parent and inherited by every fork."""

    def __init__(self):
        self.codes = {}

    def learn(self, path):
        loader = importlib.machinery.SourceFileLoader("learned", path)
        try:
            self.codes[path] = (_dated(path), loader.source_to_code(loader.get_data(path), path))
        except (OSError, SyntaxError, ValueError):
            return

    def install(self):
        """Makes the fork's imports use it; a file whose date or size is another is compiled as usual."""
        original = importlib.machinery.SourceFileLoader.get_code
        codes = self.codes

        def get_code(loader, name):
            known = codes.get(loader.path)
            if known is not None and known[0] == _dated(loader.path):
                return known[1]
            return original(loader, name)

        importlib.machinery.SourceFileLoader.get_code = get_code


def _dated(path):
    info = os.stat(path)
    return (info.st_mtime_ns, info.st_size)


class Server:
    """Forks once per request. The fork comes out of `attend` to run its tests; the parent stays inside.

    `prepare` is what the parent does with a candidate before the fork; it may raise CannotSwap. `fork` is Python's, or the
    system's own where there is but one thread: what Python does after a fork is for the sake of the others, and costs a
    copy of all the memory that it looks at.
    """

    def __init__(self, result, requests, first):
        self.result = result
        self.requests = itertools.chain([first], requests)
        self.root = os.getcwd()
        self.ground = tree.Ground(self.root, os.environ["TMPDIR"])
        self.compiled = Compiled()
        self.second = 1_000_000_000
        self.pipe = -1
        self.stop_early = False
        self.calls = None
        self.learned = self.swift = bool(first.get("swift"))
        self.prepare, self.fork = self._write, os.fork

    def attend(self):
        """In a fork: the request it has to run. The parent answers until there are no more, and exits."""
        gc.collect()
        gc.freeze()
        for request in self.requests:
            started = time.monotonic()
            try:
                self.prepare(request)
            except swap.CannotSwap as problem:
                self._answer(request, [], started, cannot=str(problem))
                continue
            reader, writer = os.pipe()
            pid = self.fork()
            if pid == 0:
                os.close(reader)
                self._begin(writer, request)
                return request
            os.close(writer)
            messages, timed_out = _hear(reader, pid, float(request["timeout_seconds"]))
            restored = self.ground.restore()
            self._answer(request, messages, started, timed_out=timed_out)
            if not restored:
                os._exit(CANNOT_RESTORE)
            self._learn(messages)
        os._exit(0)

    def tell(self, test, outcome):
        _send(self.pipe, {"test": test, "outcome": outcome})

    def end(self):
        """In a fork: all is told."""
        if self.pipe == -1:
            os._exit(1)
        if not self.learned:
            _send(self.pipe, _loaded())
        if self.calls is not None:
            values = self.calls.explore()
            _send(self.pipe, {"values": values, "lines": sorted(self.calls.lines)})
        os.write(self.pipe, END)
        os._exit(0)

    def _write(self, request):
        self.second += 1
        for path, source in request["files"].items():
            self.ground.write(os.path.join(self.root, path), source, self.second)

    def _begin(self, pipe, request):
        os.setsid()
        os.close(self.result)
        self.ground.watch.close()
        self.pipe = pipe
        self.stop_early = bool(request.get("stop_early"))
        if not self.swift:
            self.compiled.install()
        gc.enable()
        if "observe" in request:
            self.calls = observe.Calls(os.path.join(self.root, request["observe"]["path"]), request["observe"]["name"])
            self.calls.watch()

    def _answer(self, request, messages, started, **more):
        outcomes = {message["test"]: message["outcome"] for message in messages if "test" in message}
        for message in messages:
            more.update({name: message[name] for name in ("values", "lines") if name in message})
        seconds = round(time.monotonic() - started, 4)
        _send(self.result, {"id": request["id"], "outcomes": outcomes, "seconds": seconds, "timed_out": False, **more})

    def _learn(self, messages):
        """Imports what the first run imported from outside the project, so that no later fork pays for it."""
        loaded = next((message for message in messages if "modules" in message), None)
        if loaded is None or self.learned:
            return
        self.learned = True
        for path in loaded["project"]:
            self.compiled.learn(path)
        for name in loaded["modules"]:
            try:
                importlib.import_module(name)
            except BaseException:
                continue
        gc.collect()
        gc.freeze()


class ForkAtCollection:
    """The plug-in for the fast way: pytest configures itself once and forks just before it collects."""

    def __init__(self, server):
        self.server = server

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session):
        request = self.server.attend()
        session.config.args = request["tests"]
        session.config.option.maxfail = 1 if self.server.stop_early else 0


class ForkAfterCollection:
    """The plug-in for the swift way: pytest collects once, and every fork gets its candidate's function."""

    def __init__(self, server, tests):
        self.server, self.tests = server, tests
        self.at_call, self.before, self.has_threads = False, None, True
        self.plan = []
        self.loaded = swap.Loaded(server.root)
        self.loaded.watch()
        server.prepare, server.fork = self._prepare, ctypes.PyDLL(None).fork

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        if session.items and not session.testsfailed and not _has_fixtures(session.items[0]):
            self.before = _shared()
            pid = os.fork()
            if pid == 0:
                return  # to the call of the first test, and no further
            self.at_call = _ends_well(pid)
        if not self.at_call:
            self._attend(session)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem):
        if self.at_call:
            self.at_call = False
            self._attend(pyfuncitem.session)
        elif self.before is not None and self.server.pipe == -1:
            os._exit(0 if _shared() == self.before and not self.server.ground.watch.stirred() else 1)
        ended = yield
        if self.server.stop_early and ended.excinfo is not None and _is_failure(pyfuncitem, ended.excinfo[0]):
            self.server.tell(pyfuncitem.nodeid, "failed")
            self.server.end()

    def _attend(self, session):
        self.loaded.index()
        self.has_threads = len(os.listdir("/proc/self/task")) > 1
        self.server.attend()
        for function, code in self.plan:
            function.__code__ = code
        session.config.option.maxfail = 1 if self.server.stop_early else 0

    def _prepare(self, request):
        if request["tests"] != self.tests:
            raise swap.CannotSwap("other tests are held ready")
        if self.has_threads:
            raise swap.CannotSwap("there are threads")
        files = request["files"].items()
        self.plan = [
            change
            for path, source in files
            for change in self.loaded.plan(os.path.join(self.server.root, path), source)
        ]


def _has_fixtures(item):
    """Those of a test's parameters only hand on what was collected."""
    known = getattr(item, "_fixtureinfo", None)
    if known is None:
        return True
    return any(
        definition.func.__name__ != "get_direct_param_fixture_func"
        for definitions in known.name2fixturedefs.values()
        for definition in definitions
    )


def _is_failure(item, kind):
    """Whether pytest would say so of what was raised: it asks further where a test may be skipped or may fail."""
    return issubclass(kind, Exception) and kind.__name__ != "SkipTest" and item.get_closest_marker("xfail") is None


def _shared():
    """What forks would have in common, or not get: descriptors, the folder, timers, threads, children."""
    held = {}
    for descriptor in os.listdir("/proc/self/fd"):
        try:
            held[descriptor] = os.readlink("/proc/self/fd/" + descriptor)
        except FileNotFoundError:
            continue
    timers = [signal.getitimer(which) for which in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)]
    return held, os.getcwd(), timers, len(os.listdir("/proc/self/task")), _children()


class Outcomes:
    """The plug-in that tells, down the fork's pipe, how each test ended, and ends the fork after the last.

    Nobody reads how a test failed here, so that it is not put into words.
    """

    def __init__(self, server):
        self.server = server
        self.seen = {}
        pytest.Function.repr_failure = lambda _item, _excinfo, **_options: ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report):
        outcome = _outcome(report)
        if outcome is not None and self.seen.get(report.nodeid) not in ("failed", "error"):
            self.seen[report.nodeid] = outcome
            if self.server.stop_early and outcome in ("failed", "error"):
                self.server.tell(report.nodeid, outcome)
                self.server.end()

    def pytest_runtest_logfinish(self, nodeid):
        self.server.tell(nodeid, self.seen.get(nodeid, "error"))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self):
        self.server.end()


class Probe:
    """The plug-in that finds out whether the project's code is imported before pytest collects."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self):
        project = [path for path in _loaded()["project"] if os.path.basename(path) != "conftest.py"]
        os._exit(PROJECT_LOADED if project else 0)


def _forks_late(arguments):
    """Whether a fork at collection sees the candidate: not if a conftest has imported the project by then."""
    pid = os.fork()
    if pid == 0:
        try:
            pytest.main(arguments, plugins=[Probe()])
        finally:
            os._exit(PROJECT_LOADED)
    return _ends_well(pid)


def _ends_well(pid):
    _, status = os.waitpid(pid, 0)
    return os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0


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


def _loaded():
    """What this process has imported; no libraries if there are threads, which do not survive a fork."""
    root = os.getcwd() + os.sep
    threads = len(os.listdir("/proc/self/task"))
    project, modules = [], []
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None) or ""
        if name == "__main__" or not path.startswith("/"):
            continue
        if path.startswith(root) and not FOREIGN.intersection(path.split(os.sep)):
            project.append(path)
        elif threads == 1 or not FOREIGN.intersection(path.split(os.sep)):
            modules.append(name)
    return {"modules": modules, "project": [path for path in project if path.endswith(".py")]}


def _hear(reader, pid, timeout_seconds):
    try:
        received, timed_out = _listen(reader, pid, timeout_seconds)
    finally:
        os.close(reader)
        _end_all(pid)
    return _messages(received), timed_out


def _listen(reader, pid, timeout_seconds):
    """What the fork sent, until it says it is done, dies, or has no time left."""
    deadline = time.monotonic() + timeout_seconds
    exited = os.pidfd_open(pid)
    received = bytearray()
    try:
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                return received, True
            ready, _, _ = select.select([reader, exited], [], [], left)
            if reader in ready:
                data = os.read(reader, 65536)
                received += data
                if not data or received.endswith(END):
                    return received, False
            elif exited in ready:
                return received, False
    finally:
        os.close(exited)


def _messages(received):
    messages = []
    for line in received.splitlines():
        try:
            message = json.loads(line)
        except ValueError:
            continue
        if isinstance(message, dict):
            messages.append(message)
    return messages


def _end_all(pid):
    """Kills the fork, its group, and everything that came down to us from it."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    while True:
        for child in _children():
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                continue
        try:
            reaped, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not reaped:
            time.sleep(0.001)


def _children():
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return [int(child) for child in file.read().split()]


def _tamed():
    """Options that keep well-known plug-ins from spreading over processes or measuring coverage."""
    names = {
        entry.name
        for distribution in importlib.metadata.distributions()
        for entry in distribution.entry_points
        if entry.group == "pytest11"
    }
    options = []
    if "xdist" in names:
        options += ["-n", "0"]
    if "pytest_cov" in names:
        options += ["--no-cov"]
    return options


def _remember_distributions():
    """The installed distributions do not change between candidates; reading them anew costs milliseconds."""
    known = list(importlib.metadata.distributions())
    distributions = importlib.metadata.distributions

    def remembered(**conditions):
        return distributions(**conditions) if conditions else iter(known)

    importlib.metadata.distributions = remembered


def _requests(stream):
    return (json.loads(line) for line in stream if line.strip())


def main():
    result, arguments = int(sys.argv[1]), sys.argv[2:]
    os.set_inheritable(result, False)
    _send(result, {"ready": True})
    requests = _requests(os.fdopen(os.dup(0), "rb"))
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    first = next(requests, None)
    if first is None:
        return
    os.environ["TMPDIR"] = tempfile.tempdir = tempfile.mkdtemp()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    _remember_distributions()
    sys.argv = [os.path.join(os.path.dirname(pytest.__file__), "__main__.py")]
    arguments += [*QUIET, *_tamed(), "--basetemp=" + os.path.join(tempfile.tempdir, "pytest")]
    if not any(argument.startswith("--rootdir") for argument in arguments):
        arguments.append("--rootdir=" + os.getcwd())
    server = Server(result, requests, first)
    if server.swift:
        pytest.main(
            [*arguments, *first["tests"]], plugins=[ForkAfterCollection(server, first["tests"]), Outcomes(server)]
        )
        return
    if _forks_late([*arguments, *first["tests"]]):
        pytest.main([*arguments, *first["tests"]], plugins=[ForkAtCollection(server), Outcomes(server)])
        return
    request = server.attend()
    arguments += ["--maxfail=1"] if request.get("stop_early") else []
    pytest.main([*arguments, *request["tests"]], plugins=[Outcomes(server)])


if __name__ == "__main__":
    main()
