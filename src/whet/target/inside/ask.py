"""Runs pieces of tests where no test runner is, and says which values the code under test gives.

Stands alone: the target's interpreter runs it, with nothing of whet importable. Reads one JSON object from standard
input (`path`, `modules`: a list of `imports` and `cases`, `elsewhere`), writes one JSON line per value. What the values
should be is known outside only. With `elsewhere` the same is asked in another world: on a terminal, in another order,
under another name, with more things loaded.

A class is never asked what it is: its own slots are read as C left them, and types are compared by identity, since
even `==` between types may be decided by a metaclass.
"""

import json
import os
import sys

SLOT = type.__dict__
ATTRIBUTES, ANCESTORS, FLAGS = (SLOT[name].__get__ for name in ("__dict__", "__mro__", "__flags__"))
QUALIFIED, MODULE = (SLOT[name].__get__ for name in ("__qualname__", "__module__"))
CONTENTS = type(sys).__dict__["__dict__"].__get__
IMMUTABLE = 1 << 8  # no class that is written in Python has this bit
MOST_ITEMS = 10_000
DEEPEST = 20
quote = json.encoder.encode_basestring_ascii
compiled, execute, write = compile, exec, os.write
TREE = os.getcwd() + os.sep


class Opaque(BaseException):
    """Not plain data; `kind` is the class that is not."""

    def __init__(self, kind):
        self.kind = kind


def literal(value, depth=0):
    """Plain data as it would be written down; raises Opaque for anything else."""
    if depth > DEEPEST:
        raise Opaque(type(value))
    written = EXACT.get(id(type(value)))
    return written(value, depth + 1) if written else plainer(value, depth + 1)


def number(value, depth):
    if value != value:
        raise Opaque(float)
    return repr(value).replace("inf", "1e999")


def integer(value, depth):
    try:
        return repr(value)
    except ValueError:  # more digits than the interpreter writes
        return hex(value)


def several(opening, closing):
    def write_down(value, depth):
        return opening + ", ".join([literal(one, depth) for one in value]) + closing

    return write_down


def several_once(value, depth):
    return several("{", "}")(value, depth) if value else "set()"


def pairs(value, depth):
    return "{" + ", ".join([f"{literal(key, depth)}: {literal(one, depth)}" for key, one in value.items()]) + "}"


def written(value, depth):
    return repr(value)


EXACT = {
    id(kind): way
    for kinds, way in (
        ((type(None), bool, str, bytes, complex), written),
        ((int,), integer),
        ((float,), number),
        ((list,), several("[", "]")),
        ((tuple,), lambda value, depth: several("(", ",)")(value, depth) if value else "()"),
        ((set, frozenset, type({}.keys())), several_once),
        ((dict, type(SLOT)), pairs),
        ((bytearray, memoryview), lambda value, depth: repr(bytes(value))),
    )
    for kind in kinds
}

