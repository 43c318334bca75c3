"""Insert a forgotten statement: `print(x)` -> `print(x)` followed by `seen.add(x)`."""

import ast
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, replace, say
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template

_ADDING = {
    "set": "{}.add({})",
    "list": "{}.append({})",
    "deque": "{}.append({})",
    "dict": "{}[{}] = True",
}
_STATEMENTS = (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.For, ast.While)


def add_bookkeeping(node: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """Insert a line after or before a statement that adds a value to a collection, or changes a count."""
    indent = scope.module.indent(node)
    if scope.function is None or indent is None:
        return
    end = scope.module.line_end(node.end_lineno or node.lineno)
    start = scope.module.line_start(node.lineno)
    for line, weight in _lines(node, scope):
        text = f"{indent}{line}{scope.module.newline}"
        yield replace(end, end, text, say("Add {}", line), weight)
        yield replace(start, start, text, say("Add {} before the statement", line), weight * 0.7)


def repeat_statement(node: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """Repeat a one-line statement of this function, or a call from elsewhere in the file."""
    indent = scope.module.indent(node)
    if scope.function is None or indent is None:
        return
    end = scope.module.line_end(node.end_lineno or node.lineno)
    own: dict[str, None] = {}
    for other in scope.module.descendants(scope.function):
        if (
            isinstance(other, ast.Assign | ast.AugAssign | ast.Expr)
            and other is not node
            and other.end_lineno == other.lineno
        ):
            text = scope.module.text(other)
            if not (isinstance(other, ast.Expr) and isinstance(other.value, ast.Constant)):
                own[text] = None
    for text in list(own)[:6]:
        yield replace(end, end, f"{indent}{text}{scope.module.newline}", say("Add {}", text), 0.4)
    available = {*scope.names(), *scope.module.globals, *scope.module.functions}
    for text, names in scope.module.call_statements.items():
        if text not in own and names <= available:
            yield replace(end, end, f"{indent}{text}{scope.module.newline}", say("Add {}", text), 0.4)


def _lines(node: ast.stmt, scope: Scope) -> Iterator[tuple[str, float]]:
    """Yield lines that add a name to a collection or change a count, each with its weight."""
    near = [inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)]
    names = [name for name in dict.fromkeys([*near, *scope.parameters]) if name in set(scope.names())]
    for collection, form in _collections(scope).items():
        searched = any(
            isinstance(inner, ast.Compare) and ast.unparse(inner.comparators[-1]) == collection
            for inner in scope.module.descendants(scope.function or node)
        )
        for name in [name for name in names if name != collection][:4]:
            yield form.format(collection, name), 0.9 if searched else 0.5
    for name in _counts(scope):
        yield f"{name} += 1", 0.4
        yield f"{name} -= 1", 0.15


def _collections(scope: Scope) -> dict[str, str]:
    """Return each collection created in this function, an outer one or `__init__` -> the form of adding to it."""
    collections = {}
    for node in (inner for function in _around(scope) for inner in scope.module.descendants(function)):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
            own = isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self" and "self" in scope.names()
            kind = value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""
            kind = {ast.List: "list", ast.Set: "set", ast.Dict: "dict"}.get(type(value), kind)
            if kind in _ADDING and (own or isinstance(target, ast.Name)):
                collections[ast.unparse(target)] = _ADDING[kind]
    return collections


def _around(scope: Scope) -> Iterator[ast.AST]:
    """Yield the function, the functions around it, and `__init__` of its class."""
    node: ast.AST | None = scope.function
    while node is not None:
        yield node
        outer = scope.module.enclosing(node, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        if isinstance(outer, ast.ClassDef):
            yield from (item for item in outer.body if isinstance(item, ast.FunctionDef) and item.name == "__init__")
        node = outer if not isinstance(outer, ast.ClassDef) else None


def _counts(scope: Scope) -> list[str]:
    """Return local names that are set to an integer literal."""
    return [
        node.targets[0].id
        for node in scope.module.descendants(scope.function or scope.statement)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
        and type(node.value.value) is int
    ][:3]


TEMPLATES = [
    Template("insertion", 0.35, _STATEMENTS, add_bookkeeping),
    Template("insertion", 0.3, _STATEMENTS, repeat_statement),
]
