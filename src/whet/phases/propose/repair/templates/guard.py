"""A case that was forgotten: nothing there, None, zero, too small, the end of a recursion."""

import ast
from collections.abc import Iterator
from itertools import pairwise

from whet.phases.propose.repair.candidate import Edit, replace
from whet.phases.propose.repair.module import Function, Scope, first_statement
from whet.phases.propose.repair.templates.template import Template

_STATEMENTS = (
    ast.Assign,
    ast.AugAssign,
    ast.AnnAssign,
    ast.Return,
    ast.Expr,
    ast.For,
    ast.While,
    ast.If,
    ast.With,
)
_EMPTY = ("None", "0", "0.0", "[]", "''", "{}", "()", "set()", "False", "True")
_PLAIN = ("None", "0", "0.0", "1", "-1", "''", "[]", "{}", "()", "set()", "True", "False")


def guard(node: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """A few lines before the statement that leave the function, skip the round or refuse."""
    indent = scope.module.indent(node)
    if scope.function is None or indent is None:
        return
    start = scope.module.line_start(node.lineno)
    for condition, weight in _conditions(node, scope):
        for action, likelihood in _actions(condition, node, scope):
            newline, inner = scope.module.newline, indent + scope.module.step
            text = f"{indent}if {condition}:{newline}{inner}{action}{newline}"
            yield replace(start, start, text, f"`{action}` when `{condition}`", weight * likelihood)


def special(node: Function, scope: Scope) -> Iterator[Edit]:
    """`__getattr__` that answers for names which only Python asks for: copying and pickling break on it."""
    names = [name for name in (argument.arg for argument in node.args.args) if name != "self"]
    first = first_statement(node)
    indent = scope.module.indent(first)
    if node.name != "__getattr__" or not names or indent is None:
        return
    newline, start = scope.module.newline, scope.module.line_start(first.lineno)
    mark = scope.module.literal("'__'")
    text = f"{indent}if {names[0]}.startswith({mark}):{newline}{indent}{scope.module.step}raise AttributeError({names[0]}){newline}"
    yield replace(start, start, text, "Python's own names are left alone", 1.5)


def base_case(node: Function, scope: Scope) -> Iterator[Edit]:
    """A recursion without an end."""
    calls = [inner for inner in ast.walk(node) if isinstance(inner, ast.Call)]
    if not any(ast.unparse(call.func) in (node.name, f"self.{node.name}") for call in calls):
        return
    first = first_statement(node)
    indent = scope.module.indent(first)
    if indent is None:
        return
    start = scope.module.line_start(first.lineno)
    for name in scope.parameters[:3]:
        for condition, weight in (
            (f"{name} == 0", 1.0),
            (f"{name} <= 1", 1.0),
            (f"not {name}", 1.0),
            (f"{name} is None", 0.8),
        ):
            results = ("1", "0", name, "[]", "''", "None", "True", "False", f"[{name}]")
            for position, result in enumerate(_wanted_first(results, scope)):
                newline = scope.module.newline
                value = scope.module.literal(result)
                text = f"{indent}if {condition}:{newline}{indent}{scope.module.step}return {value}{newline}"
                description = f"ends with `{value}` when `{condition}`"
                yield replace(start, start, text, description, weight * (1 - 0.05 * position))


def optional(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """Inside one expression: `x or []`, `a / b if b else 0`, and one more thing to check in a condition."""
    if isinstance(node, ast.For | ast.comprehension) and isinstance(node.iter, ast.Name | ast.Attribute):
        end = scope.module.span(node.iter)[1]
        yield replace(end, end, " or []", f"`{scope.module.text(node.iter)}` may be missing", 0.6)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
        yield from _divisor(node, scope)
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield from _also(node.test, scope)
    elif isinstance(node, ast.comprehension) and not node.ifs and isinstance(node.target, ast.Name):
        end = scope.module.span(node.iter)[1]
        name = node.target.id
        yield replace(end, end, f" if {name} is not None", f"only where `{name}` is there", 0.5)
        yield replace(end, end, f" if {name}", f"only where `{name}` says something", 0.4)


def _divisor(node: ast.BinOp, scope: Scope) -> Iterator[Edit]:
    if isinstance(node.right, ast.Constant):
        return
    parent = scope.module.parents.get(node)
    if not isinstance(parent, ast.Return | ast.Assign):
        return
    end = scope.module.span(node)[1]
    divisor = scope.module.text(node.right)
    for default in _wanted_first(("0", "0.0", "None"), scope)[:3]:
        yield replace(end, end, f" if {divisor} else {default}", f"`{default}` when `{divisor}` is 0", 0.7)


def _also(test: ast.expr, scope: Scope) -> Iterator[Edit]:
    start, end = scope.module.span(test)
    text = scope.module.text(test)
    closed = f"({text})" if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else text
    loaded = [node.id for node in ast.walk(test) if isinstance(node, ast.Name)]
    for name in dict.fromkeys(name for name in loaded if name in scope.names()):
        for extra, weight in ((f"{name} is not None", 0.7), (name, 0.6)):
            yield replace(start, end, f"{extra} and {closed}", f"only if `{extra}`", weight)
        yield replace(start, end, f"not {name} or {text}", f"also if there is no `{name}`", 0.35)
        yield replace(start, end, f"{name} is None or {text}", f"also if `{name}` is None", 0.35)
    for node in ast.walk(test):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
            bound = f"{node.slice.id} < len({scope.module.text(node.value)})"
            yield replace(start, end, f"{bound} and {closed}", f"only while `{bound}`", 0.8)


def _conditions(statement: ast.stmt, scope: Scope) -> Iterator[tuple[str, float]]:
    """What may be wrong with the things the statement uses, the likeliest for these failures first."""
    exceptions = scope.hints.exceptions
    none = scope.hints.said("NoneType") or "None" in scope.hints.constants
    nothing = "IndexError" in exceptions or "ZeroDivisionError" in exceptions or scope.hints.said("empty")
    for subject in _subjects(statement, scope):
        yield f"{subject} is None", 1.0 if none else 0.3
        yield f"not {subject}", 1.0 if nothing else 0.6
        yield f"{subject} == 0", 0.9 if "ZeroDivisionError" in exceptions else 0.3
        yield f"{subject} < 0", 0.9 if scope.hints.raises else 0.2
        yield f"{subject} <= 0", 0.7 if scope.hints.raises else 0.2
    for node in _header(statement):
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice | ast.Constant | ast.UnaryOp):
            key, owner = scope.module.text(node.slice), scope.module.text(node.value)
            yield f"{key} not in {owner}", 1.1 if "KeyError" in exceptions else 0.3
            yield f"{key} >= len({owner})", 0.8 if "IndexError" in exceptions else 0.2
    for constant in scope.module.names_in(scope.hints.names):
        if constant.isupper():
            for subject in _subjects(statement, scope):
                yield f"{subject} == {constant}", 0.9
                yield f"{subject} is {constant}", 0.6
    names = scope.parameters
    for one, other in pairwise(names):
        yield f"{one} > {other}", 0.4 if scope.hints.raises else 0.1
        yield f"{one} < {other}", 0.3 if scope.hints.raises else 0.1
        yield f"{one} == {other}", 0.15


def _actions(condition: str, statement: ast.stmt, scope: Scope) -> Iterator[tuple[str, float]]:
    subject = condition.removeprefix("not ").split(" ")[0]
    for exception in scope.hints.raises:
        said = scope.module.literal(repr(_complaint(condition)))
        yield f"raise {exception}({said})", 1.0
    if scope.in_loop:
        yield "continue", 0.8
    if scope.hints.raises:
        return
    results = _wanted_first(("None", "0", "[]", "False", "True", "''", "{}"), scope)
    for position, result in enumerate(results):
        yield f"return {scope.module.literal(result)}", (0.9 - 0.06 * position) * (1.0 if result in _EMPTY else 0.5)
    yield f"return {subject}", 0.9 if condition.rpartition(" ")[2].isupper() else 0.4
    for other in _subjects(statement, scope):
        if other != subject and condition.endswith(("is None", f"not {subject}")):
            yield f"return {other}", 0.7


def _wanted_first(usual: tuple[str, ...], scope: Scope) -> list[str]:
    """Plain values the tests expect or the function already returns, then the usual ones."""
    returned = [
        ast.unparse(node.value)
        for node in scope.module.inside(scope.function or scope.statement)
        if isinstance(node, ast.Return) and node.value is not None
    ]
    wanted = [text for text in (*scope.hints.expected, *returned) if text in _PLAIN]
    return list(dict.fromkeys((*wanted, *usual)))


def _complaint(condition: str) -> str:
    if condition.startswith("not "):
        return f"{condition[4:]} must not be empty"
    for operator, words in (
        (" is None", "must not be None"),
        (" == 0", "must not be zero"),
        (" < 0", "must not be negative"),
        (" <= 0", "must be positive"),
    ):
        if condition.endswith(operator):
            return f"{condition.removesuffix(operator)} {words}"
    return f"unexpected: {condition}"


def _subjects(statement: ast.stmt, scope: Scope) -> list[str]:
    """Local names and attributes that the statement reads, divisors first."""
    found: dict[str, None] = {}
    names = set(scope.names())
    nodes = list(_header(statement))
    for node in nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
            found |= {inner.id: None for inner in ast.walk(node.right) if isinstance(inner, ast.Name)}
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found[node.id] = None
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            text = ast.unparse(node)
            if isinstance(scope.module.parents.get(node), ast.Call) or text.count(".") > 2 or "(" in text:
                continue
            found[text] = None
    return [name for name in found if name.split(".")[0] in names and name not in ("self", "cls")][:6]


def _header(statement: ast.stmt) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(statement):
        if not isinstance(child, ast.stmt | ast.excepthandler):
            yield from ast.walk(child)


TEMPLATES = [
    Template("guard", 0.42, _STATEMENTS, guard),
    Template("guard", 0.5, Function.__args__, special),
    Template("base_case", 0.45, Function.__args__, base_case),
    Template("optional", 0.45, (ast.For, ast.comprehension, ast.BinOp, ast.If, ast.While, ast.IfExp), optional),
]
