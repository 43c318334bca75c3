"""Calls that reveal where, when or for whom they run by their arguments rather than by their name."""

import ast
from collections.abc import Iterator

from whet.guard.content.suspicious.flag import Flag
from whet.guard.content.suspicious.vocabulary import CHANCE, ENVIRONMENT
from whet.pyast.resolve import NameResolver

_PATHS = frozenset({"pathlib.Path", "pathlib.PosixPath", "Path"})
_NAIVE_TIMES = frozenset({
    "datetime.datetime", "datetime.datetime.strptime", "datetime.datetime.fromisoformat",
})  # fmt: skip


def probe_flags(node: ast.AST, names: NameResolver) -> Iterator[Flag]:
    match node:
        case ast.Call():
            yield from _place(node, names)
            yield from _time_zone(node, names)
            yield from _chance(node, names)
        case ast.Attribute(attr="__hash__", ctx=ast.Load()) if names.enclosing_function(node) != "__hash__":
            yield Flag(node.lineno, CHANCE, "hash", only_if_more=True)


def _place(call: ast.Call, names: NameResolver) -> Iterator[Flag]:
    """Flag recorded warnings, a stack level, and a path that stands for the current folder."""
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    called = names.meanings(call.func)
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    record = keywords.get("record", ast.Constant(value=False))
    if "warnings.catch_warnings" in called and not (isinstance(record, ast.Constant) and record.value is False):
        yield Flag(call.lineno, ENVIRONMENT, "catch_warnings(record=True)")
    if "stacklevel" in keywords and method != "warn" and not called & {"warnings.warn"}:
        yield Flag(call.lineno, ENVIRONMENT, "stacklevel", only_if_new=True)
    if called & _PATHS and all(isinstance(arg, ast.Constant) and arg.value in ("", ".") for arg in call.args):
        yield Flag(call.lineno, ENVIRONMENT, "Path()", only_if_more=True)


def _time_zone(call: ast.Call, names: NameResolver) -> Iterator[Flag]:
    """Flag calls that use the time zone of the machine because no other is given."""
    match call:
        case ast.Call(func=ast.Attribute(attr="astimezone"), args=[], keywords=[]):
            yield Flag(call.lineno, ENVIRONMENT, "astimezone()", only_if_more=True)
        case ast.Call(func=ast.Attribute(attr="fromtimestamp"), args=[_], keywords=[]):
            yield Flag(call.lineno, ENVIRONMENT, "fromtimestamp() without a time zone", only_if_more=True)
        case ast.Call(func=ast.Attribute(value=ast.Call(func=made_by, keywords=[]), attr="timestamp"), args=[]):
            if names.meanings(made_by) & _NAIVE_TIMES:
                yield Flag(call.lineno, ENVIRONMENT, "timestamp() without a time zone", only_if_more=True)


def _chance(call: ast.Call, names: NameResolver) -> Iterator[Flag]:
    """Flag hashes, ids and weak references.

    Hashes of strings differ from run to run. A `__hash__` may use them, and so may a statement that only checks that a
    value is hashable.
    """
    called = names.meanings(call.func)
    is_used = names.enclosing_function(call) != "__hash__" and not names.is_discarded(call)
    if "hash" in called and call.args and is_used:
        yield Flag(call.lineno, CHANCE, "hash", only_if_more=True)
    if "id" in called:
        yield Flag(call.lineno, CHANCE, "id", only_if_new=True)
    if called & {"weakref.finalize"} or (called & {"weakref.ref", "weakref.proxy"} and len(call.args) > 1):
        yield Flag(call.lineno, CHANCE, "weakref", only_if_new=True)
