"""Wrong name: another variable, parameter, attribute or function of the same place was meant."""

import ast
import builtins
from collections.abc import Iterator
from difflib import SequenceMatcher

from whet.phases.propose.repair.candidate import Edit, replace
from whet.phases.propose.repair.module import Scope
from whet.phases.propose.repair.templates.template import Template

_MOST = 14
# How often the name that is asked whether it is true was mistaken: seldom for something that never changes.
_ASKED, _FIXED = 0.6, 0.15
_CONSTANT_FOR_LOCAL = 0.4
_WITH_VALUES = (ast.Return, ast.BinOp, ast.Compare, ast.Call, ast.Assign, ast.Slice, ast.keyword, ast.List, ast.Tuple)


def variable(node: ast.Name, scope: Scope) -> Iterator[Edit]:
    parent = scope.module.parents.get(node)
    if isinstance(node.ctx, ast.Del) or node.id in ("self", "cls", "super"):
        return
    if isinstance(node.ctx, ast.Store):
        weight, choices = 0.25, list(scope.names())
    elif isinstance(parent, ast.Call) and node is parent.func:
        weight, choices = 0.7, [name for name in scope.module.functions if name != _own(scope)]
    else:
        weight, choices = 1.0, [*scope.names(), *_comprehended(node, scope), *scope.module.globals]
    if not hasattr(builtins, node.id) and node.id not in choices and isinstance(node.ctx, ast.Load):
        weight *= 1.3
    start, end = scope.module.span(node)
    for name in list(dict.fromkeys(choices))[:_MOST]:
        if name not in (node.id, "self", "cls"):
            weighted = weight * _likeness(node.id, name) * (1.8 if name in scope.unused else 1.0)
            if name in scope.module.globals and node.id in scope.names():
                weighted *= _CONSTANT_FOR_LOCAL
            if _is_asked(node, parent):
                weighted *= _FIXED if name in scope.module.globals else _ASKED
            yield replace(start, end, name, f"`{node.id}` becomes `{name}`", weighted)
    if isinstance(node.ctx, ast.Load | ast.Store) and node.id in scope.module.attributes.get("self", ()):
        yield replace(start, end, f"self.{node.id}", f"`{node.id}` becomes `self.{node.id}`", 0.9)


def owned(node: ast.Attribute, scope: Scope) -> Iterator[Edit]:
    """`self.x` where the parameter `x` was meant, or a plain name of the scope."""
    if isinstance(node.value, ast.Name) and node.value.id == "self" and node.attr in scope.names():
        start, end = scope.module.span(node)
        yield replace(start, end, node.attr, f"`self.{node.attr}` becomes `{node.attr}`", 0.8)


def literal(node: ast.Constant, scope: Scope) -> Iterator[Edit]:
    """A literal where a name was meant."""
    if not isinstance(node.value, int | float | None) or isinstance(node.value, bool):
        return
    parent = scope.module.parents.get(node)
    if not isinstance(parent, _WITH_VALUES):
        return
    start, end = scope.module.span(node)
    for name in (*scope.names(), *scope.module.globals):
        if name not in ("self", "cls"):
            weight = 0.9 if name in scope.unused else 0.6 if isinstance(parent, ast.List) else 0.35
            yield replace(start, end, name, f"`{scope.module.text(node)}` becomes `{name}`", weight)


def _comprehended(node: ast.AST, scope: Scope) -> Iterator[str]:
    kinds = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
    around = scope.module.enclosing(node, *kinds)
    while around is not None:
        for inner in ast.walk(around):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                yield inner.id
            elif isinstance(inner, ast.arg):
                yield inner.arg
        around = scope.module.enclosing(around, *kinds)


def _is_asked(node: ast.Name, parent: ast.AST | None) -> bool:
    """Whether only its being true counts."""
    return (
        isinstance(parent, ast.BoolOp)
        or (isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not))
        or (isinstance(parent, ast.If | ast.While | ast.IfExp) and node is parent.test)
    )


def _own(scope: Scope) -> str:
    return scope.function.name if scope.function is not None else ""


def _likeness(one: str, other: str) -> float:
    return 0.7 + 0.4 * SequenceMatcher(None, one, other).ratio()


TEMPLATES = [
    Template("variable", 0.55, (ast.Name,), variable),
    Template("variable", 0.55, (ast.Attribute,), owned),
    Template("variable", 0.5, (ast.Constant,), literal),
]
