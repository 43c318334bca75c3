"""Count code that nobody writes on purpose, such as `x = x`, `n + 0` or `a and a`."""

import ast
from itertools import pairwise

_KINDS = (ast.Assign, ast.Compare, ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.IfExp, ast.If, ast.Call)


def count_degenerate(tree: ast.AST) -> int:
    """Return the number of pointless expressions and statements; a candidate that adds one is not worth trying."""
    return sum(_is_degenerate(node) for node in ast.walk(tree) if isinstance(node, _KINDS))


def _is_degenerate(node: ast.AST) -> bool:
    match node:
        case ast.Assign(targets=[target]):
            return ast.unparse(target) == ast.unparse(node.value)
        case ast.Compare(left=left, comparators=[right]):
            return _same(left, right) or _compares_constants(left, right)
        case ast.BinOp(left=left, op=ast.Sub() | ast.Div() | ast.FloorDiv() | ast.Mod(), right=right):
            return _same(left, right) or _has_no_effect(node)
        case ast.BinOp():
            return _has_no_effect(node)
        case ast.BoolOp(values=values):
            return any(_same(left, right) for left, right in pairwise(values))
        case ast.UnaryOp(op=ast.Not(), operand=ast.UnaryOp(op=ast.Not())):
            return True
        case ast.IfExp(body=body, orelse=orelse):
            return _same(body, orelse)
        case ast.If(test=ast.Constant()):
            return True
        case ast.Call(func=ast.Name(id="min" | "max" | "isinstance"), args=[first, second]):
            return _same(first, second)
    return False


def _compares_constants(left: ast.expr, right: ast.expr) -> bool:
    """True for two constants, and for `type(x)` compared with None."""
    if not isinstance(right, ast.Constant):
        return False
    return isinstance(left, ast.Constant) or (right.value is None and ast.unparse(left).startswith("type("))


def _has_no_effect(node: ast.BinOp) -> bool:
    """True for adding or subtracting 0, and for multiplying, dividing or raising by 1."""
    return isinstance(node.right, ast.Constant) and (
        (isinstance(node.op, ast.Add | ast.Sub) and node.right.value == 0)
        or (isinstance(node.op, ast.Mult | ast.Div | ast.FloorDiv | ast.Pow) and node.right.value == 1)
    )


def _same(left: ast.expr, right: ast.expr) -> bool:
    return ast.dump(left) == ast.dump(right)
