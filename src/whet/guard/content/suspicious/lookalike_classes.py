"""Classes whose values pass for others, and every way to give a class a method that does that."""

import ast
import datetime
import decimal
import fractions
import re
from collections import UserDict, UserList, UserString
from collections.abc import Iterator, Mapping

from whet.guard.content.suspicious.dunder_compare import is_ordinary
from whet.guard.content.suspicious.flag import Flag
from whet.guard.content.suspicious.vocabulary import (
    ARITHMETIC,
    INTERNAL_ATTRIBUTES,
    INTERNALS,
    RUNNER,
    RUNNER_HOOK,
    SPECIAL_METHODS,
)
from whet.pyast.fold import possible_texts
from whet.pyast.functions import Function
from whet.pyast.resolve import NameResolver

_COMPARED = "decides which fields of the class are compared: {name}"
_LOOKALIKE = "makes values that pass for built-in ones: {name}"
_CLASS_AT_RUNTIME = "makes a class at run time: {name}"
_BASE_FACTORIES = frozenset({
    "namedtuple", "NamedTuple", "TypedDict", "with_metaclass", "Generic", "Protocol", "declarative_base",
})  # fmt: skip
_BUILT_IN_TYPES: Mapping[str, type] = {
    kind.__name__: kind
    for kind in (
        int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, fractions.Fraction,
        decimal.Decimal, UserString, UserList, UserDict, datetime.datetime, datetime.date, datetime.timedelta,
    )
}  # fmt: skip
# Words of annotations whose values have an order.
_SORTABLE = frozenset({
    "int", "float", "str", "bytes", "bool", "Decimal", "Fraction", "datetime", "date", "time", "timedelta", "None",
    "Optional", "Union", "list", "tuple", "List", "Tuple", "typing", "decimal", "fractions",
})  # fmt: skip
# Bases that may stand beside a built-in type: they do not change what its values are.
_NEUTRAL_BASES = frozenset({"Enum", "Flag", "IntEnum", "StrEnum", "IntFlag", "Generic", "Protocol", "ABC"})
# Attributes of a built-in type that a subclass may define: its values are still like those of the base.
_HARMLESS_OVERRIDES = frozenset({"__init__", "__new__", "__slots__", "__doc__", "__missing__"})
_SIMPLE_STATEMENTS = ast.Assign | ast.AnnAssign | ast.Expr | ast.Pass


def class_flags(node: ast.AST, names: NameResolver) -> Iterator[Flag]:
    """Flag special methods, classes that pass for built-in types, and classes made at run time."""
    line = getattr(node, "lineno", 0)
    for name in _names_given_by(node):
        if name in SPECIAL_METHODS and not (isinstance(node, Function) and is_ordinary(node)):
            # The whole method counts: a change to any of its lines changes what it decides.
            for every in range(line, (getattr(node, "end_lineno", line) or line) + 1):
                yield Flag(every, SPECIAL_METHODS[name], name)
        if RUNNER_HOOK.fullmatch(name) and isinstance(node, Function):
            yield Flag(line, RUNNER, name)
    match node:
        case ast.ClassDef():
            yield from _definition_flags(node, names)
        case ast.Name(id=name) if name in INTERNAL_ATTRIBUTES:
            yield Flag(line, INTERNALS, name)
        case ast.keyword(arg="compare" | "eq" as name, value=value) if not _is_true(value):
            yield Flag(line, _COMPARED, name)
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and key.value in ("compare", "eq") and not _is_true(value):
                    yield Flag(line, _COMPARED, str(key.value))
        case ast.Call() if maker := _class_maker(node, names):
            yield Flag(line, _CLASS_AT_RUNTIME, maker, only_if_new=maker == "type")


