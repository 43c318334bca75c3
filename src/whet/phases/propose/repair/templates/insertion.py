"""A statement that was forgotten: something kept for later, counted, or noted as done."""

import ast
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, replace
from whet.phases.propose.repair.module import Scope
from whet.phases.propose.repair.templates.template import Template

_KEEPING = {
    "set": "{}.add({})", "list": "{}.append({})", "deque": "{}.append({})", "[]": "{}.append({})", "dict": "{}[{}] = True",
}  # fmt: skip
_STATEMENTS = (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.For, ast.While)


def kept_for_later(node: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """After a statement: a value goes into a collection of the function, or a count goes up."""
    indent = scope.module.indent(node)
    if scope.function is None or indent is None:
        return
    end = scope.module.line_end(node.end_lineno or node.lineno)
    start = scope.module.line_start(node.lineno)
    for line, weight in _lines(node, scope):
        text = f"{indent}{line}{scope.module.newline}"
        yield replace(end, end, text, f"`{line}` after it", weight)
        yield replace(start, start, text, f"`{line}` before it", weight * 0.7)


def repeated(node: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """A one-line statement of the function, or of its neighbours, that is needed here as well."""
    indent = scope.module.indent(node)
    if scope.function is None or indent is None:
        return
    end = scope.module.line_end(node.end_lineno or node.lineno)
    seen: dict[str, None] = {}
    for other in scope.module.inside(scope.function):
        if (
            isinstance(other, ast.Assign | ast.AugAssign | ast.Expr)
            and other is not node
            and other.end_lineno == other.lineno
        ):
            text = scope.module.text(other)
            if not (isinstance(other, ast.Expr) and isinstance(other.value, ast.Constant)):
                seen[text] = None
    for text in list(seen)[:6]:
        yield replace(end, end, f"{indent}{text}{scope.module.newline}", f"`{text}` here as well", 0.4)
    known = {*scope.names(), *scope.module.globals, *scope.module.functions}
    for text, names in scope.module.calls_alone.items():
        if text not in seen and names <= known:
            yield replace(end, end, f"{indent}{text}{scope.module.newline}", f"`{text}` here as well", 0.4)


def _lines(node: ast.stmt, scope: Scope) -> Iterator[tuple[str, float]]:
    near = [inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)]
    names = [name for name in dict.fromkeys([*near, *scope.parameters]) if name in set(scope.names())]
    for collection, form in _collections(scope).items():
        looked_into = any(
            isinstance(inner, ast.Compare) and ast.unparse(inner.comparators[-1]) == collection
            for inner in scope.module.inside(scope.function or node)
        )
        for name in [name for name in names if name != collection][:4]:
            yield form.format(collection, name), 0.9 if looked_into else 0.5
    for name in _counts(scope):
        yield f"{name} += 1", 0.4
        yield f"{name} -= 1", 0.15


def _collections(scope: Scope) -> dict[str, str]:
    """What holds a collection that was made in this function, around it or in its object -> how it takes something."""
    found = {}
    for node in (inner for function in _around(scope) for inner in scope.module.inside(function)):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
            own = isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self" and "self" in scope.names()
            kind = value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""
            kind = {ast.List: "list", ast.Set: "set", ast.Dict: "dict"}.get(type(value), kind)
            if kind in _KEEPING and (own or isinstance(target, ast.Name)):
                found[ast.unparse(target)] = _KEEPING[kind]
    return found


def _around(scope: Scope) -> Iterator[ast.AST]:
    node: ast.AST | None = scope.function
    while node is not None:
        yield node
        outer = scope.module.enclosing(node, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        if isinstance(outer, ast.ClassDef):
            yield from (item for item in outer.body if isinstance(item, ast.FunctionDef) and item.name == "__init__")
        node = outer if not isinstance(outer, ast.ClassDef) else None


def _counts(scope: Scope) -> list[str]:
    return [
        node.targets[0].id
        for node in scope.module.inside(scope.function or scope.statement)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
        and type(node.value.value) is int
    ][:3]


TEMPLATES = [
    Template("insertion", 0.35, _STATEMENTS, kept_for_later),
    Template("insertion", 0.3, _STATEMENTS, repeated),
]
