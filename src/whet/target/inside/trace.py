"""Which lines each test runs, and from which to which it goes: `python trace.py RESULT_FD ROOT TIMEOUT_SECONDS [pytest args...] -- id id ...`.

Runs under the target's interpreter (3.9 or later), inside the sandbox. One JSON line per test on RESULT_FD,
then an end record; a run that was cut off has none:

    {"test": "tests/test_x.py::test_y", "outcome": "failed", "lines": {"pkg/mod.py": [1, 2, 5]},
     "jumps": {"pkg/mod.py": [[1, 2], [2, 5]]}, "opened": [["pkg/mod.py", "tests/data.txt", false]]}
    {"end": true}

Setup and teardown count for their test; what runs before the first test (imports) counts for none. A test that
is not done after TIMEOUT_SECONDS is interrupted and recorded as failed, with the lines it ran until then. Jumps are within
one function; Python 3.12 and later tells only those of branches. Opened are the project's files other than its modules, with
the file of the project whose code opened each, and whether it was to be written; those opened at import count for every test.
"""

import json
import os
import signal
import sys
import threading

FOREIGN = {"site-packages", "dist-packages", ".venv", "venv", ".tox", ".nox", "node_modules"}


class TimeIsUp(BaseException):
    """Not an Exception, so that the code under test does not catch it by accident."""


class Files:
    """File names as code objects carry them -> the path below the root, or None for foreign files."""

    def __init__(self, root):
        self.root = os.path.realpath(root)
        self.known = {}

    def ours(self, name):
        try:
            return self.known[name]
        except KeyError:
            return self.known.setdefault(name, self.relative(name))

    def relative(self, name):
        if name.startswith("<"):
            return None
        path = os.path.relpath(os.path.realpath(name), self.root)
        parts = path.split(os.sep)
        if parts[0] == os.pardir or FOREIGN.intersection(parts):
            return None
        return path


class Seen:
    """What one test ran, by file: its lines, and the jumps between them."""

    def __init__(self):
        self.lines, self.jumps = {}, {}

    def of(self, path):
        return self.lines.setdefault(path, set()), self.jumps.setdefault(path, set())

    def told(self):
        return {
            "lines": {path: sorted(numbers) for path, numbers in self.lines.items() if numbers},
            "jumps": {path: sorted(pairs) for path, pairs in self.jumps.items() if pairs},
        }


class Opened:
    """Who opens which file of the project, heard from the interpreter itself: `open`, `Path.read_text` and all others."""

    WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

    def __init__(self, files):
        self.files = files
        self.at_import, self.now = set(), None
        sys.addaudithook(self.heard)

    def start(self):
        self.now = set(self.at_import)

    def stop(self):
        found, self.now = self.now, None
        return sorted(found or ())

    def heard(self, event, arguments):
        if event == "open":
            path, _, flags = arguments
            self._note(path, bool((flags or 0) & self.WRITES))
        elif event == "os.rename":
            self._note(arguments[1], True)

    def _note(self, path, writes):
        if not isinstance(path, (str, bytes)):
            return
        opened = self.files.relative(os.fsdecode(path))
        if opened is None or opened.endswith((".py", ".pyc")):
            return
        opener = self._opener()
        if opener is not None:
            (self.at_import if self.now is None else self.now).add((opener, opened, writes))

    def _opener(self):
        frame = sys._getframe(3)
        while frame is not None:
            opener = self.files.ours(frame.f_code.co_filename)
            if opener is not None:
                return opener
            frame = frame.f_back
        return None


class SetTrace:
    """For interpreters before 3.12: frames of foreign files are left alone at their first line."""

    def __init__(self, files):
        self.files = files
        self.known = {}

    def start(self):
        self.known = {}
        self.seen = Seen()
        threading.settrace(self.entered)
        sys.settrace(self.entered)

    def stop(self):
        sys.settrace(None)
        threading.settrace(None)
        return self.seen

    def entered(self, frame, _event, _argument):
        name = frame.f_code.co_filename
        try:
            sets = self.known[name]
        except KeyError:
            path = self.files.ours(name)
            sets = self.known[name] = None if path is None else self.seen.of(path)
        return None if sets is None else _local(*sets)


