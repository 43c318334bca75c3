"""Tracers that report, for one test at a time, the project's lines that run and the project's files that are opened.

Loaded by its path in the target's interpreter (3.9 or later); standard library only.
"""

import os
import sys
import threading

FOREIGN = {"site-packages", "dist-packages", ".venv", "venv", ".tox", ".nox", "node_modules"}


class Files:
    """Maps the file names of code objects to paths below the root, or None for files outside the project."""

    def __init__(self, root):
        self.root = os.path.realpath(root)
        self.cache = {}

    def path_of(self, name):
        try:
            return self.cache[name]
        except KeyError:
            return self.cache.setdefault(name, self.relative(name))

    def relative(self, name):
        if name.startswith("<"):
            return None
        path = os.path.relpath(os.path.realpath(name), self.root)
        parts = path.split(os.sep)
        if parts[0] == os.pardir or FOREIGN.intersection(parts):
            return None
        return path


class Coverage:
    """The lines that one test ran and the jumps between them, by file."""

    def __init__(self):
        self.lines, self.jumps = {}, {}

    def of(self, path):
        return self.lines.setdefault(path, set()), self.jumps.setdefault(path, set())

    def as_event(self):
        return {
            "lines": {path: sorted(numbers) for path, numbers in self.lines.items() if numbers},
            "jumps": {path: sorted(pairs) for path, pairs in self.jumps.items() if pairs},
        }


class OpenedFiles:
    """Reports which project code opens which project file, with an audit hook that sees every way to open a file."""

    WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

    def __init__(self, files):
        self.files = files
        self.at_import, self.now = set(), None
        sys.addaudithook(self._hook)

    def start(self):
        self.now = set(self.at_import)

    def stop(self):
        opened, self.now = self.now, None
        return sorted(opened or ())

    def _hook(self, event, arguments):
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
        """Return the file of the innermost project frame; None if only foreign code is on the stack."""
        frame = sys._getframe(3)  # the caller of `open`: above it are this function, _note and _hook
        while frame is not None:
            opener = self.files.path_of(frame.f_code.co_filename)
            if opener is not None:
                return opener
            frame = frame.f_back
        return None


class SetTrace:
    """The tracer for interpreters before 3.12; frames of foreign files are not traced."""

    def __init__(self, files):
        self.files = files
        self.sets = {}

    def start(self):
        self.sets = {}
        self.coverage = Coverage()
        threading.settrace(self._entered)
        sys.settrace(self._entered)

    def stop(self):
        sys.settrace(None)
        threading.settrace(None)
        return self.coverage

    def _entered(self, frame, _event, _argument):
        name = frame.f_code.co_filename
        try:
            sets = self.sets[name]
        except KeyError:
            path = self.files.path_of(name)
            sets = self.sets[name] = None if path is None else self.coverage.of(path)
        return None if sets is None else _frame_tracer(*sets)


def _frame_tracer(lines, jumps):
    """Return a trace function for one frame; it remembers the frame's last line."""
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
    """The tracer for 3.12 and later: every line reports once per test, branches report each time."""

    def __init__(self, files):
        self.files = files
        self.coverage = Coverage()
        self.line_tables = {}
        self.api = sys.monitoring
        self.tool = next(tool for tool in (3, 4, 2, 1, 0) if self.api.get_tool(tool) is None)
        self.api.use_tool_id(self.tool, "whet")
        self.events = self.api.events.LINE | self.api.events.BRANCH
        self.api.register_callback(self.tool, self.api.events.LINE, self._ran)
        self.api.register_callback(self.tool, self.api.events.BRANCH, self._branched)

    def start(self):
        self.coverage = Coverage()
        self.api.restart_events()
        self.api.set_events(self.tool, self.events)

    def stop(self):
        self.api.set_events(self.tool, 0)
        return self.coverage

    def _ran(self, code, line):
        path = self.files.path_of(code.co_filename)
        if path is not None:
            self.coverage.of(path)[0].add(line)
        return self.api.DISABLE

    def _branched(self, code, offset, destination):
        path = self.files.path_of(code.co_filename)
        if path is None:
            return self.api.DISABLE
        here, there = self._line(code, offset), self._line(code, destination)
        if here and there and here != there:
            self.coverage.of(path)[1].add((here, there))
        return None

    def _line(self, code, offset):
        """Return the source line of a bytecode offset."""
        if code not in self.line_tables:
            self.line_tables[code] = list(code.co_lines())
        return next((line for start, end, line in self.line_tables[code] if start <= offset < end), None)


def tracer_for(files):
    """Return the tracer for this interpreter."""
    return Monitoring(files) if hasattr(sys, "monitoring") else SetTrace(files)
