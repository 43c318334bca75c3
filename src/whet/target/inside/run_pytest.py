"""Runs the target's suite inside the sandbox and reports every test id on a descriptor of its own.

Stands alone: the target's interpreter runs it, with nothing of whet importable. Reads one JSON object from standard
input (`args`, `ids`, `planted`), writes one JSON line per event: `collected`, `start`, `outcome`, `end`. The end says how
the tree's modules looked when all tests were collected, and the library's and a few settings when all had run.
The runner is imported before the tree can be, so that nothing in the tree takes its place.
"""

import hashlib
import importlib.util
import json
import os
import random
import sys
import types

import pytest

TEXT_KEPT = 6000
RED = ("failed", "error")
PLAIN = (str, bytes, int, float, bool, type(None), list, tuple, dict, set, frozenset)
FOREIGN = {"site-packages", "dist-packages", ".venv", "venv", ".tox", ".nox", "node_modules"}
LIBRARY = (
    "builtins", "json", "json.decoder", "json.encoder", "re", "pathlib", "operator", "math", "functools", "copy", "decimal",
    "datetime", "unittest.case", "unittest.mock", "_pytest.python_api", "_pytest.raises", "_pytest.runner", "_pytest.python",
    "_pytest.recwarn", "_pytest.assertion.util", "_pytest.assertion.rewrite", "numpy", "numpy.testing",
)  # fmt: skip


def looks_of_tree(root):
    """The tree's modules by their files: which functions and classes they hold, and where these are written."""
    found = {}
    for module in list(sys.modules.values()):
        names = _namespace(module)
        path = names.get("__file__")
        if type(path) is str and path.startswith(root) and not FOREIGN.intersection(path.split(os.sep)):
            found[path[len(root) :]] = _digest(_looks(names))
    return found


def looks_of_library():
    loaded = {name: _namespace(sys.modules[name]) for name in LIBRARY if name in sys.modules}
    return {**{name: _digest(_looks(names)) for name, names in loaded.items()}, **_settings()}


def _settings():
    found = {}
    if "decimal" in sys.modules:
        context = sys.modules["decimal"].getcontext()
        traps = sorted(signal.__name__ for signal, on in context.traps.items() if on)
        limits = [context.prec, context.rounding, context.Emin, context.Emax, context.capitals, context.clamp]
        found["the context of decimal"] = _digest([*map(str, limits), *traps])
    if "locale" in sys.modules:
        found["the locale"] = _digest([sys.modules["locale"].setlocale(sys.modules["locale"].LC_ALL)])
    return found


def _namespace(module):
    """Without waking what is loaded only when it is asked for."""
    return dict(object.__getattribute__(module, "__dict__")) if isinstance(module, types.ModuleType) else {}


def _looks(names):
    for name in sorted(name for name in names if type(name) is str):
        value = names[name]
        if issubclass(type(value), type):
            yield f"{name}: {value.__module__}.{value.__qualname__}"
            methods = {inner: one for inner, one in vars(value).items() if _is_written(one)}
            yield from (f"{name}.{inner}: {_place(methods[inner])}" for inner in sorted(methods))
        elif _is_written(value):
            yield f"{name}: {_place(value)}"
        elif callable(value):
            yield f"{name}: {type(value).__name__}"


def _is_written(value):
    return type(value) in (types.FunctionType, staticmethod, classmethod, property)


def _place(value):
    if type(value) in (staticmethod, classmethod):
        value = value.__func__
    elif type(value) is property:
        value = value.fget
    if type(value) is not types.FunctionType:
        return type(value).__name__
    return f"{value.__code__.co_filename}:{value.__code__.co_firstlineno}"


def _digest(lines):
    return hashlib.sha256("\n".join(lines).encode(errors="backslashreplace")).hexdigest()[:16]