def _local(lines, jumps):
    """The tracer of one call, since every call has a line that it was in last."""
    last = 0

    def local(frame, event, _argument):
        nonlocal last
        if event == "line":
            number = frame.f_lineno
            lines.add(number)
            if last:
                jumps.add((last, number))
            last = number
        return local

    return local


class Monitoring:
    """For 3.12 and later: every line reports once per test and is silent after that; branches report each time."""

    def __init__(self, files):
        self.files = files
        self.seen = Seen()
        self.places = {}
        self.api = sys.monitoring
        self.tool = next(tool for tool in (3, 4, 2, 1, 0) if self.api.get_tool(tool) is None)
        self.api.use_tool_id(self.tool, "whet")
        self.events = self.api.events.LINE | self.api.events.BRANCH
        self.api.register_callback(self.tool, self.api.events.LINE, self.ran)
        self.api.register_callback(self.tool, self.api.events.BRANCH, self.branched)

    def start(self):
        self.seen = Seen()
        self.api.restart_events()
        self.api.set_events(self.tool, self.events)

    def stop(self):
        self.api.set_events(self.tool, 0)
        return self.seen

    def ran(self, code, line):
        path = self.files.ours(code.co_filename)
        if path is not None:
            self.seen.of(path)[0].add(line)
        return self.api.DISABLE

    def branched(self, code, offset, destination):
        path = self.files.ours(code.co_filename)
        if path is None:
            return self.api.DISABLE
        here, there = self._line(code, offset), self._line(code, destination)
        if here and there and here != there:
            self.seen.of(path)[1].add((here, there))
        return None

    def _line(self, code, offset):
        if code not in self.places:
            self.places[code] = list(code.co_lines())
        return next((line for start, end, line in self.places[code] if start <= offset < end), None)


class Recorder:
    """The plug-in: traces each test from the start of its setup to the end of its teardown."""

    def __init__(self, result, tracer, opened, timeout_seconds):
        self.result = result
        self.tracer = tracer
        self.opened = opened
        self.timeout_seconds = timeout_seconds
        self.outcome = "error"

    def pytest_runtest_logstart(self):
        self.outcome = None
        signal.signal(signal.SIGALRM, _interrupt)
        signal.setitimer(signal.ITIMER_REAL, self.timeout_seconds)
        self.opened.start()
        self.tracer.start()

    def pytest_runtest_logreport(self, report):
        outcome = _outcome(report)
        if outcome is not None and self.outcome not in ("failed", "error"):
            self.outcome = outcome

    def pytest_runtest_logfinish(self, nodeid):
        signal.setitimer(signal.ITIMER_REAL, 0)
        seen, opened = self.tracer.stop(), self.opened.stop()
        told = {"test": nodeid, "outcome": self.outcome or "error", **seen.told(), "opened": opened}
        _send(self.result, told)


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


def _become_module_runner():
    """As `python -m pytest` does: the project's folder, not this script's, comes first on the path."""
    here = os.path.dirname(os.path.abspath(__file__))
    if sys.path and os.path.abspath(sys.path[0]) == here:
        del sys.path[0]
    sys.path.insert(0, os.getcwd())
    sys.dont_write_bytecode = True


def main():
    result, root, timeout_seconds = int(sys.argv[1]), sys.argv[2], float(sys.argv[3])
    divider = sys.argv.index("--", 4)
    arguments, tests = sys.argv[4:divider], sys.argv[divider + 1 :]
    os.set_inheritable(result, False)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    _become_module_runner()
    import pytest

    files = Files(root)
    tracer = Monitoring(files) if hasattr(sys, "monitoring") else SetTrace(files)
    if not any(argument.startswith("--rootdir") for argument in arguments):
        arguments.append("--rootdir=" + os.getcwd())
    sys.argv = [os.path.join(os.path.dirname(pytest.__file__), "__main__.py")]
    quiet = ["-q", "--tb=no", "--no-header", "--no-summary", "-p", "no:cacheprovider"]
    pytest.main([*arguments, *quiet, *tests], plugins=[Recorder(result, tracer, Opened(files), timeout_seconds)])
    _send(result, {"end": True})


if __name__ == "__main__":
    main()
