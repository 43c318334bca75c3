"""Digests of loaded modules: the names of their functions and classes, and where each is defined.

A patch that replaces functions of the tests' helpers or of a library while the suite runs changes these digests.
Loaded by its path in the target's interpreter (3.9 or later); standard library only.
"""

import hashlib
import os
import sys
import types

FOREIGN = {"site-packages", "dist-packages", ".venv", "venv", ".tox", ".nox", "node_modules"}
LIBRARY = (
    "builtins", "json", "json.decoder", "json.encoder", "re", "pathlib", "operator", "math", "functools", "copy", "decimal",
    "datetime", "unittest.case", "unittest.mock", "unittest.result", "unittest.suite", "_pytest.python_api", "_pytest.raises", "_pytest.runner", "_pytest.python",
    "_pytest.recwarn", "_pytest.assertion.util", "_pytest.assertion.rewrite", "numpy", "numpy.testing",
)  # fmt: skip


def digests_of_tree(root):
    """Return the digests of the loaded modules below `root`, by their path relative to it.

    They do not depend on `root`, so that the run of a base on another machine can be compared with.
    """
    digests = {}
    for module in list(sys.modules.values()):
        names = _namespace(module)
        path = names.get("__file__")
        if type(path) is str and path.startswith(root) and not FOREIGN.intersection(path.split(os.sep)):
            digests[path[len(root) :]] = _digest(_definitions(names, root))
    return digests


def digests_of_library():
    """Return the digests of the loaded library modules, of decimal's context and of the locale, by name."""
    loaded = {name: _namespace(sys.modules[name]) for name in LIBRARY if name in sys.modules}
    digests = {name: _digest(_definitions(names)) for name, names in loaded.items()}
    if "decimal" in sys.modules:
        context = sys.modules["decimal"].getcontext()
        traps = sorted(signal.__name__ for signal, on in context.traps.items() if on)
        limits = [context.prec, context.rounding, context.Emin, context.Emax, context.capitals, context.clamp]
        digests["the context of decimal"] = _digest([*map(str, limits), *traps])
    if "locale" in sys.modules:
        locale = sys.modules["locale"]
        digests["the locale"] = _digest([locale.setlocale(locale.LC_ALL)])
    return digests


def _namespace(module):
    # `vars(module)` would run the `__getattribute__` of a lazily loaded module, and load it. The type is asked for because
    # `isinstance` believes the `__class__` of objects such as the libraries of cffi, which have no `__dict__`.
    return dict(object.__getattribute__(module, "__dict__")) if issubclass(type(module), types.ModuleType) else {}


def _definitions(names, root=""):
    """Yield one line for every class, method, function and other callable of a namespace; paths below `root` without it."""
    for name in sorted(name for name in names if type(name) is str):
        value = names[name]
        if issubclass(type(value), type):
            yield f"{name}: {value.__module__}.{value.__qualname__}"
            methods = {attribute: method for attribute, method in vars(value).items() if _is_python_code(method)}
            yield from (f"{name}.{attribute}: {_location(methods[attribute], root)}" for attribute in sorted(methods))
        elif _is_python_code(value):
            yield f"{name}: {_location(value, root)}"
        elif callable(value):
            yield f"{name}: {type(value).__name__}"


def _is_python_code(value):
    return type(value) in (types.FunctionType, staticmethod, classmethod, property)


def _location(value, root):
    if type(value) in (staticmethod, classmethod):
        value = value.__func__
    elif type(value) is property:
        value = value.fget
    if type(value) is not types.FunctionType:
        return type(value).__name__
    return f"{value.__code__.co_filename.removeprefix(root)}:{value.__code__.co_firstlineno}"


def _digest(lines):
    return hashlib.sha256("\n".join(lines).encode(errors="backslashreplace")).hexdigest()[:16]
