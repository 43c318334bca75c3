"""Call a function in a fork with a time limit, and describe its answer and its effects.

Loaded by its path in the target's interpreter (3.9 or later, Linux); standard library only.
"""

import copy
import ctypes
import importlib.util
import inspect
import io
import itertools
import json
import os
import random
import resource
import select
import signal
import sys
import time
import types
import warnings


def load(name):
    """Load a module that lies beside this script or one folder up, without entering it in sys.modules."""
    here = os.path.dirname(os.path.abspath(__file__))
    paths = [os.path.join(folder, name + ".py") for folder in (here, os.path.dirname(here))]
    path = next(filter(os.path.exists, paths))
    spec = importlib.util.spec_from_file_location("whet_" + name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


structure, variations = load("structure"), load("variations")
# Processor time, so that a busy machine gives the same answers; the wall limits end calls that wait or sleep.
SECONDS_EACH, SECONDS_MANY, WALL_EACH, WALL_MANY = 0.05, 0.5, 3.0, 20.0
TIMES, FEWEST, MOST_ITEMS = 1000, 100, 200
MOST_ATTRIBUTES = 12
MORE_BYTES = 512 * 1024 * 1024
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
WRITE, PROCESS, SOCKET = "writes a file", "starts a process", "opens a connection"
ENVIRONMENT, CHANGE, PRINT = "sets the environment", "changes its arguments", "prints"
CHANGE_OBJECT, CHANGE_GLOBAL = "changes its object", "changes the global value"
CHANGE_PASSED = "changes an object that it is passed"
EARLY = 10
EFFECTS = {
    **dict.fromkeys(("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.truncate", "os.link", "os.symlink"), WRITE),
    **dict.fromkeys(("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn"), PROCESS),
    **dict.fromkeys(("socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo"), SOCKET),
    **dict.fromkeys(("os.putenv", "os.unsetenv"), ENVIRONMENT),
}
# The C library's fork: Python's own touches (and so copies) the memory of all objects for the sake of threads. The process
# that asks is a fork itself, so it has none.
fork = ctypes.PyDLL(None).fork
ITERATORS = (types.GeneratorType, map, filter, zip, enumerate, itertools.chain)


class CallOverdue(BaseException):
    """A call takes longer than SECONDS_EACH. Not an Exception, so that the function does not catch it by accident."""


class Blocked(BaseException):
    """A call wants to change something outside this process."""


class Effects:
    """Notes what calls do to the world outside the process, with an audit hook; all but the environment is blocked."""

    def __init__(self):
        self.seen, self.watching = set(), False
        sys.addaudithook(self._hook)

    def _hook(self, event, arguments):
        if not self.watching:
            return
        effect = EFFECTS.get(event)
        if event == "open" and (arguments[2] or 0) & WRITES and not _is_harmless(arguments[0]):
            effect = WRITE
        if effect is not None:
            self.seen.add(effect)
            if effect is not ENVIRONMENT:
                raise Blocked


def _is_harmless(path):
    return isinstance(path, int) or str(path).endswith(".pyc") or str(path) == os.devnull


class Attributes:
    """The plain attributes of objects before a call. Attributes that a call adds do not count: it may keep a result."""

    def __init__(self, objects):
        self.before = [(value, self._plain(value)) for value in objects]

    def _plain(self, value):
        found = structure.attributes(value, type(value))
        texts = {name: structure.Structure(item) for name, item in found.items()}
        return {name: text.digest for name, text in texts.items() if text.plain}

    def after(self):
        """Return the plain attributes of the first object as they are now: a digest and a short text for each name."""
        if not self.before:
            return {}
        found = structure.attributes(self.before[0][0], type(self.before[0][0]))
        texts = {name: structure.Structure(item) for name, item in list(found.items())[:MOST_ATTRIBUTES]}
        return {name: [text.digest, structure.shorten(text.text, 60)] for name, text in texts.items() if text.plain}

    def changed(self):
        for value, before in self.before:
            after = self._plain(value)
            if any(after.get(name) != digest for name, digest in before.items()):
                return True
        return False


class Globals:
    """The collections of its module that a function names, before a call."""

    def __init__(self, function):
        self.values = getattr(function, "__globals__", {})
        names = _names_in(getattr(function, "__code__", None))
        self.before = {name: self._digest(name) for name in names if type(self.values.get(name)) in (dict, list, set)}

    def _digest(self, name):
        return structure.Structure(self.values.get(name)).digest

    def changed(self):
        return [name for name, digest in self.before.items() if self._digest(name) != digest]


def _names_in(code):
    """Return the global names that a code object and the functions and comprehensions in it use."""
    if code is None:
        return set()
    inner = [_names_in(part) for part in code.co_consts if isinstance(part, types.CodeType)]
    return set(code.co_names).union(*inner)


class ForkedCaller:
    """Calls functions in this process, which must be a fork or a process of its own: it is changed for good."""

    def __init__(self):
        self.effects = Effects()
        signal.signal(signal.SIGVTALRM, _raise_overdue)
        with open("/proc/self/statm") as file:
            pages = int(file.read().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MORE_BYTES, resource.RLIM_INFINITY))
        null = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(null, standard)
        random.seed(0)
        sys.dont_write_bytecode = True

    def answer(self, function, arguments, named, first=0, *, alone=True):
        """Return the answer of one call as JSON data. Arguments before `first` (`self`) may change.

        Changes of objects and of global values are looked for if the call is `alone` in its process.
        """
        own = structure.Structure((arguments[first:], named))
        objects = Attributes(arguments[:first] if alone else ())
        passed = Attributes([*arguments[first:], *named.values()] if alone else ())
        known = Globals(function if alone else None)
        sys.stdout, sys.stderr = printed, complained = io.StringIO(), io.StringIO()
        self.effects.seen = set()
        try:
            with warnings.catch_warnings():
                warnings.showwarning = _drop_warning
                result = self._result(function, arguments, named)
        except CallOverdue:
            return {"kind": "slow"}
        except MemoryError:
            return {"kind": "slow"}
        except Blocked:
            return {"kind": "blocked", "effects": sorted(self.effects.seen)}
        except BaseException as problem:
            name = structure.ask.QUALIFIED(type(problem))
            state = objects.after() if alone else {}
            return {"kind": "raised", "print": name, "text": name, "effects": sorted(self.effects.seen), "state": state}
        value = structure.Structure(result)
        # A function without a result works by changing its arguments.
        after = structure.Structure((list(arguments), named)).digest if result is None else ""
        # Objects may remember what they have computed; only plain data belongs to the caller alone.
        if result is not None and own.plain and structure.Structure((arguments[first:], named)).digest != own.digest:
            self.effects.seen.add(CHANGE)
        if not any(result is value for value in arguments[:first]) and objects.changed():
            self.effects.seen.add(CHANGE_OBJECT)
        if passed.changed():
            self.effects.seen.add(CHANGE_PASSED)
        self.effects.seen.update(f"{CHANGE_GLOBAL} {name}" for name in known.changed())
        printed_text = printed.getvalue() + complained.getvalue()
        if printed.getvalue():
            self.effects.seen.add(PRINT)
        return {
            "kind": "answer",
            "print": value.digest + after + (structure.Structure(printed_text).digest if printed_text else ""),
            "text": value.short,
            "plain": value.plain,
            "effects": sorted(self.effects.seen),
            "state": objects.after() if alone else {},
        }

    def _call(self, function, arguments, named):
        """Call a function for what it leaves behind; its answer is not read."""
        try:
            self._result(function, arguments, named)
        except BaseException:
            return

    def _result(self, function, arguments, named):
        self.effects.watching = True
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_EACH)
        try:
            result = function(*arguments, **named)
            if inspect.iscoroutine(result):
                result = _run(result)
            if isinstance(result, ITERATORS):
                result = list(itertools.islice(result, MOST_ITEMS))
            return result
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            self.effects.watching = False

    def repeat(self, function, arguments, named, steps):
        """Call a function up to TIMES times with equal arguments; stop at the first other answer.

        `steps` yields how many calls to make until the next answer is compared: comparing costs more than calling.
        """
        begun, done, first = time.process_time(), 0, None
        while done < TIMES and (not done or time.process_time() - begun < SECONDS_MANY):
            for _ in range(min(next(steps), TIMES - done) - 1):
                self._call(function, *copy.deepcopy((arguments, named)))
                done += 1
            answer = self.answer(function, *copy.deepcopy((arguments, named)), alone=False)
            first = first or answer
            if (answer["kind"], answer.get("print")) != (first["kind"], first.get("print")):
                return {"times": done, "then": answer}
            done += 1
            if answer["kind"] == "slow":
                break
        return {"times": done}

    def in_sequence(self, function, calls):
        """Return the answers to calls that are made one after the other in this process."""
        begun, answers = time.process_time(), []
        for arguments, named in calls:
            if time.process_time() - begun > SECONDS_MANY:
                break
            answers.append(self.answer(function, *copy.deepcopy((arguments, named)), alone=False))
        return answers

    def growth(self, function, arguments, named, seed):
        """Call a method of one object with many other arguments; return the size of the object: first, early and last."""
        rng = random.Random(seed)
        arguments, named = copy.deepcopy((arguments, named))
        sizes = [structure.Structure(arguments[0]).nodes]
        sys.stdout = sys.stderr = io.StringIO()
        for others in in_time():
            self._call(function, *variations.another(arguments, named, rng, 1))
            if others == EARLY:
                sizes.append(structure.Structure(arguments[0]).nodes)
        return {"sizes": [*sizes, structure.Structure(arguments[0]).nodes], "others": others}

    def after_others(self, function, arguments, named, seed, first_place):
        """Call a function with many other arguments, then with these, and return the last answer."""
        rng = random.Random(seed)
        sys.stdout = sys.stderr = io.StringIO()
        for others in in_time():  # noqa: B007 - the last number is used below
            self._call(function, *variations.another(*copy.deepcopy((arguments, named)), rng, first_place))
        return {**self.answer(function, *copy.deepcopy((arguments, named))), "others": others}


