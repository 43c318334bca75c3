"""Tell the shape of a call's arguments: calls of one shape teach much the same, so one of each shape is varied first.

The shape depends on the arguments alone, never on the answer: the base and the patch must choose the same calls.
Loaded by its path in the target's interpreter (3.9 or later); standard library only.
"""

import inspect
import itertools
import re

MOST_TEXT, MOST_ITEMS, MOST_ATTRIBUTES = 60, 5, 6
LETTERS, DIGITS = re.compile(r"[^\W\d_]+"), re.compile(r"\d+")
REPEATED = re.compile(r"(.{1,6}?)\1+")
MANY = 3


def shape_of_call(frame):
    """Return the shape of the arguments with which a function was just entered."""
    code, values = frame.f_code, frame.f_locals
    rest = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + rest]
    return tuple(shape(values[name]) for name in names if name in values)


def shape(value, depth=0):
    """Return what a value is like: its type, the pattern of a text, the size of a number or of a collection."""
    kind = type(value)
    if kind is bool or value is None:
        return repr(value)
    if kind is str:
        return pattern(value)
    if kind is bytes:
        return "bytes", pattern(value[:MOST_TEXT].decode("latin-1"))
    if kind is int:
        return "int", value < 0, min(len(str(abs(value))), MANY) if abs(value) < 10**9 else MANY
    if kind is float:
        return "float", value < 0, value.is_integer()
    if kind in (list, tuple, dict, set, frozenset, range):
        items = itertools.islice(value.values() if kind is dict else value, MOST_ITEMS)
        return kind.__name__, min(len(value), MANY), *sorted({type(item).__name__ for item in items})
    return kind.__name__, *(_attributes(value) if depth == 0 else ())


def pattern(text):
    """Return a text with at most two letters for each word and two digits for each number, and repeated parts twice.

    A leading zero stays: programs drop it, or read the number as octal.
    """
    digits = DIGITS.sub(
        lambda found: ("0" if found.group()[0] == "0" else "9") + "9" * (len(found.group()) > 1), text[:MOST_TEXT]
    )
    letters = LETTERS.sub(lambda found: "a" * min(len(found.group()), 2), digits)
    return REPEATED.sub(r"\1\1", letters)


def _attributes(value):
    """Return the shapes of the first plain attributes of an instance."""
    try:
        own = object.__getattribute__(value, "__dict__")
    except (AttributeError, TypeError):
        return ()
    if type(own) is not dict or isinstance(value, type):
        return ()
    return tuple(shape(item, 1) for item in list(own.values())[:MOST_ATTRIBUTES])
