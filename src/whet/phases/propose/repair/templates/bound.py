"""A number that leads beyond what there is."""

import ast
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, replace
from whet.phases.propose.repair.module import Scope
from whet.phases.propose.repair.templates.template import Template

_PLACES = (ast.Assign, ast.AnnAssign, ast.IfExp, ast.Return, ast.Slice, ast.Compare, ast.Call)


def bounded(node: ast.Name, scope: Scope) -> Iterator[Edit]:
    """`n` becomes `min(n, len(xs))`, or `max(n, 0)`."""
    parent = scope.module.parents.get(node)
    things = _things(scope)
    if not isinstance(node.ctx, ast.Load) or not isinstance(parent, _PLACES) or node.id in things:
        return
    if isinstance(parent, ast.Call) and (node is parent.func or ast.unparse(parent.func) not in ("range", "islice")):
        return
    likelier = 1.0 if "IndexError" in scope.hints.exceptions else 0.25
    for thing in things:
        text = f"min({node.id}, len({thing}))"
        yield replace(*scope.module.span(node), text, f"`{node.id}` is at most the length of `{thing}`", likelier)
    if things:
        yield replace(*scope.module.span(node), f"max({node.id}, 0)", f"`{node.id}` is not below 0", 0.3)


def _things(scope: Scope) -> list[str]:
    """Names of the function that have a length, by what it does with them."""
    found: dict[str, None] = {}
    for node in scope.module.inside(scope.function) if scope.function is not None else ():
        match node:
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]) | ast.Subscript(value=ast.Name(id=name)):
                found[name] = None
    return [name for name in found if name in set(scope.names())][:3]


TEMPLATES = [Template("bound", 0.45, (ast.Name,), bounded)]