def in_time():
    """Yield the numbers from 1 to TIMES within SECONDS_MANY; end soon if there is no time for FEWEST of them."""
    begun = time.process_time()
    for number in range(1, TIMES + 1):
        yield number
        used = time.process_time() - begun
        if used > SECONDS_MANY or (number >= EARLY and used * FEWEST > SECONDS_MANY * number):
            return


def _drop_warning(*_arguments, **_named):
    """Warnings are not part of an answer: a fix may add one."""


def _raise_overdue(_number, _frame):
    raise CallOverdue


def _run(coroutine):
    import asyncio

    asyncio._set_running_loop(None)  # the fork inherits the mark of the loop that runs in the test
    loop = asyncio.new_event_loop()
    return loop.run_until_complete(coroutine)


def in_fork(work, wall_seconds):
    """Return what `work(caller)` returns in a fork; None if the fork does not answer in time."""
    reader, writer = os.pipe()
    pid = fork()
    if pid == 0:
        try:
            os.close(reader)
            data = json.dumps(work(ForkedCaller())).encode()
            while data:
                data = data[os.write(writer, data) :]
        finally:
            os._exit(0)
    os.close(writer)
    data = read(reader, time.monotonic() + wall_seconds)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    try:
        return json.loads(data)
    except ValueError:
        return None


def seconds_used():
    """Return the processor time of this process and of the children that it has waited for."""
    return sum(os.times()[:4])


def read(reader, deadline):
    """Read until the other end closes or the deadline passes."""
    received = bytearray()
    try:
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([reader], [], [], left)[0]:
                return b""
            data = os.read(reader, 65536)
            if not data:
                return bytes(received)
            received += data
    finally:
        os.close(reader)
