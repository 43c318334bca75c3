"""Conditions that a patch adds to a file, and a copy of the file that reports each of their outcomes.

A condition is an operand that decides which code runs: in `if a and not b:` these are `a` and `b`. It is new if its text is
not among the conditions of the old file.
"""

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from whet.pyast.bindings import is_literal
from whet.pyast.functions import Function, docstrings

SAW = "__whet_saw__"
_LOGGERS, _LEVELS = (
    {"log", "logger", "logging", "_log", "_logger", "LOG"},
    {"debug", "info", "warning", "error", "exception"},
)
_LOOKUPS = {"remove", "pop", "discard", "index", "get", "move_to_end", "popitem"}
# The observer is missing in processes that the tests start. There, this line defines a function that returns the value.
_WITHOUT_OBSERVER = f"{SAW} = __import__('builtins').__dict__.get('{SAW}') or (lambda number, value: value)\n"


@dataclass(frozen=True)
class Condition:
    """A condition of a file.

    `raises_if` is the outcome that leads only to a `raise` statement; None if neither does. `node` is its place in the
    parsed file.
    """

    path: str
    text: str
    node: ast.expr
    raises_if: bool | None

    @property
    def line(self) -> int:
        return self.node.lineno


def new_conditions(path: str, old: str, new: str) -> list[Condition]:
    """Return the conditions of the new text that the old text does not have; none if either does not parse.

    Checks for None and of types are left out: they are written for a case that often no test shows. So are a condition of
    the old text in which only literals changed, a condition that only leads to a warning, and a membership test that
    guards a lookup of the same key (see `_guarded_lookups`).
    """
    try:
        before, after = ast.parse(old), ast.parse(new)
    except (SyntaxError, ValueError, RecursionError):
        return []
    old_ones = {ast.unparse(node): node for node, _ in _conditions(before)}
    new_ones = [(ast.unparse(node), node, raises_if) for node, raises_if in _conditions(after)]
    kept = {text for text, _, _ in new_ones}
    reworded = {_without_literals(node) for text, node in old_ones.items() if text not in kept}
    in_texts = {id(inner) for node in ast.walk(after) if isinstance(node, ast.JoinedStr) for inner in ast.walk(node)}
    harmless = {id(node) for node in (*_warning_conditions(after), *_guarded_lookups(after))}
    return [
        Condition(path, text, node, raises_if)
        for text, node, raises_if in new_ones
        if id(node) not in in_texts or _has_exact_place(new, node)
        if text not in old_ones and not _is_type_check(node) and _without_literals(node) not in reworded
        if id(node) not in harmless
    ]


def reporting_copy(source: str, conditions: Sequence[Condition], first_number: int) -> bytes | None:
    """Return the source with each condition passed through an observer, numbered from `first_number` in order.

    None if the result is not Python. Every line keeps its text, so that columns move but only one line is added.
    """
    lines = source.encode().splitlines(keepends=True)
    edits: list[tuple[int, int, bytes]] = []
    for number, condition in enumerate(conditions, first_number):
        node = condition.node
        edits.append((node.lineno, node.col_offset, f"{SAW}({number}, (".encode()))
        edits.append((node.end_lineno or node.lineno, node.end_col_offset or 0, b"))"))
    for line, column, text in sorted(edits, reverse=True):
        lines[line - 1] = lines[line - 1][:column] + text + lines[line - 1][column:]
    lines.insert(_first_statement_after_head(source) - 1, _WITHOUT_OBSERVER.encode())
    result = b"".join(lines)
    try:
        ast.parse(result)
    except (SyntaxError, ValueError, RecursionError):
        return None
    return result


def _first_statement_after_head(source: str) -> int:
    """Return the line of the first statement that is neither a docstring nor an import from __future__."""
    tree = ast.parse(source)
    texts = set(docstrings(tree))
    for statement in tree.body:
        head = isinstance(statement, ast.Expr) and statement.value in texts
        future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if not head and not future:
            decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
            return min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    return len(source.splitlines()) + 1


def _conditions(tree: ast.AST) -> Iterator[tuple[ast.expr, bool | None]]:
    """Yield every condition, and the outcome that leads only to a `raise` (None if neither does)."""
    nodes = list(ast.walk(tree))
    done: set[int] = set()
    tests = [test for node in nodes for test in _tests(node)]
    # In `x = a or b`, `a` decides although no statement tests it; the last operand is only a value.
    tests += [(value, None) for node in nodes if isinstance(node, ast.BoolOp) for value in node.values[:-1]]
    for test, raises_if in tests:
        for operand, leads_to_raise in _operands(test, raises_if):
            if id(operand) not in done:
                done.add(id(operand))
                yield operand, leads_to_raise


