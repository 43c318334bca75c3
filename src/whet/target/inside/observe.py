"""Report the results of one function for the arguments that the tests pass to it, and for similar arguments.

Two candidates that pass the same tests can be told apart by these results. Also reports which lines of the function's
file the tests ran.
Loaded by its path in the target's interpreter (3.9 or later), in the fork of one candidate; standard library only.
"""

import copy
import importlib.util
import inspect
import itertools
import os
import re
import signal
import sys
import types

MOST_CALLS, MOST_SIMILAR, MOST_TEXT = 20, 80, 300
SECONDS_EACH = 0.1
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def load(name):
    """Load a module that lies beside this script, without entering it in sys.modules."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    spec = importlib.util.spec_from_file_location("whet_" + name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


frames = load("frames")


class Overdue(BaseException):
    """A call takes longer than SECONDS_EACH. Not an Exception, so that the function does not catch it by accident."""


class Calls:
    """The distinct calls of the functions with one name in one file, and the lines of the file that ran."""

    def __init__(self, path, name):
        self.path, self.name = path, name
        self.calls = {}
        self.lines = set()

    def watch(self):
        sys.setprofile(self._called)
        sys.settrace(self._entered)

    def _entered(self, frame, _event, _argument):
        return self._ran if frame.f_code.co_filename == self.path else None

    def _ran(self, frame, event, _argument):
        if event == "line":
            self.lines.add(frame.f_lineno)
        return self._ran

    def _called(self, frame, event, _argument):
        code = frame.f_code
        if event != "call" or code.co_name != self.name or code.co_filename != self.path:
            return
        if len(self.calls) < MOST_CALLS:
            sys.setprofile(None)
            self._keep(frame, code)
            sys.setprofile(self._called)

    def _keep(self, frame, code):
        function = _function(frame, code)
        if function is None:
            return
        try:
            arguments, named = copy.deepcopy(frames.arguments_of(frame))
            self.calls.setdefault(_call_text(function, arguments, named), (function, arguments, named))
        except Exception:
            return

    def explore(self):
        """Repeat the calls of the tests, then similar ones; return the text of each call and of its result."""
        sys.setprofile(None)
        sys.settrace(None)
        signal.signal(signal.SIGALRM, _raise_overdue)
        called = list(self.calls.values())
        similar = []
        for function, arguments, named in called:
            for place, value in enumerate(arguments):
                for other in _similar(value):
                    similar.append((function, [*arguments[:place], other, *arguments[place + 1 :]], named))
        results = {}
        for function, arguments, named in itertools.chain(called, _sample(similar, MOST_SIMILAR)):
            call = _call_text(function, arguments, named)
            if call not in results:
                results[call] = _result_text(function, arguments, named)
        return results


def _function(frame, code):
    """Return the live function that runs in this frame, or None if it cannot be found by its name."""
    first = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
    for owner in (frame.f_globals.get(code.co_name), getattr(type(first), code.co_name, None)):
        if isinstance(owner, types.FunctionType) and inspect.unwrap(owner).__code__ is code:
            return owner
    return None


def _result_text(function, arguments, named):
    """Return the result or the exception of a call as text, and the arguments if the call changed them."""
    before = _call_text(function, arguments, named)
    arguments, named = copy.deepcopy((arguments, named))
    signal.setitimer(signal.ITIMER_REAL, SECONDS_EACH)
    try:
        result = function(*arguments, **named)
        lazy = isinstance(result, (types.GeneratorType, map, filter, zip))
        text = "iterator over " + _text(list(itertools.islice(result, 100))) if lazy else _text(result)
        after = _call_text(function, arguments, named)
        return text + ("" if after == before else ", leaving " + after)
    except Overdue:
        return "too slow"
    except Exception as problem:
        return "raise " + type(problem).__name__
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _raise_overdue(_number, _frame):
    raise Overdue


def _call_text(function, arguments, named):
    keywords = [f"{name}={_text(value)}" for name, value in named.items()]
    return _joined(function.__name__ + "(", [*map(_text, arguments), *keywords], ")")


def _text(value, depth=0):
    """Return a text of a value that is the same in every process: objects by their attributes, no addresses."""
    if depth > 6:
        return "..."
    if type(value) in (list, tuple):
        opening, closing = ("[", "]") if type(value) is list else ("(", ",)" if len(value) == 1 else ")")
        return _joined(opening, [_text(item, depth + 1) for item in value], closing)
    if type(value) is dict:
        pairs = [_text(key, depth + 1) + ": " + _text(item, depth + 1) for key, item in value.items()]
        return _joined("{", pairs, "}")
    if type(value) in (set, frozenset):
        name, items = type(value).__name__, sorted(_text(item, depth + 1) for item in value)
        if not items:
            return name + "()"
        return _joined("{", items, "}") if name == "set" else _joined("frozenset({", items, "})")
    if type(value).__repr__ is object.__repr__:
        return type(value).__name__ + _text(getattr(value, "__dict__", {}), depth + 1)
    return ADDRESS.sub("", repr(value))[:MOST_TEXT]


def _joined(opening, parts, closing):
    return opening + ", ".join(parts)[: 4 * MOST_TEXT] + closing


def _similar(value):
    """Return values like this one: neighbours, shorter, longer and reversed ones; none for unknown types."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1, 0, -value, 2 * value + 1]
    if isinstance(value, float):
        return [value + 0.5, 0.0, -value]
    if isinstance(value, (str, bytes)):
        return [value[:0], value[1:], value[:-1], value[::-1], value + value]
    if type(value) in (list, tuple):
        kind = type(value)
        inner = [kind([other, *value[1:]]) for first in value[:1] for other in _similar(first)]
        return [kind(), value[1:], value[:-1], value[::-1], value + value[:1], *inner]
    if type(value) is dict:
        first = next(iter(value), None)
        inner = [{**value, first: other} for other in _similar(value[first])] if value else []
        return [{}, {key: item for key, item in value.items() if key != first}, *inner]
    return []


def _sample(calls, most):
    """Return at most `most` of the calls, evenly spaced."""
    return calls[:: max(len(calls) // most, 1)][:most]
