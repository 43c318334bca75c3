"""Find the statements to edit, from the suspicious lines of a file."""

import ast
from collections.abc import Iterator, Sequence

from whet.domain.place import Place
from whet.phases.propose.repair.module import Module
from whet.pyast.functions import Function

# A function's head (its defaults) and the constants that it reads run at import, not in a test; conditions and tables
# run in many tests. Coverage alone clears them, so they inherit suspicion from the lines that depend on them.
_HEAD = 0.85
_READ_CONSTANT = 0.6
_LEADS_TO = 0.6
_TABLES = (ast.Tuple, ast.List, ast.Set, ast.Dict)


def suspects(module: Module, places: Sequence[Place]) -> Iterator[tuple[ast.stmt, float]]:
    """Yield each suspicious statement with its suspicion: the highest of the places on its own lines."""
    by_line = {place.line: place.suspicion for place in reversed(places)}
    suspicions: dict[ast.stmt, float] = {}
    for statement in ast.walk(module.tree):
        if isinstance(statement, ast.stmt) and not isinstance(statement, Function | ast.ClassDef):
            lines = range(statement.lineno, _last_line(statement) + 1)
            suspicions[statement] = max((by_line.get(line, 0.0) for line in lines), default=0.0)
    for branching in reversed(list(suspicions)):  # inner statements first
        if isinstance(branching, ast.If | ast.While):
            inner_suspicion = max(suspicions.get(inner, 0.0) for inner in (*branching.body, *branching.orelse))
            suspicions[branching] = max(suspicions[branching], inner_suspicion * _LEADS_TO)
    _suspect_tables(module, suspicions)
    for node in ast.walk(module.tree):
        if isinstance(node, Function):
            inside = max(
                (suspicions.get(inner, 0.0) for inner in ast.walk(node) if isinstance(inner, ast.stmt)),
                default=0.0,
            )
            suspicions[node] = inside * _HEAD
    _suspect_constants(module, suspicions)
    for statement, suspicion in suspicions.items():
        if suspicion > 0 and not _is_docstring(statement):
            yield statement, suspicion


def _suspect_tables(module: Module, suspicions: dict[ast.stmt, float]) -> None:
    """Raise the suspicion of collections assigned in a function to that of the statements that read their names."""
    read: dict[tuple[tuple[int, int], str], float] = {}
    for statement, suspicion in suspicions.items():
        if suspicion > 0:
            for node in own_nodes(statement, module):
                if isinstance(node, ast.Name):
                    key = module.chunk(statement), node.id
                    read[key] = max(suspicion, read.get(key, 0.0))
    for statement in suspicions:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, _TABLES) and module.function_of(statement):
            names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
            inherited = max((read.get((module.chunk(statement), name), 0.0) for name in names), default=0.0)
            suspicions[statement] = max(suspicions[statement], inherited * _READ_CONSTANT)


def _suspect_constants(module: Module, suspicions: dict[ast.stmt, float]) -> None:
    """Raise the suspicion of assignments outside functions to that of the functions that read their names."""
    read: dict[str, float] = {}
    for function, suspicion in list(suspicions.items()):
        if isinstance(function, Function) and suspicion > 0:
            for node in ast.walk(function):
                name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
                read[name] = max(suspicion, read.get(name, 0.0))
    for statement in suspicions:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and module.function_of(statement) is None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            inherited = max((read.get(node.id, 0.0) for node in targets if isinstance(node, ast.Name)), default=0.0)
            suspicions[statement] = max(suspicions[statement], inherited * _READ_CONSTANT)


def _last_line(statement: ast.stmt) -> int:
    """Return the last line that belongs to the statement itself and not to a statement inside it."""
    body = getattr(statement, "body", None)
    if isinstance(body, list) and isinstance(body[0], ast.stmt):
        return max(statement.lineno, body[0].lineno - 1)
    return statement.end_lineno or statement.lineno


def own_nodes(statement: ast.stmt, module: Module) -> Iterator[ast.AST]:
    """Yield the statement and its expressions, without inner statements, annotations and decorators."""
    yield statement
    stack = [child for name, child in _fields(statement) if name not in ("annotation", "returns", "decorator_list")]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
            continue
        if isinstance(node, ast.JoinedStr):
            stack += [value for value in node.values if _is_placed(value, module)]
            continue
        yield node
        stack += [child for name, child in _fields(node) if name not in ("annotation", "format_spec")]


def _fields(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for name, value in ast.iter_fields(node):
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, ast.AST):
                yield name, item


def _is_placed(value: ast.expr, module: Module) -> bool:
    """True if the AST gives the right position for this part of an f-string, which before Python 3.12 it may not."""
    if not isinstance(value, ast.FormattedValue):
        return False
    try:
        parsed = ast.parse(module.text(value.value), mode="eval").body
    except (SyntaxError, ValueError, IndexError):
        return False
    return ast.unparse(parsed) == ast.unparse(value.value)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
