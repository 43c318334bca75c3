"""Test candidate sources against chosen tests, many per second.

    python evaluate.py RESULT_FD RUNNER [args]

RUNNER is `pytest` or `unittest`. Runs under the target's interpreter (3.9 or later, Linux), inside the sandbox, in a private writable copy of the project;
nothing of whet is importable. pytest is imported, and if possible configured, once; every candidate runs in a fork.

    stdin      {"id": 1, "files": {"pkg/mod.py": "<source>"}, "tests": ["tests/test_x.py::test_y"],
                "timeout_seconds": 2.0, "stop_early": true}
    RESULT_FD  {"ready": true}
               {"id": 1, "outcomes": {"tests/test_x.py::test_y": "passed"}, "seconds": 0.05, "timed_out": false}

With `"failures": true` in the first request, the answer also has the `"failures"` of red tests, and of test files that
cannot be imported, as failure_report.py describes them.

With `"observe": {"path": "pkg/mod.py", "name": "total"}` in the request, the answer also has `"values"` (results of that
function), `"reached"` (the calls among them that tests made) and `"lines"` (lines of that file that ran); see observe.py.
With `"holes": {"forced": {"": [-1, "True"]}, "grammar": {...}}` the source has a hole, see holes.py; with a grammar the answer
has `"fitting"`, the expressions that fit. A test that did not run (killed, not collected, stopped early) is missing from
the outcomes. Changes that a candidate makes to the tree or to the temporary folder, and
processes it leaves behind, are undone before the next one. If that is impossible, the script answers and exits with
code 3, and the caller starts a new one on a fresh copy.

With `"swift": true` in the first request, its tests are collected once, and a fork swaps the candidate's function into
the loaded module (see swap.py). If possible the first test is also set up only once, and the fork starts at its call. A
candidate that cannot be swapped is answered with `"cannot"` and the reason. unittest is never swift.
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
import sys
import tempfile
import time


def load(name):
    """Load a module that lies beside this script, without entering it in sys.modules."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    spec = importlib.util.spec_from_file_location("whet_" + name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


forks, holes, observe, swap, tree = map(load, ("forks", "holes", "observe", "swap", "tree"))
failure_report, pytest_options = load("failure_report"), load("pytest_options")

PR_SET_CHILD_SUBREAPER = 36
CANNOT_RESTORE = 3
# The first candidate's modification time; each later candidate gets the next second, so that no compiled file matches.
FIRST_SECOND = 1_000_000_000


class CompiledFiles:
    """Code of the project's unchanged files, compiled once in the parent and inherited by every fork."""

    def __init__(self):
        self.codes = {}

    def add(self, path):
        loader = importlib.machinery.SourceFileLoader("learned", path)
        try:
            self.codes[path] = (_date_and_size(path), loader.source_to_code(loader.get_data(path), path))
        except (OSError, SyntaxError, ValueError):
            return

    def install(self):
        """Make imports use the compiled code; a file with another date or size is compiled as usual."""
        original = importlib.machinery.SourceFileLoader.get_code
        codes = self.codes

        def get_code(loader, name):
            entry = codes.get(loader.path)
            if entry is not None and entry[0] == _date_and_size(loader.path):
                return entry[1]
            return original(loader, name)

        importlib.machinery.SourceFileLoader.get_code = get_code


def _date_and_size(path):
    info = os.stat(path)
    return (info.st_mtime_ns, info.st_size)


