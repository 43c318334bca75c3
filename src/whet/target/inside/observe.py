"""What a function gives for the values that it was called with while the tests ran, and for others like them; and which
lines of its file the tests ran.

Stands alone: the target's interpreter (3.9 or later) loads it by its path, in the fork of one candidate. Two candidates
that pass the same tests can be told apart by what they give here.
"""

import copy
import inspect
import itertools
import re
import signal
import sys
import types

MOST_CALLS, MOST_ASKED, MOST_TEXT = 20, 80, 300
SECONDS_EACH = 0.1
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


class Overdue(BaseException):
    """It takes too long to be waited for."""


class Calls:
    """Of the functions of one name in one file."""

    def __init__(self, path, name):
        self.path, self.name = path, name
        self.seen = {}
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
        if len(self.seen) < MOST_CALLS:
            sys.setprofile(None)
            self._keep(frame, code)
            sys.setprofile(self._called)

    def _keep(self, frame, code):
        function = _function(frame, code)
        if function is None:
            return
        try:
            given, named = copy.deepcopy(_arguments(frame, code))
            self.seen.setdefault(_call(function, given, named), (function, given, named))
        except Exception:
            return

    def explore(self):
        """What was given, in words, and what came of it, in words; the calls that were seen come first."""
        sys.setprofile(None)
        sys.settrace(None)
        signal.signal(signal.SIGALRM, _overdue)
        told = {}
        seen = list(self.seen.values())
        others = [
            (function, [*given[:place], other, *given[place + 1 :]], named)
            for function, given, named in seen
            for place, value in enumerate(given)
            for other in _like(value)
        ]
        for function, given, named in itertools.chain(seen, _spread(others, MOST_ASKED)):
            asked = _call(function, given, named)
            if asked not in told:
                told[asked] = _asked(function, given, named)
        return told


def _function(frame, code):
    """The live function that runs in this frame, if it can be found by its name."""
    first = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
    for owner in (frame.f_globals.get(code.co_name), getattr(type(first), code.co_name, None)):
        if isinstance(owner, types.FunctionType) and inspect.unwrap(owner).__code__ is code:
            return owner
    return None


def _arguments(frame, code):
    here = frame.f_locals
    names = code.co_varnames
    count = code.co_argcount
    given = [here[name] for name in names[:count]]
    named = {name: here[name] for name in names[count : count + code.co_kwonlyargcount]}
    place = count + code.co_kwonlyargcount
    if code.co_flags & inspect.CO_VARARGS:
        given += here[names[place]]
        place += 1
    if code.co_flags & inspect.CO_VARKEYWORDS:
        named.update(here[names[place]])
    return given, named


def _asked(function, given, named):
    """What it returns or raises, and what it leaves of what it was given."""
    before = _call(function, given, named)
    given, named = copy.deepcopy((given, named))
    signal.setitimer(signal.ITIMER_REAL, SECONDS_EACH)
    try:
        result = function(*given, **named)
        if isinstance(result, (types.GeneratorType, map, filter, zip)):
            result = list(itertools.islice(result, 100))
        after = _call(function, given, named)
        return _words(result) + ("" if after == before else ", leaving " + after)
    except Overdue:
        return "too slow"
    except Exception as problem:
        return type(problem).__name__
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _overdue(_number, _frame):
    raise Overdue


def _call(function, given, named):
    return _listed(function.__name__ + "(", [*map(_words, given), *(f"{n}={_words(v)}" for n, v in named.items())], ")")


def _words(value, depth=0):
    """Objects by what they hold: where they lie in memory says nothing."""
    if depth > 6:
        return "..."
    if type(value) in (list, tuple):
        opening, closing = "[]" if type(value) is list else "()"
        return _listed(opening, [_words(one, depth + 1) for one in value], closing)
    if type(value) is dict:
        return _listed("{", [_words(k, depth + 1) + ": " + _words(v, depth + 1) for k, v in value.items()], "}")
    if type(value) in (set, frozenset):
        return _listed("{", sorted(_words(one, depth + 1) for one in value), "}")
    if type(value).__repr__ is object.__repr__:
        return type(value).__name__ + _words(getattr(value, "__dict__", {}), depth + 1)
    return ADDRESS.sub("", repr(value))[:MOST_TEXT]


def _listed(opening, parts, closing):
    return opening + ", ".join(parts)[: 4 * MOST_TEXT] + closing


def _like(value):
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
        inner = [kind([other, *value[1:]]) for one in value[:1] for other in _like(one)]
        return [kind(), value[1:], value[:-1], value[::-1], value + value[:1], *inner]
    if type(value) is dict:
        first = next(iter(value), None)
        inner = [{**value, first: other} for other in _like(value[first])] if value else []
        return [{}, {key: one for key, one in value.items() if key != first}, *inner]
    return []


def _spread(things, most):
    """Some of them, from everywhere."""
    return things[:: max(len(things) // most, 1)][:most]
