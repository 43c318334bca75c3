"""Run tests and, at calls of chosen functions, ask the same functions for other inputs in forks.

    python vary.py RESULT_FD

Runs under the target's interpreter (3.9 or later, Linux), inside the sandbox; nothing of whet is importable. Reads one
JSON object from standard input: `runner`, `args`, `tests` (in the order in which they run), `functions` (a list of `path`,
`name`, `line`, `method`, `parameters`: those that the function has on both trees), `words` (literals of the patch), `seed`, `deep` (repeat some calls, and ask them after others and in a fresh process), `seconds` (of processor time) and `wall_seconds`. Writes one line for each captured call, and
an end line:

    {"function": 0, "test": "tests/test_x.py::test_y", "key": "3f...", "call": "total([1, 2])", "clean": ANSWER,
     "again": ANSWER, "varied": [{"kind": "same shape", "call": "total([3, 2])", "answer": ANSWER}, ...],
     "repeat": {"times": 1000}, "after": ANSWER, "fresh": [ANSWER, ...]}
    {"end": true}

An answer has `kind` (answer, raised, blocked, slow), `print` (a digest of the structure), `text`, `plain`, `effects`.
"""

import base64
import collections
import copy
import gc
import importlib.util
import itertools
import json
import os
import pickle
import random
import sys
import threading
import time
import warnings

# Of one function: calls in all, those of a shape that was asked before, and the same for one test.
MOST_CALLS, MOST_OF_KNOWN_SHAPE = 8, 4
MOST_PER_TEST, MOST_OF_KNOWN_SHAPE_PER_TEST = 6, 2
MOST_IN_ALL, MOST_LOOKED = 20, 500
MOST_DEEP, MOST_DEEP_IN_ALL = 2, 8
# Processor time for one call, and wall time for one fresh process.
STATION_SECONDS, FRESH_SECONDS, FRESH_INPUTS = 2.0, 8.0, 3
MOST_SLOW = 3