class Report:
    def __init__(self, descriptor, root, planted):
        self._planted = planted
        self._out = os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace")
        self._root = os.path.realpath(root) + os.sep
        self._failures = {}
        self._open = {}
        self._repeated = set()
        self._compared = []
        self.looks = {}

    def write(self, **event):
        """What is over waits for the next start: one write for both, and where it hangs is known all the same."""
        self._out.write(json.dumps(event) + "\n")
        if event["event"] != "outcome":
            self._out.flush()

    def pytest_configure(self, config):
        """Where a folder is collected, what is planted in it is found there: pytest 8, told of both, runs only the file."""
        config.args = [
            *config.args,
            *(path for path in self._planted if not any(holds(arg, path) for arg in config.args)),
        ]
        for path in self._planted:
            config.addinivalue_line("python_files", os.path.basename(path))

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        """What is planted goes between two files, so that no fixture has to be set up twice for it."""
        planted = [item for item in items if item.nodeid.split("::")[0] in self._planted]
        if not planted:
            return
        others = [item for item in items if item.nodeid.split("::")[0] not in self._planted]
        files = [item.nodeid.split("::")[0] for item in others]
        seams = [0, *(place for place in range(1, len(files)) if files[place - 1] != files[place]), len(files)]
        place = random.SystemRandom().choice(seams)
        items[:] = [*others[:place], *planted, *others[place:]]

    def pytest_collection_finish(self, session):
        self.looks = looks_of_tree(self._root)
        self.write(event="collected", count=len(session.items))

    def pytest_collectreport(self, report):
        if report.failed:
            test = report.nodeid or "collection"
            self.write(
                event="outcome",
                test=test,
                outcome="error",
                seconds=0.0,
                collecting=True,
                failure=self._collect_failure(report),
            )

    def pytest_runtest_logstart(self, nodeid, location):
        self._open[nodeid] = None
        self._repeated.discard(nodeid)
        self._compared = []
        self.write(event="start", test=nodeid)

    def pytest_assertrepr_compare(self, op, left, right):
        if op == "==" and isinstance(left, PLAIN) and isinstance(right, PLAIN):
            self._compared = [text if len(text) <= TEXT_KEPT else "" for text in (repr(left), repr(right))]

    def pytest_exception_interact(self, node, call, report):
        if call.excinfo is not None:
            self._failures[report.nodeid] = self._failure(call.excinfo, report)

    def pytest_runtest_logreport(self, report):
        """Subtests report under the id of their test: the first word counts, unless a later one is worse.

        An attempt that a plug-in repeats (`rerun`) was not the last word: what comes after it counts.
        """
        if report.outcome == "rerun":
            self._repeated.add(report.nodeid)
            self._failures.pop(report.nodeid, None)
        if report.nodeid in self._repeated:
            return
        outcome = self._outcome(report)
        known = self._open.get(report.nodeid)
        if outcome is not None and (known is None or (outcome in RED and known[0] not in RED)):
            self._open[report.nodeid] = (outcome, report.duration)
        if report.when == "teardown":
            outcome, seconds = self._open.pop(report.nodeid, None) or ("error", 0.0)
            if report.failed:
                outcome = "error"
            failure = self._failures.pop(report.nodeid, None)
            self.write(event="outcome", test=report.nodeid, outcome=outcome, seconds=seconds, failure=failure)

    def _outcome(self, report):
        expected = hasattr(report, "wasxfail")
        if report.failed:
            return "failed" if report.when == "call" else "error"
        if report.skipped:
            return "xfailed" if expected else "skipped"
        if report.when == "call":
            return "xpassed" if expected else "passed"
        return None

    def _failure(self, excinfo, report):
        frames = []
        for entry in excinfo.traceback:
            path = os.path.realpath(str(entry.path))
            foreign = FOREIGN.intersection(path.split(os.sep))
            if path.startswith(self._root) and os.path.exists(path) and not foreign:
                frames.append([path[len(self._root) :], entry.lineno + 1, entry.name])
        return {
            "exception": excinfo.type.__name__,
            "message": str(excinfo.value)[:TEXT_KEPT],
            "frames": frames[-50:],
            "text": report.longreprtext[-TEXT_KEPT:],
            "compared": self._compared,
        }

    def _collect_failure(self, report):
        text = report.longreprtext
        last = [line for line in text.splitlines() if line.startswith("E ")][-1:] or text.splitlines()[-1:]
        sentence = last[0].lstrip("E ").strip() if last else "does not collect"
        name = sentence.split(":", 1)[0]
        kind = name if name.isidentifier() else "CollectError"
        return {"exception": kind, "message": sentence[:TEXT_KEPT], "frames": [], "text": text[-TEXT_KEPT:]}


def holds(folder, path):
    """Whether an argument of pytest is a folder that this file is in."""
    return os.path.isdir(folder) and os.path.realpath(path).startswith(os.path.join(os.path.realpath(folder), ""))


def main():
    descriptor = int(sys.argv[1])
    os.set_inheritable(descriptor, False)
    request = json.loads(sys.stdin.read())
    sys.path[0] = os.getcwd()
    # pytest's own tracebacks parse the whole test file for every failure: minutes, where hundreds fail in a long file.
    args = ["--continue-on-collection-errors", "--maxfail=0", "-q", "--tb=native"]
    if importlib.util.find_spec("xdist") is not None:
        args.append("-n0")
    if importlib.util.find_spec("pytest_cov") is not None:
        args.append("--no-cov")
    report = Report(descriptor, os.getcwd(), request["planted"])
    code = pytest.main([*request["args"], *args, *request["ids"]], plugins=[report])
    report.write(event="end", code=int(code), looks={**report.looks, **looks_of_library()})
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(int(code))


main()
