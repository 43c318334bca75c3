"""Names as a file binds them, and what a dotted name stands for once its imports are known."""

import ast
from collections.abc import Iterator, Mapping


def resolved(node: ast.expr, aliases: Mapping[str, str]) -> str:
    """The full name of an expression, `import x as y` undone; empty where it is none."""
    if isinstance(node, ast.Name):
        return aliases.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        left = resolved(node.value, aliases)
        return f"{left}.{node.attr}" if left else ""
    return ""


def imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from bound_by(node)


def bound_by(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """The names that an import makes, and what they stand for."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, f"{'.' * node.level}{node.module or ''}.{alias.name}"
        elif alias.asname:
            yield alias.asname, alias.name
        else:
            yield alias.name.partition(".")[0], alias.name.partition(".")[0]


def names_of(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names]


def docstrings(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def root_of(node: ast.Attribute) -> str | None:
    left: ast.expr = node
    while isinstance(left, ast.Attribute):
        left = left.value
    return left.id if isinstance(left, ast.Name) else None


def last_line(node: ast.expr) -> int:
    return node.end_lineno or node.lineno
