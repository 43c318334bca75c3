"""A value that lacks a part: `size` for `start + size`, `x` for `clean(x)` as it is written elsewhere."""

import ast
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, replace
from whet.phases.propose.repair.module import Scope
from whet.phases.propose.repair.templates.template import Template

_MOST = 6


def combined(node: ast.expr, scope: Scope) -> Iterator[Edit]:
    """A bound, an argument or a result with another name of the function added or taken away."""
    parent = scope.module.parents.get(node)
    weight = _expected(node, parent)
    if not weight or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return
    text = scope.module.text(node)
    start, end = scope.module.span(node)
    others = [name for name in scope.names() if name not in ("self", "cls", text)]
    if isinstance(parent, ast.Slice) and parent.lower is not None and parent.upper is node:
        lower = scope.module.text(parent.lower)
        yield replace(start, end, f"{lower} + {text}", f"counted from `{lower}`", 1.2)
    if isinstance(parent, ast.Slice):
        for other in others[-_MOST:]:
            yield replace(start, end, f"{text} - len({other})", f"room for `{other}`", 0.6)
    for other in others[-_MOST:]:
        for form, share in (("{1} + {0}", 1.0), ("{0} - {1}", 0.9), ("{0} * {1}", 0.5), ("{0} % {1}", 0.4)):
            made = form.format(text, other)
            yield replace(start, end, made, f"`{text}` becomes `{made}`", weight * share)


def as_elsewhere(node: ast.Name | ast.Attribute, scope: Scope) -> Iterator[Edit]:
    """What the file does to a thing of this name in another place, done here too."""
    parent = scope.module.parents.get(node)
    if not isinstance(node.ctx, ast.Load) or isinstance(parent, ast.Attribute | ast.Call):
        return
    start, end = scope.module.span(node)
    for callee in scope.module.applied.get(scope.module.text(node), ()):
        yield replace(start, end, f"{callee}({scope.module.text(node)})", f"with `{callee}`, as elsewhere", 1.0)


def _expected(node: ast.expr, parent: ast.AST | None) -> float:
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
    Template("combination", 0.45, (ast.Name, ast.Attribute, ast.Constant), combined),
    Template("combination", 0.6, (ast.Name, ast.Attribute), as_elsewhere),
]
