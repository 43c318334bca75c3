"""Run parts of tests in a process without a test runner, and write the values that the code under test returns.

    python ask.py RESULT_FD

Runs under the target's interpreter (3.9 or later), inside the sandbox; nothing of whet is importable. Reads one JSON
object from standard input (`path`, `modules`: a list of `imports` and `cases`, `elsewhere`), and writes one JSON line per
value. The expected values are known outside the sandbox only. With `elsewhere` the process has a terminal, another
program name, more modules loaded, and runs the cases in reverse order.

The values come from untrusted code, so no method of their classes is called to identify them: type slots are read with
the C descriptors of `type`, and types are compared by identity, because a metaclass can define `==`.
"""

import json
import os
import sys

SLOT = type.__dict__
ATTRIBUTES, ANCESTORS, FLAGS = (SLOT[name].__get__ for name in ("__dict__", "__mro__", "__flags__"))
QUALIFIED, MODULE = (SLOT[name].__get__ for name in ("__qualname__", "__module__"))
CONTENTS = type(sys).__dict__["__dict__"].__get__
IMMUTABLE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE: no class that is written in Python has this flag
MOST_ITEMS = 10_000
DEEPEST = 20
quote = json.encoder.encode_basestring_ascii
compiled, execute, write = compile, exec, os.write
TREE = os.getcwd() + os.sep


class Opaque(BaseException):
    """A value is not plain data; `kind` is the class that is not."""

    def __init__(self, kind):
        self.kind = kind


def literal(value, depth=0):
    """Return plain data as a Python literal; raise Opaque for anything else."""
    if depth > DEEPEST:
        raise Opaque(type(value))
    writer = EXACT.get(id(type(value)))
    return writer(value, depth + 1) if writer else subclass_literal(value, depth + 1)


def float_literal(value, depth):
    if value != value:
        raise Opaque(float)
    return repr(value).replace("inf", "1e999")


def int_literal(value, depth):
    try:
        return repr(value)
    except ValueError:  # more digits than the interpreter converts to decimal
        return hex(value)


def sequence_literal(opening, closing):
    def write_items(value, depth):
        return opening + ", ".join([literal(item, depth) for item in value]) + closing

    return write_items


def set_literal(value, depth):
    return sequence_literal("{", "}")(value, depth) if value else "set()"


def dict_literal(value, depth):
    return "{" + ", ".join([f"{literal(key, depth)}: {literal(item, depth)}" for key, item in value.items()]) + "}"


def repr_literal(value, depth):
    return repr(value)


EXACT = {
    id(kind): writer
    for kinds, writer in (
        ((type(None), bool, str, bytes, complex), repr_literal),
        ((int,), int_literal),
        ((float,), float_literal),
        ((list,), sequence_literal("[", "]")),
        ((tuple,), lambda value, depth: sequence_literal("(", ",)")(value, depth) if value else "()"),
        ((set, frozenset, type({}.keys())), set_literal),
        ((dict, type(SLOT)), dict_literal),
        ((bytearray, memoryview), lambda value, depth: repr(bytes(value))),
    )
    for kind in kinds
}

# Converts an instance of a subclass to its built-in base, without calling a method of the subclass.
BASE_VALUE = (
    (int, int.__int__),
    (float, float.__float__),
    (str, str.__str__),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (tuple, lambda value: tuple.__getitem__(value, slice(None))),
    (list, list.copy),
    (dict, lambda value: dict(dict.items(value))),
    (set, lambda value: set(set.__iter__(value))),
    (frozenset, lambda value: frozenset(frozenset.__iter__(value))),
)


def subclass_literal(value, depth):
    """Return a value of a subclass of a built-in class, a Fraction or a library's number as a literal."""
    kind = type(value)
    if where(kind) == ("library", "fractions.Fraction"):
        parts = [of(kind, name).__get__(value) for name in ("_numerator", "_denominator")]
        return f"Fraction({', '.join([literal(part, depth) for part in parts])})"
    if is_immutable(kind) and MODULE(kind) in ("numpy", "decimal", "datetime"):
        return c_library_literal(value, kind, depth)
    for base, convert in BASE_VALUE:
        if any(ancestor is base for ancestor in ANCESTORS(kind)):
            return literal(convert(value), depth)
    raise Opaque(kind)


def c_library_literal(value, kind, depth):
    """Return a number, array or time of a C library as a literal: the methods of such classes cannot be replaced."""
    if MODULE(kind) != "numpy":
        return repr(value)
    if QUALIFIED(kind) == "ndarray":
        listed = of(kind, "tolist")(value) if of(kind, "size").__get__(value) <= MOST_ITEMS else None
    else:
        listed = of(kind, "item")(value)
    if is_immutable(type(listed)) and MODULE(type(listed)) == "numpy":
        raise Opaque(kind)
    return literal(listed, depth)


def of(kind, name):
    for ancestor in ANCESTORS(kind):
        if name in ATTRIBUTES(ancestor):
            return ATTRIBUTES(ancestor)[name]
    raise Opaque(kind)


