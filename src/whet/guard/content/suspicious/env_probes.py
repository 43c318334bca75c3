"""Calls that find out where, when or for whom they run, by what they are given rather than by their name."""

import ast
from collections.abc import Iterator

from whet.guard.content.suspicious.flag import Flag
from whet.guard.content.suspicious.name_resolution import Names

_PLACE = "depends on where it runs"
_CLOCK = "depends on the clock"
_PATHS = frozenset({"pathlib.Path", "pathlib.PosixPath", "Path"})


def asking(node: ast.AST, names: Names) -> Iterator[Flag]:
    match node:
        case ast.Call():
            yield from _place(node, names)
            yield from _zone(node, names)
            yield from _chance(node, names)
        case ast.Attribute(attr="__hash__", ctx=ast.Load()) if names.function_around(node) != "__hash__":
            yield Flag(node.lineno, "depends on chance", "hash", only_if_more=True)


def _place(call: ast.Call, names: Names) -> Iterator[Flag]:
    words = {word.arg: word.value for word in call.keywords}
    called = names.meanings(call.func)
    last = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    record = words.get("record", ast.Constant(value=False))
    if "warnings.catch_warnings" in called and not (isinstance(record, ast.Constant) and record.value is False):
        yield Flag(call.lineno, _PLACE, "warnings recorded")
    if "stacklevel" in words and last != "warn" and not called & {"warnings.warn"}:
        yield Flag(call.lineno, _PLACE, "stacklevel", only_if_new=True)
    if called & _PATHS and all(isinstance(one, ast.Constant) and one.value in ("", ".") for one in call.args):
        yield Flag(call.lineno, _PLACE, "Path()", only_if_more=True)


def _zone(call: ast.Call, names: Names) -> Iterator[Flag]:
    """The zone of the machine, where none is given."""
    match call:
        case ast.Call(func=ast.Attribute(attr="astimezone"), args=[], keywords=[]):
            yield Flag(call.lineno, _PLACE, "the local time zone", only_if_more=True)
        case ast.Call(func=ast.Attribute(attr="fromtimestamp" as name), args=[_], keywords=[]):
            yield Flag(call.lineno, _PLACE, f"the local time zone ({name})", only_if_more=True)
        case ast.Call(func=ast.Attribute(value=ast.Call(func=made, keywords=[]), attr="timestamp"), args=[]):
            if names.meanings(made) & {
                "datetime.datetime",
                "datetime.datetime.strptime",
                "datetime.datetime.fromisoformat",
            }:
                yield Flag(call.lineno, _PLACE, "the local time zone (timestamp)", only_if_more=True)


def _chance(call: ast.Call, names: Names) -> Iterator[Flag]:
    """Hashes of texts differ from run to run; a `__hash__` is made of them, and whether there is one is no chance."""
    called = names.meanings(call.func)
    if "hash" in called and call.args and names.function_around(call) != "__hash__" and not names.is_dropped(call):
        yield Flag(call.lineno, "depends on chance", "hash", only_if_more=True)
    if "id" in called:
        yield Flag(call.lineno, "depends on chance", "id", only_if_new=True)
    if called & {"weakref.finalize"} or (called & {"weakref.ref", "weakref.proxy"} and len(call.args) > 1):
        yield Flag(call.lineno, "depends on chance", "weakref", only_if_new=True)
