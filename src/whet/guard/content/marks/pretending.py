"""Classes whose values pass for others, and every way to give a class such a method."""

import ast
from collections.abc import Iterator

from whet.guard.content.marks.mark import Mark
from whet.guard.content.marks.put_together import Bound
from whet.guard.content.marks.vocabulary import ARITHMETIC, ATTRIBUTES, BUILT_IN_TYPES, HOOK, PRETENDING

_EQUAL = "decides what its values are equal to or taken for"
_PLAIN = "makes values that pass for plain ones"
_MAKERS = frozenset(
    {"namedtuple", "NamedTuple", "TypedDict", "with_metaclass", "Generic", "Protocol", "declarative_base"}
)


def pretending(node: ast.AST, bound: Bound) -> Iterator[Mark]:
    line = getattr(node, "lineno", 0)
    for name in _given(node):
        if name in PRETENDING:
            for every in range(line, (getattr(node, "end_lineno", line) or line) + 1):
                yield Mark(every, _EQUAL, name)
        if HOOK.fullmatch(name) and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Mark(line, "speaks to the test runner", name)
    match node:
        case ast.ClassDef():
            yield from _class(node, bound)
        case ast.Name(id=name) if name in ATTRIBUTES:
            yield Mark(line, "reaches under the language", name)
        case ast.keyword(arg="compare" | "eq" as name, value=value) if _not_true(value):
            yield Mark(line, _EQUAL, name)
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and key.value in ("compare", "eq") and _not_true(value):
                    yield Mark(line, _EQUAL, str(key.value))
        case ast.Call(func=ast.Call(func=ast.Name(id="type")), args=[_, _, _]):
            yield Mark(line, "makes a class while it runs", "type", only_if_new=True)


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


def _class(node: ast.ClassDef, bound: Bound) -> Iterator[Mark]:
    for base in node.bases:
        name = ast.unparse(base).rpartition(".")[2]
        alias = isinstance(base, ast.Name) and any(_is_plain(value) for value in bound.get(base.id, []))
        made = isinstance(base, ast.Call) and ast.unparse(base.func).rpartition(".")[2] not in _MAKERS
        if name in BUILT_IN_TYPES or alias or made:
            yield Mark(node.lineno, _PLAIN, node.name)
        if name == "type" or name.endswith(("Meta", "EnumType")):
            yield Mark(node.lineno, "makes a class while it runs", node.name)
    for one in node.body:
        if set(_given(one)) & ARITHMETIC:
            yield Mark(getattr(one, "lineno", 0), _PLAIN, f"class {node.name}", only_if_new=True)


def _is_plain(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) == "type"
    return ast.unparse(node).rpartition(".")[2] in BUILT_IN_TYPES


def _not_true(node: ast.expr) -> bool:
    return not (isinstance(node, ast.Constant) and node.value is True)
