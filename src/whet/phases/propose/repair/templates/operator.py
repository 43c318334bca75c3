"""Use another operator: `x < n` -> `x <= n`, `a + b` -> `a - b`, `a and b` -> `a or b`."""

import ast
import re
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, replace, say
from whet.phases.propose.repair.module import Module
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template

_ARITHMETIC: dict[type[ast.operator], tuple[str, dict[str, float]]] = {
    ast.Add: ("+", {"-": 1.0, "*": 0.7, "/": 0.2, "%": 0.2, "|": 0.2}),
    ast.Sub: ("-", {"+": 1.0, "*": 0.3, "/": 0.3, "%": 0.2}),
    ast.Mult: ("*", {"+": 0.8, "/": 0.8, "**": 0.8, "-": 0.3, "//": 0.5}),
    ast.Div: ("/", {"//": 1.0, "*": 0.9, "-": 0.3, "%": 0.4}),
    ast.FloorDiv: ("//", {"/": 1.0, "%": 0.9, "*": 0.5}),
    ast.Mod: ("%", {"//": 1.0, "/": 0.4, "*": 0.2}),
    ast.Pow: ("**", {"*": 1.0, "//": 0.1}),
    ast.LShift: ("<<", {">>": 1.0}),
    ast.RShift: (">>", {"<<": 1.0}),
    ast.BitAnd: ("&", {"& ~": 0.6, "|": 1.0, "^": 0.6, "-": 0.3}),
    ast.BitOr: ("|", {"&": 1.0, "^": 0.6, "-": 0.3}),
    ast.BitXor: ("^", {"& ~": 0.9, "&": 0.8, "|": 0.8, "**": 0.9}),
}

_COMPARISON: dict[type[ast.cmpop], tuple[str, dict[str, float]]] = {
    ast.Lt: ("<", {"<=": 1.0, ">": 0.8, ">=": 0.4, "!=": 0.2, "==": 0.2}),
    ast.LtE: ("<=", {"<": 1.0, ">=": 0.7, ">": 0.4, "==": 0.2}),
    ast.Gt: (">", {">=": 1.0, "<": 0.8, "<=": 0.4, "!=": 0.2, "==": 0.2}),
    ast.GtE: (">=", {">": 1.0, "<=": 0.7, "<": 0.4, "==": 0.2}),
    ast.Eq: ("==", {"!=": 0.7, "<=": 0.4, ">=": 0.4, "in": 0.3, "<": 0.3, ">": 0.3, "is": 0.1}),
    ast.NotEq: ("!=", {"==": 0.7, "<": 0.4, ">": 0.4, "not in": 0.2}),
    ast.Is: ("is", {"is not": 1.0, "==": 0.5}),
    ast.IsNot: ("is not", {"is": 1.0, "!=": 0.5}),
    ast.In: ("in", {"not in": 1.0, "==": 0.3}),
    ast.NotIn: ("not in", {"in": 1.0, "!=": 0.2}),
}


def other_arithmetic(node: ast.BinOp, scope: Scope) -> Iterator[Edit]:
    old, others = _ARITHMETIC.get(type(node.op), ("", {}))
    if isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
        return
    yield from _replaced(scope.module, node.left, node.right, old, others)


def use_complement(node: ast.BinOp, scope: Scope) -> Iterator[Edit]:
    """Multiply by the complement of a rate: `price * rate` -> `price * (1 - rate)`."""
    if not isinstance(node.op, ast.Mult):
        return
    for factor in (node.right, node.left):
        if isinstance(factor, ast.Name | ast.Attribute):
            start, end = scope.module.span(factor)
            name = scope.module.text(factor)
            for made, weight in ((f"(1 - {name})", 0.8), (f"(1 + {name})", 0.8), (f"{name} / 100", 0.5)):
                yield replace(start, end, made, say("Use {} instead of {}", made, name), weight)


def round_up(node: ast.BinOp, scope: Scope) -> Iterator[Edit]:
    """Round a division up instead of down: `a // b` -> `(a + b - 1) // b`."""
    if isinstance(node.op, ast.FloorDiv):
        whole, share = scope.module.as_operand(node.left), scope.module.as_operand(node.right)
        parent = scope.module.parents.get(node)
        made = f"({whole} + {share} - 1) // {share}"
        summary = say("Round {} up", scope.module.text(node))
        yield replace(*scope.module.span(node), made, summary, 0.8)
        if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Add) and scope.module.text(parent.right) == "1":
            yield replace(*scope.module.span(parent), made, summary, 1.2)


def other_augmented(node: ast.AugAssign, scope: Scope) -> Iterator[Edit]:
    old, others = _ARITHMETIC.get(type(node.op), ("", {}))
    new = {f"{operator}=": weight for operator, weight in others.items()}
    yield from _replaced(scope.module, node.target, node.value, f"{old}=", new)


def other_comparison(node: ast.Compare, scope: Scope) -> Iterator[Edit]:
    operands = [node.left, *node.comparators]
    for left, right, operator in zip(operands, operands[1:], node.ops, strict=False):
        yield from _replaced(scope.module, left, right, *_COMPARISON[type(operator)])


def other_connective(node: ast.BoolOp, scope: Scope) -> Iterator[Edit]:
    old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
    for left, right in zip(node.values, node.values[1:], strict=False):
        yield from _replaced(scope.module, left, right, old, {new: 1.0})


def _replaced(module: Module, left: ast.expr, right: ast.expr, old: str, others: dict[str, float]) -> Iterator[Edit]:
    """Yield edits of the operator between two operands; none if a comment stands between them."""
    start, end = module.span(left)[1], module.span(right)[0]
    gap = module.source[start:end]
    match = re.search(r"\s+".join(map(re.escape, old.split())), gap)
    if match is None or "#" in gap:
        return
    for new, weight in others.items():
        text = new
        if new[0].isalpha():  # `a==b` becomes `a in b`, not `ainb`
            text = text if gap[: match.start()][-1:].isspace() else f" {text}"
            text = text if gap[match.end() :][:1].isspace() else f"{text} "
        yield replace(start + match.start(), start + match.end(), text, say("Use {} instead of {}", new, old), weight)


TEMPLATES = [
    Template("comparison", 0.9, (ast.Compare,), other_comparison),
    Template("arithmetic", 0.7, (ast.BinOp,), other_arithmetic),
    Template("complement", 0.5, (ast.BinOp,), round_up),
    Template("complement", 0.4, (ast.BinOp,), use_complement),
    Template("augmented", 0.7, (ast.AugAssign,), other_augmented),
    Template("boolean", 0.8, (ast.BoolOp,), other_connective),
]
