"""Replace the code of a loaded function by a candidate's, so that the project need not be imported again.

Only the body of one function may differ, and the function must not have run yet. Any other change takes effect only if
the project is imported again, and is refused with CannotSwap.
Loaded by its path in the target's interpreter (3.9 or later); standard library only.
"""

import ast
import gc
import inspect
import os
import sys
import types

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class CannotSwap(Exception):
    """The candidate takes effect only if the project is imported again; the message is the reason."""


class Loaded:
    """The project's live functions, and the locations of those that ran while the tests were collected."""

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
        """Find the live functions, once, before `gc.freeze`: gc does not list frozen objects."""
        sys.setprofile(None)
        for candidate in gc.get_objects():
            if type(candidate) is types.FunctionType and candidate.__code__.co_filename.startswith(self.root):
                code = candidate.__code__
                self.functions.setdefault((code.co_filename, code.co_firstlineno, code.co_name), []).append(candidate)

    def replacements(self, path, source):
        """Return (live function, new code) pairs that turn the loaded file into `source`, or raise CannotSwap."""
        if path not in self.sources:
            self.sources[path] = _Source(path)
        old = self.sources[path]
        new = source.splitlines(keepends=True)
        if new == old.lines:
            return []
        function, owner = old.function_around(*_changed(old.lines, new))
        first, last = _first_line(function), function.end_lineno
        if any(name == path and first <= line <= last for name, line in self.ran):
            raise CannotSwap("it ran while the tests were collected")
        text = "".join(new[first - 1 : last + len(new) - len(old.lines)])
        return self._changes(path, function, _compiled(text, function, owner, path, old.flags))

    def _changes(self, path, definition, code):
        outer = self.functions.get((path, _first_line(definition), code.co_name))
        if not outer:
            raise CannotSwap("the function is not loaded")
        changes = [(function, code) for function in outer]
        for (name, line, _), functions in self.functions.items():
            # Functions in its header (`key=lambda x: x`) lie above the body and stay as they are.
            inside = definition.body[0].lineno <= line <= definition.end_lineno
            if name == path and inside and functions is not outer:
                raise CannotSwap("a function inside it is alive")
        if any(function.__code__.co_freevars != fresh.co_freevars for function, fresh in changes):
            raise CannotSwap("it closes over other names")
        return changes


class _Source:
    """A file on disk and its outermost functions; none if the file cannot be read or parsed."""

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
        """Return the outermost function whose body contains the lines from `begin` to before `end`, and its class."""
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
    """Return the first changed line of the old text and the line after the last one, counted from 1."""
    shorter = min(len(old), len(new))
    head = next((index for index in range(shorter) if old[index] != new[index]), shorter)
    rest = shorter - head
    tail = next((index for index in range(rest) if old[-1 - index] != new[-1 - index]), rest)
    return head + 1, len(old) - tail + 1


def _first_line(function):
    return min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])


def _compiled(text, old, owner, path, flags):
    """Compile the new function inside a class of the same name and at the same lines as the old one."""
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
    return next(inner for inner in _inner_codes(code) if inner.co_name == new.name)


def _header(function):
    parts = (function.args, *function.decorator_list, *([function.returns] if function.returns else []))
    return (type(function), function.name, [ast.dump(part) for part in parts])


def _inner_codes(code):
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _inner_codes(constant)


def _all_futures():
    import __future__

    flags = 0
    for name in __future__.all_feature_names:
        flags |= getattr(__future__, name).compiler_flag
    return flags


_FUTURES = _all_futures()