class Server:
    """Forks once per request. `attend` returns in the fork, which runs the tests; the parent stays inside `attend`.

    `prepare` is called in the parent before the fork (by default it writes the candidate's files) and may raise
    CannotSwap. Both `prepare` and `fork` are replaced in swift mode.
    """

    def __init__(self, result, requests, first):
        self.forks, self.swap = forks, swap
        self.failure_report, self.pytest_options = failure_report, pytest_options
        self.result = result
        self.requests = itertools.chain([first], requests)
        self.root = os.getcwd()
        self.workspace = tree.Workspace(self.root, os.environ["TMPDIR"])
        self.compiled = CompiledFiles()
        self.second = FIRST_SECOND
        self.unittest_suite = None
        self.pipe = -1
        self.stop_early = False
        self.calls = self.holes = self.grammar = None
        self.swift, self.describes_failures = bool(first.get("swift")), bool(first.get("failures"))
        self.preloaded = self.swift
        self.prepare, self.fork = self._write_files, os.fork

    def attend(self):
        """Return the request to run, in the fork. The parent answers until there are no more requests, and exits."""
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
            messages, timed_out = forks.messages_of(reader, pid, float(request["timeout_seconds"]))
            restored = self.workspace.restore()
            self._answer(request, messages, started, timed_out=timed_out)
            if not restored:
                os._exit(CANNOT_RESTORE)
            self._preload(messages)
        os._exit(0)

    def tell(self, test, outcome, failure=None):
        message = {"test": test, "outcome": outcome}
        forks.send(self.pipe, {**message, "failure": failure} if failure else message)

    def end(self):
        """Send the last messages and exit, in the fork."""
        if self.pipe == -1:
            os._exit(1)
        if not self.preloaded:
            forks.send(self.pipe, forks.loaded_modules())
        if self.calls is not None:
            values = self.calls.explore()
            reached = list(self.calls.calls)
            forks.send(self.pipe, {"values": values, "reached": reached, "lines": sorted(self.calls.lines)})
        if self.grammar is not None:
            forks.send(self.pipe, {"fitting": self.holes.fitting(self.grammar)})
        os.write(self.pipe, forks.END)
        os._exit(0)

    def _write_files(self, request):
        self.second += 1
        for path, source in request["files"].items():
            self.workspace.write(os.path.join(self.root, path), source, self.second)

    def _begin(self, pipe, request):
        os.setsid()
        os.close(self.result)
        self.workspace.watch.close()
        self.pipe = pipe
        self.stop_early = bool(request.get("stop_early"))
        if not self.swift:
            self.compiled.install()
        gc.enable()
        if "observe" in request:
            self.calls = observe.Calls(os.path.join(self.root, request["observe"]["path"]), request["observe"]["name"])
            self.calls.watch()
        if "holes" in request:
            self.holes = holes.Holes(request["holes"]["forced"])
            self.grammar = request["holes"].get("grammar")
            self.holes.install()

    def _answer(self, request, messages, started, **more):
        outcomes = {message["test"]: message["outcome"] for message in messages if "test" in message}
        if self.describes_failures:
            more["failures"] = {message["test"]: message["failure"] for message in messages if "failure" in message}
        for message in messages:
            more.update({name: message[name] for name in ("values", "reached", "lines", "fitting") if name in message})
        seconds = round(time.monotonic() - started, 4)
        answer = {"id": request["id"], "outcomes": outcomes, "seconds": seconds, "timed_out": False, **more}
        forks.send(self.result, answer)

    def _preload(self, messages):
        """Import in the parent the libraries that the first run imported, so that no later fork has to."""
        loaded = next((message for message in messages if "modules" in message), None)
        if loaded is None or self.preloaded:
            return
        self.preloaded = True
        for path in loaded["project"]:
            self.compiled.add(path)
        for name in loaded["modules"]:
            try:
                importlib.import_module(name)
            except BaseException:
                continue
        gc.collect()
        gc.freeze()


def _cache_distributions():
    """Read the installed distributions once: they do not change, and reading them again costs milliseconds."""
    cached = list(importlib.metadata.distributions())
    distributions = importlib.metadata.distributions

    def from_cache(**conditions):
        return distributions(**conditions) if conditions else iter(cached)

    importlib.metadata.distributions = from_cache


def _put_project_on_path():
    """Do as `python -m pytest` does: put the project's folder, not this script's, first on the path."""
    if sys.path and os.path.abspath(sys.path[0]) == os.path.dirname(os.path.abspath(__file__)):
        del sys.path[0]
    sys.path.insert(0, os.getcwd())
    sys.dont_write_bytecode = True


def main():
    result, runner, arguments = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    # Loaded before the project's folder is on the path, so that no module of the project replaces unittest.
    unittest_suite = load("unittest_suite") if runner == "unittest" else None
    _put_project_on_path()
    # pytest, the target's own, is imported here, before the first request: that takes long.
    forking = load("pytest_forks") if unittest_suite is None else load("unittest_forks")
    os.set_inheritable(result, False)
    forks.send(result, {"ready": True})
    requests = (json.loads(line) for line in os.fdopen(os.dup(0), "rb") if line.strip())
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    first = next(requests, None)
    if first is None:
        return
    os.environ["TMPDIR"] = tempfile.tempdir = tempfile.mkdtemp()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    _cache_distributions()
    server = Server(result, requests, first)
    server.unittest_suite = unittest_suite
    forking.run(server, arguments, first)


if __name__ == "__main__":
    main()
