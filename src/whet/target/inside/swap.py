"""Puts a candidate's function in the place of the one that is loaded, so that nothing has to be imported anew.

Stands alone: the target's interpreter (3.9 or later) loads it by its path. Only the body of one function may differ,
and only of one that has not run yet: whatever else a change does, it must be seen by importing the project again.
"""

import ast
import gc
import inspect
import os
import sys
import types

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class CannotSwap(Exception):
    """Why this change can only be seen by importing the project again."""


class Loaded:
    """The project's functions that are alive, and the places of those that ran while the tests were collected."""

    def __init__(self, root):
        self.root = os.path.join(root, "")
        self.ran = set()
        self.functions = {}
        self.sources = {}

    def watch(self):
        sys.setprofile(self._called)

    def _called(self, frame, event, _argument):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(self.root) and code.co_flags & inspect.CO_NEWLOCALS:
            self.ran.add((code.co_filename, code.co_firstlineno))

    def index(self):
        """Once, before the objects of this process are frozen: what is frozen is not found any more."""
        sys.setprofile(None)
        for thing in gc.get_objects():
            if type(thing) is types.FunctionType and thing.__code__.co_filename.startswith(self.root):
                code = thing.__code__
                self.functions.setdefault((code.co_filename, code.co_firstlineno, code.co_name), []).append(thing)

    def plan(self, path, source):
        """The live functions of this file and the code with which each does what the source says, or CannotSwap."""
        if path not in self.sources:
            self.sources[path] = _Source(path)
        old = self.sources[path]
        new = source.splitlines(keepends=True)
        if new == old.lines:
            return []
        function, owner = old.function_around(*_changed(old.lines, new))
        first, last = _first_line(function), function.end_lineno
        if any(name == path and first <= line <= last for name, line in self.ran):
            raise CannotSwap("it has run while the tests were collected")
        text = "".join(new[first - 1 : last + len(new) - len(old.lines)])
        return self._changes(path, function, _compiled(text, function, owner, path, old.flags))

    def _changes(self, path, place, code):
        """Functions in its head (`key=lambda x: x`) are not its own, and stay."""
        outer = self.functions.get((path, _first_line(place), code.co_name))
        if not outer:
            raise CannotSwap("the function is not loaded")
        changes = [(function, code) for function in outer]
        for (name, line, _), functions in self.functions.items():
            if name == path and place.body[0].lineno <= line <= place.end_lineno and functions is not outer:
                raise CannotSwap("a function inside it is alive")
        if any(function.__code__.co_freevars != fresh.co_freevars for function, fresh in changes):
            raise CannotSwap("it closes over other names")
        return changes


class _Source:
    """A file as it is; one that cannot be read has no functions."""

    def __init__(self, path):
        self.lines, self.flags, self.outermost = [], 0, []
        try:
            with open(path, encoding="utf-8", newline="") as file:
                text = file.read()
            tree = ast.parse(text)
            self.flags = compile(text, path, "exec", dont_inherit=True).co_flags & _FUTURES
        except (OSError, ValueError, SyntaxError):
            return
        self.lines = text.splitlines(keepends=True)
        self.outermost = list(_outermost(tree, None))

    def function_around(self, begin, end):
        """The outermost function whose body holds the lines from `begin` up to, without it, `end`."""
        for function, owner in self.outermost:
            if function.body[0].lineno <= begin and end <= function.end_lineno + 1:
                return function, owner
        raise CannotSwap("it is not inside a function")


def _outermost(node, owner):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, DEFINITIONS):
            yield child, owner
        elif isinstance(child, ast.ClassDef):
            yield from _outermost(child, child)
        elif isinstance(child, ast.stmt):
            yield from _outermost(child, owner)


def _changed(old, new):
    """The first line that differs and the first after the last that does, both counted from 1 in the old text."""
    most = min(len(old), len(new))
    begin = next((place for place in range(most) if old[place] != new[place]), most)
    end = next((place for place in range(most - begin) if old[-1 - place] != new[-1 - place]), most - begin)
    return begin + 1, len(old) - end + 1


def _first_line(function):
    return min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])


def _compiled(text, old, owner, path, flags):
    """The new function's code, compiled where the old one stood: in its class, at its lines."""
    above = _first_line(old) - 1
    indented = text[:1] in (" ", "\t")
    if indented:
        text = "\n" * (above - 1) + ("class " + owner.name if owner is not None else "if 1") + ":\n" + text
    else:
        text = "\n" * above + text
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as problem:
        raise CannotSwap("it does not parse") from problem
    body = tree.body[0].body if indented and len(tree.body) == 1 else tree.body
    new = body[0]
    if len(body) != 1 or not isinstance(new, DEFINITIONS) or _header(new) != _header(old):
        raise CannotSwap("more than the body of a function is changed")
    try:
        code = compile(tree, path, "exec", flags=flags, dont_inherit=True)
    except (SyntaxError, ValueError) as problem:
        raise CannotSwap("it does not compile") from problem
    return next(found for found in _inner(code) if found.co_name == new.name)


def _header(function):
    parts = (function.args, *function.decorator_list, *([function.returns] if function.returns else []))
    return (type(function), function.name, [ast.dump(part) for part in parts])


def _inner(code):
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _inner(constant)


def _all_futures():
    import __future__

    flags = 0
    for name in __future__.all_feature_names:
        flags |= getattr(__future__, name).compiler_flag
    return flags


_FUTURES = _all_futures()
