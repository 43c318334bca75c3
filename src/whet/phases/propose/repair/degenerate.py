"""Code that nobody writes on purpose: it says nothing, or the same thing twice."""

import ast
from itertools import pairwise


def nonsense(tree: ast.AST) -> int:
    """How much of it there is; a candidate that brings some is not worth trying."""
    return sum(_says_nothing(node) for node in ast.walk(tree) if isinstance(node, _KINDS))


_KINDS = (ast.Assign, ast.Compare, ast.BinOp, ast.BoolOp, ast.IfExp, ast.If, ast.Call)


def _says_nothing(node: ast.AST) -> bool:
    match node:
        case ast.Assign(targets=[target]):
            return ast.unparse(target) == ast.unparse(node.value)
        case ast.Compare(left=left, comparators=[right]):
            return _same(left, right) or _is_no_question(left, right)
        case ast.BinOp(left=left, op=ast.Sub() | ast.Div() | ast.FloorDiv() | ast.Mod(), right=right):
            return _same(left, right) or _changes_nothing(node)
        case ast.BinOp():
            return _changes_nothing(node)
        case ast.BoolOp(values=values):
            return any(_same(one, other) for one, other in pairwise(values))
        case ast.IfExp(body=body, orelse=orelse):
            return _same(body, orelse)
        case ast.If(test=ast.Constant()):
            return True
        case ast.Call(func=ast.Name(id="min" | "max" | "isinstance"), args=[one, other]):
            return _same(one, other)
    return False


def _is_no_question(left: ast.expr, right: ast.expr) -> bool:
    """Two constants, or a type that is to be None."""
    if not isinstance(right, ast.Constant):
        return False
    return isinstance(left, ast.Constant) or (right.value is None and ast.unparse(left).startswith("type("))


def _changes_nothing(node: ast.BinOp) -> bool:
    """Nothing added, taken away or done once."""
    return isinstance(node.right, ast.Constant) and (
        (isinstance(node.op, ast.Add | ast.Sub) and node.right.value == 0)
        or (isinstance(node.op, ast.Mult | ast.Div | ast.FloorDiv | ast.Pow) and node.right.value == 1)
    )


def _same(one: ast.expr, other: ast.expr) -> bool:
    return ast.dump(one) == ast.dump(other)