def _tests(node: ast.AST) -> Iterator[tuple[ast.expr, bool | None]]:
    """Yield the expressions that decide what this node runs, each with the outcome that leads only to a `raise`."""
    match node:
        case ast.If(test=test, body=body, orelse=orelse):
            yield test, _raising_outcome(body, orelse)
        case ast.While(test=test) | ast.IfExp(test=test) | ast.match_case(guard=ast.expr() as test):
            yield test, None
        case ast.comprehension(ifs=tests):
            yield from ((test, None) for test in tests)


def _operands(test: ast.expr, raises_if: bool | None) -> Iterator[tuple[ast.expr, bool | None]]:  # noqa: FBT001 - not a switch
    """Yield the operands of `and`, `or` and `not`; constants decide nothing."""
    match test:
        case ast.BoolOp(values=values):
            for value in values:
                yield from _operands(value, raises_if)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _operands(operand, None if raises_if is None else not raises_if)
        case ast.Constant():
            return
        case _:
            yield test, raises_if


def _raising_outcome(body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]) -> bool | None:
    if isinstance(body[0], ast.Raise):
        return True
    return False if orelse and isinstance(orelse[0], ast.Raise) else None


def _without_literals(node: ast.expr) -> str:
    """Return the text of a condition with every literal, and every collection of literals, as `_`."""

    class Blank(ast.NodeTransformer):
        def generic_visit(self, inner: ast.AST) -> ast.AST:
            if isinstance(inner, ast.JoinedStr):
                return inner  # its parts are constants that may not be replaced
            if isinstance(inner, ast.expr) and is_literal(inner):
                return ast.Name("_", ast.Load())
            return super().generic_visit(inner)

    return ast.unparse(Blank().visit(copy.deepcopy(node)))


def _has_exact_place(source: str, node: ast.expr) -> bool:
    """True if the place of the node in the source holds the node. Before Python 3.12 parts of f-strings may have another."""
    segment = ast.get_source_segment(source, node)
    try:
        return segment is not None and ast.dump(ast.parse(f"({segment})", mode="eval").body) == ast.dump(node)
    except (SyntaxError, ValueError):
        return False


def _warning_conditions(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the conditions that only decide whether a warning or a log message is written: no answer depends on them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and not node.orelse and all(map(_is_message, node.body)):
            yield from (operand for operand, _ in _operands(node.test, None))


def _is_message(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=place), attr=name))):
            return (place == "warnings" and name == "warn") or (place in _LOGGERS and name in _LEVELS)
        case _:
            return False


def _guarded_lookups(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield membership tests `key in container` in functions that look the same key up in the same container.

    A cache and a guarded removal have this form, and tests often show only one of the two cases. A container that the
    file fills with literals is not meant: it may be a table of answers.
    """
    tables = set(_tables(tree))
    for function in ast.walk(tree):
        if isinstance(function, Function):
            used = set(_lookups(function))
            for node in ast.walk(function):
                match node:
                    case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[container]):
                        name = _container(container)
                        if (name, ast.unparse(key)) in used and name.rpartition(".")[2] not in tables:
                            yield node


def _tables(tree: ast.Module) -> Iterator[str]:
    """Yield the names that are bound to a collection with items, and those of the module with any value but an empty one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr):
            filled = isinstance(node.value, ast.Dict | ast.List | ast.Set | ast.Tuple | ast.Constant)
            if (filled or node in tree.body) and not _is_empty_container(node.value):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                yield from (target.id for target in targets if isinstance(target, ast.Name))
                yield from (target.attr for target in targets if isinstance(target, ast.Attribute))


def _lookups(function: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield (container, key) of each `container[key]`, `container.remove(key)` and the like; `self.x.get(n)` is `self.x`."""
    for node in ast.walk(function):
        match node:
            case ast.Subscript(value=container, slice=key):
                yield _container(container), ast.unparse(key)
            case ast.Call(func=ast.Attribute(value=container, attr=name), args=[key, *_]) if name in _LOOKUPS:
                yield _container(container), ast.unparse(key)


def _container(node: ast.expr) -> str:
    """Return the text of a container; `x[n]` and `x.get(n, [])` are both an element of `x`."""
    match node:
        case ast.Call(func=ast.Attribute(value=outer, attr="get" | "setdefault"), args=[key, *_]):
            return f"{ast.unparse(outer)}[{ast.unparse(key)}]"
        case ast.Call(func=ast.Attribute(value=outer, attr="keys"), args=[]):
            return ast.unparse(outer)
        case _:
            return ast.unparse(node)


def _is_empty_container(value: ast.expr | None) -> bool:
    match value:
        case ast.Dict(keys=[]) | ast.List(elts=[]) | ast.Call(args=[], keywords=[]):
            return True
        case ast.Call(func=ast.Name(id="defaultdict" | "OrderedDict" | "WeakKeyDictionary" | "WeakValueDictionary")):
            return True
        case _:
            return False


def _is_type_check(node: ast.expr) -> bool:
    match node:
        case ast.Compare(ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return True
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass" | "callable" | "hasattr")):
            return True
        case _:
            return False
