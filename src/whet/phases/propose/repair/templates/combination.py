"""Complete a value that lacks a part: `a[i:n]` -> `a[i:i + n]`, `d[k]` -> `d[clean(k)]`."""

import ast
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, replace, say
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template

_MOST = 6


def combine_with_name(node: ast.expr, scope: Scope) -> Iterator[Edit]:
    """Add another name of the function to a bound, an argument or a result, or subtract it."""
    parent = scope.module.parents.get(node)
    weight = _expected(node, parent)
    if not weight or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return
    text = scope.module.text(node)
    start, end = scope.module.span(node)
    others = [name for name in scope.names() if name not in ("self", "cls", text)]
    if isinstance(parent, ast.Slice) and parent.lower is not None and parent.upper is node:
        lower = scope.module.text(parent.lower)
        made = f"{lower} + {text}"
        yield replace(start, end, made, say("Use {} instead of {}", made, text), 1.2)
    if isinstance(parent, ast.Slice):
        for other in others[-_MOST:]:
            made = f"{text} - len({other})"
            yield replace(start, end, made, say("Use {} instead of {}", made, text), 0.6)
    for other in others[-_MOST:]:
        for form, share in (("{1} + {0}", 1.0), ("{0} - {1}", 0.9), ("{0} * {1}", 0.5), ("{0} % {1}", 0.4)):
            made = form.format(text, other)
            yield replace(start, end, made, say("Use {} instead of {}", made, text), weight * share)


def wrap_as_elsewhere(node: ast.Name | ast.Attribute, scope: Scope) -> Iterator[Edit]:
    """Wrap a name in a function that the file calls with the same name in another place."""
    parent = scope.module.parents.get(node)
    if not isinstance(node.ctx, ast.Load) or isinstance(parent, ast.Attribute | ast.Call):
        return
    start, end = scope.module.span(node)
    for callee in scope.module.wrappers.get(scope.module.text(node), ()):
        text = scope.module.text(node)
        yield replace(start, end, f"{callee}({text})", say("Apply {} to {}", callee, text), 1.0)


def _expected(node: ast.expr, parent: ast.AST | None) -> float:
    """Return how often a value in this position lacks a part; 0 where it is not worth trying."""
    if isinstance(parent, ast.Slice):
        return 0.9
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "range":
        return 0.8
    if isinstance(parent, ast.Subscript) and node is parent.slice:
        return 0.7
    if isinstance(parent, ast.Return | ast.AugAssign):
        return 0.4
    return 0.25 if isinstance(parent, ast.Assign | ast.Compare) else 0.0


TEMPLATES = [
    Template("combination", 0.45, (ast.Name, ast.Attribute, ast.Constant), combine_with_name),
    Template("combination", 0.6, (ast.Name, ast.Attribute), wrap_as_elsewhere),
]