def is_immutable(kind):
    return bool(FLAGS(kind) & IMMUTABLE)


def where(kind):
    """Return (place, name) of a class by the module that actually holds it, not by the class's own attributes.

    The place is the path of a project module, "library" for another module, "" if no module holds the class.
    """
    name = QUALIFIED(kind)
    if is_immutable(kind):
        return "library", f"{MODULE(kind)}.{name}"
    libraries = []
    for module in list(sys.modules.values()):
        if type(module) is type(sys) and holds(CONTENTS(module), kind, name):
            file = CONTENTS(module).get("__file__") or ""
            if not isinstance(file, str) or file.startswith(TREE):
                return str(file)[len(TREE) :], name
            libraries.append(CONTENTS(module).get("__name__"))
    return ("library", f"{libraries[0]}.{name}") if libraries else ("", name)


def holds(names, kind, name):
    """True if `name`, looked up in `names` (dots for nested classes), is the class `kind`."""
    first, *rest = name.split(".")
    value = names.get(first)
    for part in rest:
        value = ATTRIBUTES(value).get(part) if isinstance(value, type) else None
    return value is kind


def exhausted(value):
    """Return the remaining items of a built-in iterator as a list, if it ends; else the value itself."""
    kind = type(value)
    if not (is_immutable(kind) and "__next__" in ATTRIBUTES(kind)):
        return value
    rest = []
    for item in value:
        rest.append(item)
        if len(rest) > MOST_ITEMS:
            return value
    return rest


def answer(key, value, *done):
    """Return the event that describes a value; with `done`, the test does not use the value any more."""
    array = is_array(type(value))
    try:
        text, kind = literal(exhausted(value) if done else value), type(value)
    except Opaque as problem:
        text, kind = None, problem.kind
    place, name = where(kind)
    return {"event": "value", "key": key, "value": text, "array": array, "place": place, "kind": name}


def is_array(kind):
    return is_immutable(kind) and (MODULE(kind), QUALIFIED(kind)) == ("numpy", "ndarray")


def line(event):
    """Return the event as a line of JSON, without functions that imported code could have replaced."""
    parts = []
    for key, value in event.items():
        text = {None: "null", True: "true", False: "false"}[value] if not isinstance(value, str) else quote(value)
        parts.append(f"{quote(key)}: {text}")
    return "{" + ", ".join(parts) + "}\n"


def writer_to(descriptor):
    def send(**event):
        rest = line(event).encode()
        while rest:
            rest = rest[write(descriptor, rest) :]

    return send


def change_environment():
    """Load modules and register classes that a small script would not have, and continue on a terminal.

    The work continues in a fork; this process reads the terminal and exits with the fork's code.
    """
    import abc
    import csv  # noqa: F401 - only loaded, not used
    import http.client  # noqa: F401
    import tempfile  # noqa: F401
    import unittest  # noqa: F401

    some = abc.ABCMeta("Some", (), {})
    for index in range(2000):
        some.register(type(f"One{index}", (), {}))
    try:
        reader, terminal = os.openpty()
    except OSError:
        return
    child = os.fork()
    if child:
        os.close(terminal)
        os._exit(drain_terminal(reader, child))
    os.close(reader)
    for standard in (0, 1, 2):
        os.dup2(terminal, standard)
    os.close(terminal)


def drain_terminal(terminal, child):
    """Read and discard the terminal's output until it is closed; return the exit code of `child`."""
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        pass  # the other side is closed
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main():
    descriptor = int(sys.argv[1])
    os.set_inheritable(descriptor, False)
    request = json.loads(sys.stdin.read())
    sys.path[0:1] = [os.path.join(os.getcwd(), folder) for folder in request["path"]]
    modules, name = list(enumerate(request["modules"])), "app"
    if request.get("elsewhere"):
        change_environment()
        modules, name = modules[::-1], "service"
        for _, module in modules:
            module["cases"].reverse()
    sys.argv[:] = [name]
    run_modules(modules, name, writer_to(descriptor))


def run_modules(modules, name, send):
    """Run the cases of every module, write the end event, and exit."""
    for number, module in modules:
        names = {"__name__": name}
        try:
            execute(compiled(module["imports"], f"{name}.py", "exec"), names)
        except BaseException as problem:
            send(event="import", module=str(number), problem=type(problem).__name__)
            continue
        send(event="import", module=str(number), problem="")
        for source in module["cases"]:
            run_case(source, dict(names), name, send)
    send(event="end")
    sys.stdout.flush()
    os._exit(0)


def run_case(source, names, name, send):
    """Run one case, a generator of (key, value) pairs, and write an event for each value."""
    try:
        execute(compiled(source, f"{name}.py", "exec"), names)
        case = names["case"]()
        if hasattr(case, "__anext__"):
            import asyncio

            asyncio.run(run_async_case(case, send))
        else:
            for pair in case:
                send(**answer(*pair))
    except BaseException as problem:
        send(event="raised", problem=type(problem).__name__)


async def run_async_case(case, send):
    async for pair in case:
        send(**answer(*pair))


if __name__ == "__main__":
    main()
