"""Keep an index inside a sequence: `end = n` -> `end = min(n, len(xs))`."""

import ast
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, replace, say
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template

_PLACES = (ast.Assign, ast.AnnAssign, ast.IfExp, ast.Return, ast.Slice, ast.Compare, ast.Call)


def clamp_index(node: ast.Name, scope: Scope) -> Iterator[Edit]:
    """Limit a name to the length of a sequence of the function, or to at least 0."""
    parent = scope.module.parents.get(node)
    sequences = _sequences(scope)
    if not isinstance(node.ctx, ast.Load) or not isinstance(parent, _PLACES) or node.id in sequences:
        return
    if isinstance(parent, ast.Call) and (node is parent.func or ast.unparse(parent.func) not in ("range", "islice")):
        return
    weight = 1.0 if "IndexError" in scope.hints.exceptions else 0.25
    for sequence in sequences:
        text = f"min({node.id}, len({sequence}))"
        summary = say("Limit {} to the length of {}", node.id, sequence)
        yield replace(*scope.module.span(node), text, summary, weight)
    if sequences:
        yield replace(*scope.module.span(node), f"max({node.id}, 0)", say("Keep {} from going below 0", node.id), 0.3)


def _sequences(scope: Scope) -> list[str]:
    """Return local names that the function takes the length of or subscripts."""
    names: dict[str, None] = {}
    for node in scope.module.descendants(scope.function) if scope.function is not None else ():
        match node:
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]) | ast.Subscript(value=ast.Name(id=name)):
                names[name] = None
    return [name for name in names if name in set(scope.names())][:3]


TEMPLATES = [Template("bound", 0.45, (ast.Name,), clamp_index)]
