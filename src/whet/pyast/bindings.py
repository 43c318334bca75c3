"""The names that statements bind, read and need, and the values that assignments give them."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator

from whet.pyast.functions import Function, parameters
from whet.pyast.imports import bindings_of, last_name

Assignment = ast.Assign | ast.AnnAssign | ast.NamedExpr


def targets(node: Assignment) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def assignments(tree: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield `(target, value)` for every assignment anywhere in `tree`; `a = b = 1` yields two pairs."""
    for node in ast.walk(tree):
        if isinstance(node, Assignment) and node.value is not None:
            for target in targets(node):
                yield target, node.value


def assigned_values(tree: ast.AST) -> dict[str, list[ast.expr]]:
    """Return the values assigned to each name or attribute, by its last part; scopes are not told apart."""
    values: dict[str, list[ast.expr]] = {}
    for target, value in assignments(tree):
        values.setdefault(last_name(target), []).append(value)
    return values


def assigned_texts(tree: ast.AST) -> dict[str, str]:
    """Return the names that are assigned one string literal and nothing else, with that text."""
    values: dict[str, set[str | None]] = defaultdict(set)
    for target, value in assignments(tree):
        if isinstance(target, ast.Name):
            text = value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None
            values[target.id].add(text)
    return {name: text for name, texts in values.items() if len(texts) == 1 for text in texts if text is not None}


def bound_names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds; of a function or class only its own name."""
    if isinstance(statement, Function | ast.ClassDef):
        return {statement.name}
    names: set[str] = set()
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                names.add(name)
            case ast.ExceptHandler(name=str() as name):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Import() | ast.ImportFrom():
                names.update(local for local, _ in bindings_of(node))
    return names


def read_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that are read anywhere in `nodes`."""
    inside = (inner for node in nodes for inner in ast.walk(node))
    return {node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def free_names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement reads and does not bind itself. Scopes inside it are not told apart."""
    bound: set[str] = set()
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                bound.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                bound.add(name)
    return read_names([statement]) - bound


def first_bound_lines(function: Function) -> dict[str, int]:
    """Return each local name with the first line that binds it; parameters have line 0.

    Names that only a comprehension binds are left out: they do not exist outside of it.
    """
    comprehensions = [node for node in ast.walk(function) if isinstance(node, ast.comprehension)]
    hidden = {id(inner) for node in comprehensions for inner in ast.walk(node)}
    lines = dict.fromkeys(parameters(function.args), 0)
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in hidden:
            lines[node.id] = min(node.lineno, lines.get(node.id, node.lineno))
    return lines


def is_literal(node: ast.expr) -> bool:
    """True if the value of `node` is written down: a constant, or a container of constants."""
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True