def ordered_fields(tree: ast.Module) -> Iterator[ast.keyword]:
    """Yield the keywords `compare=False` of fields that cannot be sorted, in dataclasses with `order=True`.

    Such a field needs the keyword. On a number, text or date it only makes values equal that are not.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any(map(_orders, node.decorator_list)):
            for statement in node.body:
                match statement:
                    case ast.AnnAssign(
                        annotation=annotation, value=ast.Call(func=ast.Name(id="field"), keywords=keywords)
                    ) if not _can_be_sorted(annotation):
                        yield from (keyword for keyword in keywords if keyword.arg == "compare")


def _orders(decorator: ast.expr) -> bool:
    match decorator:
        case ast.Call(func=ast.Name(id="dataclass") | ast.Attribute(attr="dataclass"), keywords=keywords):
            return any(keyword.arg == "order" and _is_true(keyword.value) for keyword in keywords)
        case _:
            return False


def _can_be_sorted(annotation: ast.expr) -> bool:
    """True if an annotation names only types with an order, such as `str`, `list[int]` and `datetime.date | None`."""
    text = annotation.value if isinstance(annotation, ast.Constant) else ast.unparse(annotation)
    words = re.findall(r"[A-Za-z_]\w*", str(text))
    return all(word in _SORTABLE for word in words)


def _names_given_by(node: ast.AST) -> list[str]:
    """Return the names that a node binds as plain text, not as an `ast.Name` below it."""
    match node:
        case ast.ClassDef(name=str() as name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return [name]
        case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
            return [name]
        case ast.ExceptHandler(name=str() as name) | ast.keyword(arg=str() as name):
            return [name]
    return []


def _definition_flags(node: ast.ClassDef, names: NameResolver) -> Iterator[Flag]:
    built_in = {base: _built_in_type(base, names) for base in node.bases}
    other_bases = [base for base, kind in built_in.items() if kind is None]
    for base, kind in built_in.items():
        name = _last_part(base)
        is_computed = isinstance(base, ast.Call) and _last_part(base.func) not in _BASE_FACTORIES
        if is_computed or (kind and not _only_adds(node, kind, other_bases)):
            yield Flag(node.lineno, _LOOKALIKE, node.name)
        if name == "type" or name.endswith(("Meta", "EnumType")) or "type" in names.meanings(base):
            yield Flag(node.lineno, _CLASS_AT_RUNTIME, node.name)
    for statement in node.body:
        if set(_names_given_by(statement)) & ARITHMETIC:
            line = getattr(statement, "lineno", 0)
            yield Flag(line, _LOOKALIKE, f"class {node.name}", only_if_new=True)
        for bound in _names_stored_by(statement):
            if bound.id == "__module__":
                yield Flag(bound.lineno, _LOOKALIKE, "__module__")


def _last_part(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]


def _built_in_type(base: ast.expr, names: NameResolver) -> type | None:
    """Return the built-in type that a base class is, under whatever name."""
    candidates = {_last_part(base), *(name.rpartition(".")[2] for name in names.meanings(base))}
    return next((_BUILT_IN_TYPES[name] for name in sorted(candidates) if name in _BUILT_IN_TYPES), None)


def _only_adds(node: ast.ClassDef, kind: type, other_bases: list[ast.expr]) -> bool:
    """True if a subclass of a built-in type adds attributes and overrides nothing that its values are used for."""
    if node.keywords or node.decorator_list:
        return False
    if not all(isinstance(statement, Function | _SIMPLE_STATEMENTS) for statement in node.body):
        return False
    if not {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in other_bases} <= _NEUTRAL_BASES:
        return False
    defined = {name for statement in node.body for name in _names_given_by(statement)}
    defined |= {bound.id for statement in node.body for bound in _names_stored_by(statement)}
    inherited = {*dir(kind), *SPECIAL_METHODS, *ARITHMETIC}
    return not defined & inherited - _HARMLESS_OVERRIDES


def _names_stored_by(statement: ast.stmt) -> Iterator[ast.Name]:
    if not isinstance(statement, Function | ast.ClassDef):
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node


def _class_maker(call: ast.Call, names: NameResolver) -> str:
    """Return the name of what `call` makes a class with; empty if it makes none."""
    called = names.meanings(call.func)
    has_three_arguments = len(call.args) >= 3 or any(isinstance(arg, ast.Starred) for arg in call.args)
    for name in sorted(called):
        if _is_metaclass(name) or (name == "type" and (has_three_arguments or call.keywords)):
            return name
    match call:
        case ast.Call(func=ast.Call(func=ast.Name(id="type")), args=[_, _, _]):
            return "type"
        case ast.Call(args=[function, _, *_]) if called & {"functools.partial"}:
            makers = (name for name in names.meanings(function) if name == "type" or _is_metaclass(name))
            return next(makers, "")
        case ast.Call(args=[title, ast.Tuple(elts=bases), body]) if _may_be_a_class_name(title):
            return ast.unparse(call.func) if _is_class_body(body, bases, names) else ""
    return ""


def _is_metaclass(name: str) -> bool:
    return name.endswith(("Meta", "EnumType")) or name in ("types.new_class", "builtins.type")


def _may_be_a_class_name(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=str() as text):
            return text.isidentifier()
    return isinstance(node, ast.JoinedStr | ast.BinOp | ast.Name | ast.Attribute)


def _is_class_body(body: ast.expr, bases: list[ast.expr], names: NameResolver) -> bool:
    """True if a dictionary can be the body of a class: it has dunder or assembled keys, or a base is built in."""
    for value in names.values(body):
        match value:
            case ast.Dict(keys=keys):
                for key in keys:
                    if isinstance(key, ast.Constant):
                        if isinstance(key.value, str) and key.value.startswith("__"):
                            return True
                    elif key is not None and possible_texts(key, names.values):
                        return True
                return any(_built_in_type(base, names) for base in bases)
            case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
                return any((keyword.arg or "__").startswith("__") for keyword in keywords)
    return False


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is True
