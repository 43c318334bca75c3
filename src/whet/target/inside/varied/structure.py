"""Describe values by their structure, the same in every process: no addresses, no `__eq__`, no `__repr__` of a project.

The values come from untrusted code, so classes are read with the C descriptors of `type` (see ask.py).
Loaded by its path in the target's interpreter (3.9 or later); standard library only.
"""

import functools
import hashlib
import importlib.util
import os
import pathlib
import types


def load(name):
    """Load a module that lies beside this script or one folder up, without entering it in sys.modules."""
    here = os.path.dirname(os.path.abspath(__file__))
    paths = [os.path.join(folder, name + ".py") for folder in (here, os.path.dirname(here))]
    path = next(filter(os.path.exists, paths))
    spec = importlib.util.spec_from_file_location("whet_" + name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ask = load("ask")
DEEPEST, MOST_NODES, MOST_TEXT = 8, 3000, 160
EXACT_FLOATS = 2**53
WRITTEN_IN_C = ("datetime", "decimal", "re", "uuid", "fractions", "zoneinfo")
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, functools.partial)


class Structure:
    """The text of a value. `plain` is false if the value holds instances of classes that are not plain data."""

    def __init__(self, value):
        self.plain, self.nodes, self.open = True, 0, set()
        self.text = self._of(value, 0)

    @property
    def digest(self):
        return hashlib.sha256(self.text.encode("utf-8", "backslashreplace")).hexdigest()[:16]

    @property
    def short(self):
        return shorten(self.text)

    def _of(self, value, depth):
        self.nodes += 1
        if depth > DEEPEST or self.nodes > MOST_NODES:
            return "..."
        kind = type(value)
        if kind in (type(None), bool, int, float, complex, str, bytes):
            if kind is float and value.is_integer() and abs(value) < EXACT_FLOATS:
                value, kind = int(value), int  # 3.0 == 3: no test tells them apart
            return ask.int_literal(value, depth) if kind is int else repr(value)
        if id(value) in self.open:
            return "<cycle>"
        self.open.add(id(value))
        try:
            return self._collection(value, kind, depth + 1) or self._object(value, kind, depth + 1)
        finally:
            self.open.discard(id(value))

    def _collection(self, value, kind, depth):
        if kind in (list, tuple):
            text = ", ".join([self._of(item, depth) for item in value])
            return f"[{text}]" if kind is list else f"({text}{',' if len(value) == 1 else ''})"
        if kind is dict or kind is types.MappingProxyType:
            return "{" + self._pairs(value, depth) + "}"
        if kind in (set, frozenset, type({}.keys())):
            return "{" + ", ".join(sorted(self._of(item, depth) for item in value)) + "}"
        return ""

    def _pairs(self, value, depth):
        return ", ".join(sorted(f"{self._of(key, depth)}: {self._of(item, depth)}" for key, item in value.items()))

    def _object(self, value, kind, depth):
        name = f"{text_or(ask.MODULE(kind))}.{ask.QUALIFIED(kind)}"
        if issubclass(kind, type) or kind in FUNCTIONS:
            return f"<{text_or(getattr(value, '__module__', ''))}.{text_or(getattr(value, '__qualname__', name))}>"
        if kind is types.ModuleType:
            return f"<module {text_or(ask.CONTENTS(value).get('__name__'))}>"
        if ask.MODULE(kind) in ("pathlib", "pathlib._local") and issubclass(kind, pathlib.PurePath):
            return f"Path({str(value)!r})"
        if ask.is_immutable(kind) and not issubclass(kind, BaseException):
            return self._of_c_library(value, kind, name)
        self.plain = False
        parts = [convert(value) for base, convert in ask.BASE_VALUE if base in ask.ANCESTORS(kind)][:1]
        inner = [self._of(part, depth) for part in parts]
        inner += [f"{key}={self._of(item, depth)}" for key, item in sorted(attributes(value, kind).items())]
        if issubclass(kind, BaseException):
            inner += [self._of(BaseException.args.__get__(value), depth)]
        return f"{name}({', '.join(inner)})"

    def _of_c_library(self, value, kind, name):
        if ask.MODULE(kind) == "numpy":
            try:
                return f"{name}:{ask.c_library_literal(value, kind, 0)}"
            except ask.Opaque:
                self.plain = False
                return f"<{name}>"
        if text_or(ask.MODULE(kind)).lstrip("_") in WRITTEN_IN_C:
            return repr(value)
        self.plain = False
        return f"<{name}>"


def attributes(value, kind):
    """Return the attributes of an instance: its dictionary and its slots, without what its class computes."""
    found = {}
    try:
        own = object.__getattribute__(value, "__dict__")
        found.update({key: item for key, item in own.items() if type(key) is str})
    except (AttributeError, TypeError):
        pass
    for ancestor in ask.ANCESTORS(kind):
        for key, member in list(ask.ATTRIBUTES(ancestor).items()):
            if type(member) is types.MemberDescriptorType:
                try:
                    found[key] = member.__get__(value)
                except AttributeError:
                    continue
    return found


def text_or(value, other=""):
    return value if type(value) is str else other


def shorten(text, most=MOST_TEXT):
    return text if len(text) <= most else text[: most - 3] + "..."


def call_text(name, arguments, named):
    """Return a call as a reader would write it, shortened."""
    parts = [shorten(Structure(value).text, 60) for value in arguments]
    parts += [f"{key}={shorten(Structure(value).text, 60)}" for key, value in named.items()]
    return shorten(f"{name}({', '.join(parts)})", 200)
