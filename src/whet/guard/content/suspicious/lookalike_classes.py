"""Classes whose values pass for others, and every way to give a class such a method."""

import ast
import datetime
import decimal
import fractions
from collections import UserDict, UserList, UserString
from collections.abc import Iterator, Mapping

from whet.guard.content.suspicious.constant_text import texts
from whet.guard.content.suspicious.dunder_compare import is_plain
from whet.guard.content.suspicious.flag import Flag
from whet.guard.content.suspicious.name_resolution import Names
from whet.guard.content.suspicious.vocabulary import ARITHMETIC, ATTRIBUTES, HOOK, PRETENDING

_EQUAL = "decides what its values are equal to or taken for"
_PLAIN = "makes values that pass for plain ones"
_MADE = "makes a class while it runs"
_MAKERS = frozenset(
    {"namedtuple", "NamedTuple", "TypedDict", "with_metaclass", "Generic", "Protocol", "declarative_base"}
)
_TYPES: Mapping[str, type] = {
    kind.__name__: kind
    for kind in (
        int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, fractions.Fraction,
        decimal.Decimal, UserString, UserList, UserDict, datetime.datetime, datetime.date, datetime.timedelta,
    )
}  # fmt: skip
# Beside a built-in type these change nothing of what its values are.
_BESIDE = frozenset({"Enum", "Flag", "IntEnum", "StrEnum", "IntFlag", "Generic", "Protocol", "ABC"})
# A class that has its own of these still has values like those of its base.
_OWN = frozenset({"__init__", "__new__", "__slots__", "__doc__", "__missing__"})


def pretending(node: ast.AST, names: Names) -> Iterator[Flag]:
    line = getattr(node, "lineno", 0)
    for name in _given(node):
        if name in PRETENDING and not _does_its_work(node):
            for every in range(line, (getattr(node, "end_lineno", line) or line) + 1):
                yield Flag(every, _EQUAL, name)
        if HOOK.fullmatch(name) and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Flag(line, "speaks to the test runner", name)
    match node:
        case ast.ClassDef():
            yield from _class(node, names)
        case ast.Name(id=name) if name in ATTRIBUTES:
            yield Flag(line, "reaches under the language", name)
        case ast.keyword(arg="compare" | "eq" as name, value=value) if _not_true(value):
            yield Flag(line, _EQUAL, name)
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and key.value in ("compare", "eq") and _not_true(value):
                    yield Flag(line, _EQUAL, str(key.value))
        case ast.Call() if what := _makes_a_class(node, names):
            yield Flag(line, _MADE, what, only_if_new=what == "type")


def _does_its_work(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_plain(node)


def _given(node: ast.AST) -> list[str]:
    """Names that a node gives to something without a name of its own in the tree."""
    match node:
        case ast.ClassDef(name=str() as name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return [name]
        case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
            return [name]
        case ast.ExceptHandler(name=str() as name) | ast.keyword(arg=str() as name):
            return [name]
    return []


def _class(node: ast.ClassDef, names: Names) -> Iterator[Flag]:
    known = [(base, _type_of(base, names)) for base in node.bases]
    for base, kind in known:
        name = ast.unparse(base).rpartition(".")[2]
        made = isinstance(base, ast.Call) and ast.unparse(base.func).rpartition(".")[2] not in _MAKERS
        if made or (kind and not _only_adds(node, kind, [one for one, own in known if own is None])):
            yield Flag(node.lineno, _PLAIN, node.name)
        if name == "type" or name.endswith(("Meta", "EnumType")) or "type" in names.meanings(base):
            yield Flag(node.lineno, _MADE, node.name)
    for one in node.body:
        if set(_given(one)) & ARITHMETIC:
            yield Flag(getattr(one, "lineno", 0), _PLAIN, f"class {node.name}", only_if_new=True)
        for bound in _bound_in(one):
            if bound.id == "__module__":
                yield Flag(bound.lineno, _PLAIN, "__module__")


def _type_of(base: ast.expr, names: Names) -> type | None:
    """The built-in type that a class is made from, under whatever name."""
    last = ast.unparse(base).rpartition(".")[2]
    every = {last, *(name.rpartition(".")[2] for name in names.meanings(base))}
    return next((_TYPES[name] for name in sorted(every) if name in _TYPES), None)


def _only_adds(node: ast.ClassDef, kind: type, beside: list[ast.expr]) -> bool:
    """Whether a class made from a built-in type has all that its values do from there."""
    own = {name for part in node.body for name in (*_given(part), *(one.id for one in _bound_in(part)))}
    others = {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in beside}
    complete = all(isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | _SIMPLE) for part in node.body)
    return (
        complete
        and not (own & (set(dir(kind)) | PRETENDING | ARITHMETIC) - _OWN)
        and others <= _BESIDE
        and not node.keywords
        and not node.decorator_list
    )


_SIMPLE = ast.Assign | ast.AnnAssign | ast.Expr | ast.Pass


def _bound_in(part: ast.stmt) -> Iterator[ast.Name]:
    if not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        for node in ast.walk(part):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node


def _makes_a_class(call: ast.Call, names: Names) -> str:
    """What a call makes a class with; empty where it makes none."""
    meanings = {name for name in names.meanings(call.func) if name == "type" or _is_metaclass(name)}
    several = len(call.args) >= 3 or any(isinstance(one, ast.Starred) for one in call.args)
    for name in sorted(meanings):
        if several or call.keywords or name != "type":
            return name
    match call:
        case ast.Call(func=ast.Call(func=ast.Name(id="type")), args=[_, _, _]):
            return "type"
        case ast.Call(args=[made, _, *_]) if names.meanings(call.func) & {"functools.partial"}:
            return next((name for name in names.meanings(made) if name == "type" or _is_metaclass(name)), "")
        case ast.Call(args=[title, ast.Tuple(elts=bases), space]) if _is_title(title):
            return ast.unparse(call.func) if _is_space(space, bases, names) else ""
    return ""


def _is_metaclass(name: str) -> bool:
    return name.endswith(("Meta", "EnumType")) or name in ("types.new_class", "builtins.type")


def _is_title(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=str() as text):
            return text.isidentifier()
    return isinstance(node, ast.JoinedStr | ast.BinOp | ast.Name | ast.Attribute)


def _is_space(space: ast.expr, bases: list[ast.expr], names: Names) -> bool:
    """Whether a dictionary, beside these bases, can be the inside of a class that is more than its names."""
    for value in names.values(space):
        match value:
            case ast.Dict(keys=keys):
                written = [key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
                put_together = any(
                    key is not None and not isinstance(key, ast.Constant) and texts(key, names.values) for key in keys
                )
                return (
                    put_together
                    or any(_is_special(key) for key in written)
                    or any(_type_of(base, names) for base in bases)
                )
            case ast.Call(func=ast.Name(id="dict"), keywords=words):
                return any(_is_special(word.arg or "__") for word in words)
    return False


def _is_special(name: str) -> bool:
    return name.startswith("__")


def _not_true(node: ast.expr) -> bool:
    return not (isinstance(node, ast.Constant) and node.value is True)
