"""The function and the arguments of a frame at the start of a call.

Loaded by its path in the target's interpreter (3.9 or later); standard library only.
"""

import inspect
import types


def arguments_of(frame):
    """Return the positional and the keyword arguments of a frame at the start of its function."""
    code, values = frame.f_code, frame.f_locals
    names, count = code.co_varnames, code.co_argcount
    arguments = [values[name] for name in names[:count]]
    named = {name: values[name] for name in names[count : count + code.co_kwonlyargcount]}
    place = count + code.co_kwonlyargcount
    if code.co_flags & inspect.CO_VARARGS:
        arguments += values[names[place]]
        place += 1
    if code.co_flags & inspect.CO_VARKEYWORDS:
        named.update(values[names[place]])
    return arguments, named


def function_of(frame):
    """Return a function with the frame's code, globals and closure, without decorators."""
    code, values = frame.f_code, frame.f_locals
    cells = tuple(types.CellType(values[name]) if name in values else types.CellType() for name in code.co_freevars)
    return types.FunctionType(code, frame.f_globals, code.co_name, None, cells)
