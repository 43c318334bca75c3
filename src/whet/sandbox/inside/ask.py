"""Runs pieces of tests where no test runner is, and says which values the code under test gives.

Stands alone: the target's interpreter runs it, with nothing of whet importable. Reads one JSON object from standard
input (`path`, `modules`: for each file its `imports` and its `cases`), writes one JSON line per value. What the values
should be is known outside only.
"""

import json
import os
import sys


def literal(value, depth=0):
    """Plain data as it would be written down, or None for anything else."""
    kind = type(value)
    if value is None or kind in (bool, int, str, bytes):
        return repr(value)
    if kind is float:
        return repr(value) if value == value and abs(value) != float("inf") else None
    if depth > 20:
        return None
    if kind in (list, tuple, set):
        inner = [literal(one, depth + 1) for one in value]
        if None in inner or (kind is set and not inner):
            return None
        text = ", ".join(inner)
        return (
            f"[{text}]"
            if kind is list
            else f"{{{text}}}"
            if kind is set
            else f"({text}{',' if len(inner) == 1 else ''})"
        )
    if kind is dict:
        inner = [(literal(key, depth + 1), literal(one, depth + 1)) for key, one in value.items()]
        return None if any(None in pair for pair in inner) else "{" + ", ".join(f"{a}: {b}" for a, b in inner) + "}"
    return plainer(value, depth)


AT_HEART = (
    (int, int.__int__),
    (float, float.__float__),
    (str, str.__str__),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (tuple, lambda value: tuple.__getitem__(value, slice(None))),
    (list, list.copy),
    (dict, lambda value: dict(dict.items(value))),
)


def plainer(value, depth):
    """A value of a subclass, as what it is at heart: its own methods are not asked."""
    for kind, plain in AT_HEART:
        if kind in type.mro(type(value))[1:]:
            return literal(plain(value), depth + 1)
    return None


def own(kind):
    """Whether a class is one of the tree's, and not a library's."""
    module = sys.modules.get(kind.__module__)
    found = getattr(module, kind.__qualname__.partition(".")[0], None)
    return kind.__module__ != "builtins" and (
        found is not kind or (getattr(module, "__file__", None) or "").startswith(os.getcwd() + os.sep)
    )


def main():
    descriptor = int(sys.argv[1])
    os.set_inheritable(descriptor, False)
    out = os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace")
    request = json.loads(sys.stdin.read())
    sys.path[0:1] = [os.path.join(os.getcwd(), folder) for folder in request["path"]]

    def say(**event):
        out.write(json.dumps(event) + "\n")
        out.flush()

    for name, module in request["modules"].items():
        names = {"__name__": module["name"]}
        try:
            exec(compile(module["imports"], name, "exec"), names)
        except BaseException as problem:
            say(event="import", module=name, problem=f"{type(problem).__name__}: {problem}"[:500])
            continue
        say(event="import", module=name, problem="")
        for case, source in module["cases"].items():
            run(case, source, dict(names), name, say)
    say(event="end")
    sys.stdout.flush()
    os._exit(0)


def run(case, source, names, name, say):
    try:
        exec(compile(source, name, "exec"), names)
        for key, value in names["case"]():
            say(event="value", key=key, value=literal(value), kind=type(value).__qualname__ if own(type(value)) else "")
    except BaseException as problem:
        say(event="raised", case=case, problem=f"{type(problem).__name__}: {problem}"[:500])


main()