AT_HEART = (
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


def plainer(value, depth):
    """A value of a subclass, as what it is at heart: its own methods are not asked."""
    kind = type(value)
    if where(kind) == ("library", "fractions.Fraction"):
        parts = [of(kind, name).__get__(value) for name in ("_numerator", "_denominator")]
        return f"Fraction({', '.join([literal(part, depth) for part in parts])})"
    if unchangeable(kind) and MODULE(kind) in ("numpy", "decimal", "datetime"):
        return foreign(value, kind, depth)
    for plain, heart in AT_HEART:
        if any(one is plain for one in ANCESTORS(kind)):
            return literal(heart(value), depth)
    raise Opaque(kind)


def foreign(value, kind, depth):
    """Numbers, arrays and times of libraries that are written in C: their methods cannot be replaced."""
    if MODULE(kind) != "numpy":
        return repr(value)
    if QUALIFIED(kind) == "ndarray":
        listed = of(kind, "tolist")(value) if of(kind, "size").__get__(value) <= MOST_ITEMS else None
    else:
        listed = of(kind, "item")(value)
    if unchangeable(type(listed)) and MODULE(type(listed)) == "numpy":
        raise Opaque(kind)
    return literal(listed, depth)


def of(kind, name):
    found = next((ATTRIBUTES(one)[name] for one in ANCESTORS(kind) if name in ATTRIBUTES(one)), None)
    if found is None:
        raise Opaque(kind)
    return found


def unchangeable(kind):
    return bool(FLAGS(kind) & IMMUTABLE)


def where(kind):
    """The place of a class and its name there: the file of the module that holds it, whatever the class says of itself.

    Of the tree the path in it, of a library its module, and nothing where no module holds it.
    """
    name = QUALIFIED(kind)
    if unchangeable(kind):
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
    first, *rest = name.split(".")
    found = names.get(first)
    for part in rest:
        found = ATTRIBUTES(found).get(part) if isinstance(found, type) else None
    return found is kind


def spent(value):
    """What an iterator still gives, where it comes to an end and is one of the interpreter's own; else the value."""
    kind = type(value)
    if not (unchangeable(kind) and "__next__" in ATTRIBUTES(kind)):
        return value
    rest = []
    for one in value:
        rest.append(one)
        if len(rest) > MOST_ITEMS:
            return value
    return rest


def answer(key, value, *done):
    """The line that says what a value is; `done` marks one that the test has no more use for."""
    array = is_array(type(value))
    try:
        text, kind = literal(spent(value) if done else value), type(value)
    except Opaque as problem:
        text, kind = None, problem.kind
    place, name = where(kind)
    return {"event": "value", "key": key, "value": text, "array": array, "place": place, "kind": name}


def is_array(kind):
    return unchangeable(kind) and (MODULE(kind), QUALIFIED(kind)) == ("numpy", "ndarray")


def line(event):
    """As JSON, by nothing that code which was imported in between could have replaced."""
    parts = []
    for key, value in event.items():
        text = {None: "null", True: "true", False: "false"}[value] if not isinstance(value, str) else quote(value)
        parts.append(f"{quote(key)}: {text}")
    return "{" + ", ".join(parts) + "}\n"


def say_to(descriptor):
    def say(**event):
        rest = line(event).encode()
        while rest:
            rest = rest[write(descriptor, rest) :]

    return say


def another_world():
    """On a terminal that somebody reads, with more loaded than a test runner has; here as little as can be is."""
    import abc
    import csv  # noqa: F401 - only to be there
    import http.client  # noqa: F401
    import tempfile  # noqa: F401
    import unittest  # noqa: F401

    some = abc.ABCMeta("Some", (), {})
    for number_of in range(2000):
        some.register(type(f"One{number_of}", (), {}))
    try:
        mine, theirs = os.openpty()
    except OSError:
        return
    if child := os.fork():
        os.close(theirs)
        os._exit(read_until(mine, child))
    os.close(mine)
    for standard in (0, 1, 2):
        os.dup2(theirs, standard)
    os.close(theirs)


def read_until(terminal, child):
    """Reads a terminal and throws it away until nobody writes there any more; the end of `child`."""
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
        another_world()
        modules, name = modules[::-1], "service"
        for _, module in modules:
            module["cases"].reverse()
    sys.argv[:] = [name]
    ask(modules, name, say_to(descriptor))


def ask(modules, name, say):
    for number_of, module in modules:
        names = {"__name__": name}
        try:
            execute(compiled(module["imports"], f"{name}.py", "exec"), names)
        except BaseException as problem:
            say(event="import", module=str(number_of), problem=type(problem).__name__)
            continue
        say(event="import", module=str(number_of), problem="")
        for source in module["cases"]:
            run(source, dict(names), name, say)
    say(event="end")
    sys.stdout.flush()
    os._exit(0)


def run(source, names, name, say):
    try:
        execute(compiled(source, f"{name}.py", "exec"), names)
        case = names["case"]()
        if hasattr(case, "__anext__"):
            import asyncio

            asyncio.run(drain(case, say))
        else:
            for given in case:
                say(**answer(*given))
    except BaseException as problem:
        say(event="raised", problem=type(problem).__name__)


async def drain(case, say):
    async for given in case:
        say(**answer(*given))


if __name__ == "__main__":
    main()