def load(name):
    """Load a module that lies beside this script or one folder up, without entering it in sys.modules."""
    here = os.path.dirname(os.path.abspath(__file__))
    paths = [os.path.join(folder, name + ".py") for folder in (here, os.path.dirname(here))]
    path = next(filter(os.path.exists, paths))
    spec = importlib.util.spec_from_file_location("whet_" + name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


frames, pytest_options, shapes, trials = load("frames"), load("pytest_options"), load("shapes"), load("trials")
structure, variations = trials.structure, trials.variations
FRESH_CALL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fresh_call.py")


class CallWatcher:
    """Chooses calls of the functions, has each asked in a fork, and writes the reports."""

    def __init__(self, result, request):
        self.result, self.request = result, request
        root = os.path.realpath(os.getcwd())
        self.functions = {
            (os.path.join(root, function["path"]), function["line"]): (number, function)
            for number, function in enumerate(request["functions"])
        }
        self.files = {}
        self.keys = collections.defaultdict(set)
        self.shapes = collections.defaultdict(set)
        self.known, self.looked = collections.Counter(), collections.Counter()
        self.per_test, self.known_per_test = collections.Counter(), collections.Counter()
        self.calls, self.deep_calls = 0, 0
        self.test, self.busy = None, False
        self.trace = None
        self.used = 0.0
        self.deadline = time.monotonic() + request["wall_seconds"]

    @property
    def done(self):
        spent = self.used > self.request["seconds"] or time.monotonic() > self.deadline
        return spent or self.calls >= MOST_IN_ALL

    def start(self, test):
        self.test = test
        for counter in (self.per_test, self.known_per_test, self.looked):
            counter.clear()
        self._set_trace(self.trace)

    def stop(self):
        self._set_trace(None)
        self.test = None

    def _set_trace(self, trace):
        if self.trace is not None:
            threading.settrace(trace)
            sys.settrace(trace)

    def watched(self, code):
        """Return (number, function) if the code is that of a watched function."""
        path = code.co_filename
        if path not in self.files:
            self.files[path] = os.path.realpath(path)
        return self.functions.get((self.files[path], code.co_firstlineno))

    def called(self, frame, number, function):
        if self.busy or self.test is None or self.done:
            return
        if not self._has_room(number):
            return
        self.busy = True
        try:
            shape = shapes.shape_of_call(frame)
            is_known = shape in self.shapes[number]
            if is_known and not self._has_room_for_known(number):
                return
            call = WatchedCall(frame, number, function)
            key = call.key
            if key not in self.keys[number]:
                self.keys[number].add(key)
                self.shapes[number].add(shape)
                self.per_test[number] += 1
                self.known[number] += is_known
                self.known_per_test[number] += is_known
                self.calls += 1
                most = MOST_DEEP_IN_ALL if function["stateful"] else MOST_DEEP
                deep = self.request["deep"] and len(self.keys[number]) <= most and self.deep_calls < MOST_DEEP_IN_ALL
                self.deep_calls += deep
                self._ask(call, deep=deep)
        except Exception:  # this runs inside a test of the target, which must go on as if alone
            return
        finally:
            self.busy = False

    def _has_room(self, number):
        """True if another call of this function may be asked, if its arguments have a new shape."""
        self.looked[number] += 1
        asked = len(self.keys[number])
        return asked < MOST_CALLS and self.per_test[number] < MOST_PER_TEST and self.looked[number] <= MOST_LOOKED

    def _has_room_for_known(self, number):
        """True if a call may be asked whose arguments have the shape of an earlier one: the others are for new shapes."""
        in_all, in_test = self.known[number], self.known_per_test[number]
        return in_all < MOST_OF_KNOWN_SHAPE and in_test < MOST_OF_KNOWN_SHAPE_PER_TEST

    def _ask(self, call, *, deep):
        """Fork, have the fork ask all questions about a call, and write its report.

        Only a `deep` call is repeated, asked after others and in a fresh process, because that takes most of the time.
        """
        before = trials.seconds_used()
        reader, writer = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about threads: the fork uses none of them
            pid = os.fork()
        if pid == 0:
            try:
                os.setsid()
                os.close(reader)
                os.close(self.result)
                sys.settrace(None)
                gc.freeze()  # the collector would touch, and so copy, the memory of all objects in every further fork
                report = call.report(self.request, self.deadline, deep=deep)
                send(writer, {**report, "test": self.test})
            finally:
                os._exit(0)
        os.close(writer)
        data = trials.read(reader, self.deadline + FRESH_SECONDS)
        try:
            os.killpg(pid, 9)
        except ProcessLookupError:
            os.kill(pid, 9)
        os.waitpid(pid, 0)
        self.used += trials.seconds_used() - before
        while data:
            data = data[os.write(self.result, data) :]


class WatchedCall:
    """One call of a watched function. `places` are the arguments that the function has on the base and with the patch."""

    def __init__(self, frame, number, function):
        self.number, self.name, self.method = number, function["name"], function["method"]
        self.line = frame.f_code.co_firstlineno
        self.module = frame.f_globals.get("__name__")
        self.function = frames.function_of(frame)
        self.arguments, self.named = frames.arguments_of(frame)
        self.first = 1 if self.method else 0
        self.places = self._places(frame.f_code, function["parameters"])
        parts = [*self.arguments[: self.first], *self.at_places(self.arguments, self.named)]
        self.key = structure.Structure(parts).digest

    def _places(self, code, parameters):
        positions = {name: place for place, name in enumerate(code.co_varnames[: code.co_argcount])}
        more = [*range(code.co_argcount, len(self.arguments))]
        more += [name for name in self.named if name not in parameters and name not in code.co_varnames]
        known = [positions.get(name, name) for name in parameters if name in positions or name in self.named]
        return [place for place in [*known, *more] if place not in range(self.first)]

    def at_places(self, arguments, named):
        return [named[place] if isinstance(place, str) else arguments[place] for place in self.places]

    def report(self, request, deadline, *, deep):
        begun, slow = trials.seconds_used(), 0
        seed = f"{request['seed']} {self.number} {self.key}"
        places = [*self.places, *([0] if self.first and not isinstance(self.arguments[0], type) else [])]
        varied = variations.variations(self.arguments, self.named, seed, request["words"], places)
        report = {
            "function": self.number,
            "key": self.key,
            "call": self.text(self.arguments, self.named),
            "clean": self.ask(self.arguments, self.named),
            "again": self.ask(self.arguments, self.named),
        }
        if deep and self._can_copy():
            rng = random.Random(seed)
            report["repeat"] = self._repeat(itertools.chain([1, 1], iter(lambda: rng.randint(1, 20), None)))
            if report["repeat"] and "then" in report["repeat"]:
                report["repeat"] = self._repeat(itertools.repeat(1))  # for the exact number of equal answers
            report["after"] = trials.in_fork(
                lambda caller: caller.after_others(self.function, self.arguments, self.named, seed, self.first),
                trials.WALL_MANY,
            )
            if self.first:
                report["growth"] = trials.in_fork(
                    lambda caller: caller.growth(self.function, self.arguments, self.named, seed), trials.WALL_MANY
                )
        report["fresh"] = self._ask_elsewhere(varied) if deep else None
        report["length"] = max([len(value) for value in self._collections()], default=0)
        report["varied"] = []
        for index, item in enumerate(varied):
            if slow > MOST_SLOW or trials.seconds_used() - begun > STATION_SECONDS or time.monotonic() > deadline:
                break
            answer = self.ask(item.arguments, item.named)
            slow += answer["kind"] == "slow"
            text = self.text(item.arguments, item.named)
            report["varied"].append({"index": index, "kind": item.kind, "call": text, "answer": answer})
        if deep and self._can_copy():
            report["sequence"] = self._ask_in_sequence(varied, report["varied"])
        return report

    def _ask_in_sequence(self, varied, answered):
        """Ask for the varied inputs one after the other in one process: {"index", "answer"} where an answer differs."""
        answered = [row for row in answered if row["answer"]["kind"] != "slow"]
        calls = [(varied[row["index"]].arguments, varied[row["index"]].named) for row in answered]
        answers = trials.in_fork(lambda caller: caller.in_sequence(self.function, calls), trials.WALL_MANY)
        return [
            {"index": row["index"], "answer": answer}
            for row, answer in zip(answered, answers or [])  # noqa: B905 - `strict` needs Python 3.10
            if (answer["kind"], answer.get("print")) != (row["answer"]["kind"], row["answer"].get("print"))
        ]

    def _collections(self):
        values = self.at_places(self.arguments, self.named)
        return [value for value in values if type(value) in (list, tuple, set, dict, range)]

    def ask(self, arguments, named):
        answer = trials.in_fork(
            lambda caller: caller.answer(self.function, arguments, named, self.first), trials.WALL_EACH
        )
        return answer or {"kind": "slow"}

    def _repeat(self, steps):
        return trials.in_fork(
            lambda caller: caller.repeat(self.function, self.arguments, self.named, steps), trials.WALL_MANY
        )

    def text(self, arguments, named):
        names = [place for place in self.places if isinstance(place, str)]
        shown = [arguments[place] for place in self.places if not isinstance(place, str)]
        text = structure.call_text(self.name, shown, {name: named[name] for name in names})
        changed = self.first and arguments[0] is not self.arguments[0]
        return f"{text} of {structure.shorten(structure.Structure(arguments[0]).text, 80)}" if changed else text

    def _can_copy(self):
        try:
            copy.deepcopy((self.arguments, self.named))
        except Exception:
            return False
        return True

    def _ask_elsewhere(self, varied):
        """Ask for the original input and a few varied ones in a fresh process, while the files of the test exist."""
        same = [(item.arguments, item.named) for item in varied][: FRESH_INPUTS - 1]
        try:
            calls = [base64.b64encode(pickle.dumps(call)).decode() for call in [(self.arguments, self.named), *same]]
        except Exception:
            return None
        request = {"path": sys.path, "module": self.module, "name": self.name, "line": self.line, "calls": calls}
        answers = in_fresh_process([sys.executable, FRESH_CALL], request)
        return answers if isinstance(answers, list) else None


def in_fresh_process(command, request):
    """Run a command with the request as standard input, and return the JSON that it writes; None if it does not."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    reader, writer = os.pipe()
    requests, question = os.pipe()
    here = os.getcwd()
    os.chdir(os.sep)
    pid = os.posix_spawn(
        command[0],
        command,
        environment,
        file_actions=[(os.POSIX_SPAWN_DUP2, requests, 0), (os.POSIX_SPAWN_DUP2, writer, 1)],
    )
    os.chdir(here)
    os.close(requests)
    os.close(writer)
    try:
        send(question, request)
        os.close(question)
        return json.loads(trials.read(reader, time.monotonic() + FRESH_SECONDS))
    except (OSError, ValueError):
        return None
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)


def watch_calls(watcher):
    """Have the watcher told of every call of a watched function, by the cheapest means of this interpreter."""
    if not hasattr(sys, "monitoring"):

        def entered(frame, _event, _argument):
            watched = watcher.watched(frame.f_code)
            if watched is not None:
                watcher.called(frame, *watched)

        watcher.trace = entered  # during tests only: it slows every call of the test runner down
        return
    api = sys.monitoring
    tool = next(tool for tool in (3, 4, 2, 1, 0) if api.get_tool(tool) is None)
    api.use_tool_id(tool, "profiler")

    def started(code, _offset):
        watched = watcher.watched(code)
        if watched is None:
            return api.DISABLE
        watcher.called(sys._getframe(1), *watched)
        return None

    api.register_callback(tool, api.events.PY_START, started)
    api.set_events(tool, api.events.PY_START)


class VaryPlugin:
    """The pytest plug-in that tells the watcher which test runs."""

    def __init__(self, watcher, tests):
        self.watcher = watcher
        self.order = {test: place for place, test in enumerate(tests)}
        self.session = None

    def pytest_collection_modifyitems(self, session, items):
        self.session = session
        items.sort(key=lambda item: self.order.get(item.nodeid, len(self.order)))

    def pytest_runtest_logstart(self, nodeid):
        if self.watcher.done:
            self.session.shouldstop = "enough was asked"
        self.watcher.start(nodeid)

    def pytest_runtest_logfinish(self):
        self.watcher.stop()


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
    watcher = CallWatcher(result, request)
    watch_calls(watcher)
    if unittest_suite is None:
        vary_pytest(watcher, request)
    else:
        vary_unittest(unittest_suite, watcher, request)
    send(result, {"end": True})
    os._exit(0)


def vary_pytest(watcher, request):
    import pytest

    sys.argv = [os.path.join(os.path.dirname(pytest.__file__), "__main__.py")]
    arguments = request["args"]
    quiet = ["--continue-on-collection-errors", "--maxfail=0", "-q", "--tb=no", *pytest_options.one_process(arguments)]
    plugins = [VaryPlugin(watcher, request["tests"]), *pytest_options.package_plugins()]
    pytest.main([*arguments, *quiet, *request["tests"]], plugins=plugins)


def vary_unittest(unittest_suite, watcher, request):
    class VariedResult(unittest_suite.UnittestResult):
        """Tells the watcher which test runs."""

        def started(self, test):
            if watcher.done:
                self.shouldStop = True
            watcher.start(test)

        def finished(self, test):
            watcher.stop()

    suite = unittest_suite.UnittestSuite(request["args"])
    suite.load(request["tests"])
    order = {test: place for place, test in enumerate(request["tests"])}
    suite.tests = dict(sorted(suite.tests.items(), key=lambda item: order.get(item[0], len(order))))
    suite.run(VariedResult())


if __name__ == "__main__":
    main()
