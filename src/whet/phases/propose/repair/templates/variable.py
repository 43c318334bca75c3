"""Use another name: `a + a` -> `a + b`, `n = 2` -> `self.n = 2`, `a + 1` -> `a + b`."""

import ast
import builtins
from collections.abc import Iterator
from difflib import SequenceMatcher

from whet.phases.propose.repair.candidate import Edit, replace, say
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template

_MOST = 14
# Factors for a name that is only tested for truth (`if x`): replacing it is a less likely fix, by a constant even less.
_TESTED, _TESTED_CONSTANT = 0.6, 0.15
_CONSTANT_FOR_LOCAL = 0.4
_WITH_VALUES = (ast.Return, ast.BinOp, ast.Compare, ast.Call, ast.Assign, ast.Slice, ast.keyword, ast.List, ast.Tuple)


def other_name(node: ast.Name, scope: Scope) -> Iterator[Edit]:
    """Use another local name, constant or function of the file, or an attribute of `self`, instead of this name."""
    parent = scope.module.parents.get(node)
    if isinstance(node.ctx, ast.Del) or node.id in ("self", "cls", "super"):
        return
    if isinstance(node.ctx, ast.Store):
        weight, choices = 0.25, list(scope.names())
    elif isinstance(parent, ast.Call) and node is parent.func:
        own = scope.function.name if scope.function is not None else ""
        weight, choices = 0.7, [name for name in scope.module.functions if name != own]
    else:
        weight, choices = 1.0, [*scope.names(), *_comprehension_names(node, scope), *scope.module.globals]
    if not hasattr(builtins, node.id) and node.id not in choices and isinstance(node.ctx, ast.Load):
        weight *= 1.3
    start, end = scope.module.span(node)
    for name in list(dict.fromkeys(choices))[:_MOST]:
        if name not in (node.id, "self", "cls"):
            weighted = weight * _likeness(node.id, name) * (1.8 if name in scope.unused_parameters else 1.0)
            if name in scope.module.globals and node.id in scope.names():
                weighted *= _CONSTANT_FOR_LOCAL
            if _is_tested(node, parent):
                weighted *= _TESTED_CONSTANT if name in scope.module.globals else _TESTED
            yield replace(start, end, name, say("Use {} instead of {}", name, node.id), weighted)
    if isinstance(node.ctx, ast.Load | ast.Store) and node.id in scope.module.attributes.get("self", ()):
        made = f"self.{node.id}"
        yield replace(start, end, made, say("Use {} instead of {}", made, node.id), 0.9)


def drop_self(node: ast.Attribute, scope: Scope) -> Iterator[Edit]:
    """Use a local name instead of the attribute: `self.x` -> `x`."""
    if isinstance(node.value, ast.Name) and node.value.id == "self" and node.attr in scope.names():
        start, end = scope.module.span(node)
        yield replace(start, end, node.attr, say("Use {} instead of {}", node.attr, f"self.{node.attr}"), 0.8)


def name_for_literal(node: ast.Constant, scope: Scope) -> Iterator[Edit]:
    """Use a name instead of a number or None: `a + 1` -> `a + b`."""
    if not isinstance(node.value, int | float | None) or isinstance(node.value, bool):
        return
    parent = scope.module.parents.get(node)
    if not isinstance(parent, _WITH_VALUES):
        return
    start, end = scope.module.span(node)
    for name in (*scope.names(), *scope.module.globals):
        if name not in ("self", "cls"):
            weight = 0.9 if name in scope.unused_parameters else 0.6 if isinstance(parent, ast.List) else 0.35
            yield replace(start, end, name, say("Use {} instead of {}", name, scope.module.text(node)), weight)


def _comprehension_names(node: ast.AST, scope: Scope) -> Iterator[str]:
    """Yield the names that the comprehensions and lambdas around a node bind."""
    kinds = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
    around = scope.module.enclosing(node, *kinds)
    while around is not None:
        for inner in ast.walk(around):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                yield inner.id
            elif isinstance(inner, ast.arg):
                yield inner.arg
        around = scope.module.enclosing(around, *kinds)


def _is_tested(node: ast.Name, parent: ast.AST | None) -> bool:
    """True if only the truth of the name counts."""
    return (
        isinstance(parent, ast.BoolOp)
        or (isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not))
        or (isinstance(parent, ast.If | ast.While | ast.IfExp) and node is parent.test)
    )


def _likeness(first: str, second: str) -> float:
    return 0.7 + 0.4 * SequenceMatcher(None, first, second).ratio()


TEMPLATES = [
    Template("variable", 0.55, (ast.Name,), other_name),
    Template("variable", 0.55, (ast.Attribute,), drop_self),
    Template("variable", 0.5, (ast.Constant,), name_for_literal),
]
