"""Handle a forgotten case: `return a[0]` -> `if not a: return None` before it, `a / b` -> `a / b if b else 0`."""

import ast
from collections.abc import Iterator
from itertools import pairwise

from whet.phases.propose.repair.candidate import Edit, Summary, replace, say
from whet.phases.propose.repair.module import first_statement
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template
from whet.pyast.functions import Function

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


def add_guard(node: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """Insert an `if` before the statement that returns, continues with the next iteration or raises."""
    indent = scope.module.indent(node)
    if scope.function is None or indent is None:
        return
    start = scope.module.line_start(node.lineno)
    for condition, weight in _conditions(node, scope):
        for action, likelihood in _actions(condition, node, scope):
            newline, inner = scope.module.newline, indent + scope.module.indent_unit
            text = f"{indent}if {condition}:{newline}{inner}{action}{newline}"
            yield replace(start, start, text, _summary(action, condition), weight * likelihood)


def _summary(action: str, condition: str) -> Summary:
    reason, subject = _in_words(condition)
    verb, _, rest = action.partition(" ")
    if verb == "return":
        return say(f"Return {{}} {{here}} {reason}", rest, subject)
    if verb == "raise":
        return say(f"Raise {{}} {{here}} {reason}", rest.partition("(")[0], subject)
    return say(f"Skip the iteration {{here}} {reason}", subject)


def _in_words(condition: str) -> tuple[str, str]:
    """Return a condition as a clause with a `{}` for its subject, and the subject."""
    if condition.startswith("not "):
        return f"when {{}} is {'empty' if condition.endswith('s') else 'falsy'}", condition[4:]
    for operator, words in (
        (" is None", "when {} is None"),
        (" == 0", "when {} is 0"),
        (" < 0", "when {} is negative"),
    ):
        if condition.endswith(operator):
            return words, condition.removesuffix(operator)
    return "when {}", condition


def skip_dunder_names(node: Function, scope: Scope) -> Iterator[Edit]:
    """Make `__getattr__` refuse names such as `__deepcopy__`: copying and pickling break if it answers for them."""
    names = [name for name in (argument.arg for argument in node.args.args) if name != "self"]
    first = first_statement(node)
    indent = scope.module.indent(first)
    if node.name != "__getattr__" or not names or indent is None:
        return
    newline, start = scope.module.newline, scope.module.line_start(first.lineno)
    mark = scope.module.literal("'__'")
    inner = indent + scope.module.indent_unit
    text = f"{indent}if {names[0]}.startswith({mark}):{newline}{inner}raise AttributeError({names[0]}){newline}"
    yield replace(start, start, text, say("Raise AttributeError {here} for names with two underscores"), 1.5)


def add_base_case(node: Function, scope: Scope) -> Iterator[Edit]:
    """Give a recursive function a base case."""
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
            for position, result in enumerate(_expected_first(results, scope)):
                newline = scope.module.newline
                value = scope.module.literal(result)
                text = f"{indent}if {condition}:{newline}{indent}{scope.module.indent_unit}return {value}{newline}"
                yield replace(
                    start, start, text, _summary(f"return {value}", condition), weight * (1 - 0.05 * position)
                )


def allow_missing(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """Allow for a missing value inside an expression: `x` -> `x or []`, `a / b` -> `a / b if b else 0`."""
    if isinstance(node, ast.For | ast.comprehension) and isinstance(node.iter, ast.Name | ast.Attribute):
        end = scope.module.span(node.iter)[1]
        yield replace(end, end, " or []", say("Allow {} {here} to be None", scope.module.text(node.iter)), 0.6)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
        yield from _divisor(node, scope)
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield from _extra_condition(node.test, scope)
    elif isinstance(node, ast.comprehension) and not node.ifs and isinstance(node.target, ast.Name):
        end = scope.module.span(node.iter)[1]
        name = node.target.id
        yield replace(end, end, f" if {name} is not None", say("Skip items {here} that are None"), 0.5)
        yield replace(end, end, f" if {name}", say("Skip empty items"), 0.4)


def _divisor(node: ast.BinOp, scope: Scope) -> Iterator[Edit]:
    if isinstance(node.right, ast.Constant):
        return
    parent = scope.module.parents.get(node)
    if not isinstance(parent, ast.Return | ast.Assign):
        return
    end = scope.module.span(node)[1]
    divisor = scope.module.text(node.right)
    for default in _expected_first(("0", "0.0", "None"), scope)[:3]:
        summary = say("Use {} {here} when {} is 0", default, divisor)
        yield replace(end, end, f" if {divisor} else {default}", summary, 0.7)


def _extra_condition(test: ast.expr, scope: Scope) -> Iterator[Edit]:
    """Combine a condition with a check of a name in it."""
    start, end = scope.module.span(test)
    text = scope.module.text(test)
    operand = f"({text})" if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else text
    loaded = [node.id for node in ast.walk(test) if isinstance(node, ast.Name)]
    for name in dict.fromkeys(name for name in loaded if name in scope.names()):
        for extra, weight in ((f"{name} is not None", 0.7), (name, 0.6)):
            yield replace(start, end, f"{extra} and {operand}", say("Also require {}", extra), weight)
        yield replace(
            start, end, f"not {name} or {text}", say("Let the condition {here} also hold if {} is falsy", name), 0.35
        )
        yield replace(
            start, end, f"{name} is None or {text}", say("Let the condition {here} also hold if {} is None", name), 0.35
        )
    for node in ast.walk(test):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
            bound = f"{node.slice.id} < len({scope.module.text(node.value)})"
            yield replace(start, end, f"{bound} and {operand}", say("Also require {}", bound), 0.8)


def _conditions(statement: ast.stmt, scope: Scope) -> Iterator[tuple[str, float]]:
    """Yield conditions under which the statement may fail, weighted by what the failures suggest."""
    exceptions = scope.hints.exceptions
    none = scope.hints.mention("NoneType") or "None" in scope.hints.constants
    empty = "IndexError" in exceptions or "ZeroDivisionError" in exceptions or scope.hints.mention("empty")
    for subject in _subjects(statement, scope):
        yield f"{subject} is None", 1.0 if none else 0.3
        yield f"not {subject}", 1.0 if empty else 0.6
        yield f"{subject} == 0", 0.9 if "ZeroDivisionError" in exceptions else 0.3
        yield f"{subject} < 0", 0.9 if scope.hints.raises else 0.2
        yield f"{subject} <= 0", 0.7 if scope.hints.raises else 0.2
    for node in _header(statement):
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice | ast.Constant | ast.UnaryOp):
            key, owner = scope.module.text(node.slice), scope.module.text(node.value)
            yield f"{key} not in {owner}", 1.1 if "KeyError" in exceptions else 0.3
            yield f"{key} >= len({owner})", 0.8 if "IndexError" in exceptions else 0.2
    for constant in scope.module.known_names(scope.hints.names):
        if constant.isupper():
            for subject in _subjects(statement, scope):
                yield f"{subject} == {constant}", 0.9
                yield f"{subject} is {constant}", 0.6
    names = scope.parameters
    for first, second in pairwise(names):
        yield f"{first} > {second}", 0.4 if scope.hints.raises else 0.1
        yield f"{first} < {second}", 0.3 if scope.hints.raises else 0.1
        yield f"{first} == {second}", 0.15


def _actions(condition: str, statement: ast.stmt, scope: Scope) -> Iterator[tuple[str, float]]:
    """Yield what to do if the condition holds, as source text, each with its weight."""
    subject = condition.removeprefix("not ").split(" ")[0]
    for exception in scope.hints.raises:
        message = scope.module.literal(repr(_complaint(condition)))
        yield f"raise {exception}({message})", 1.0
    if scope.in_loop:
        yield "continue", 0.8
    if scope.hints.raises:
        return
    results = _expected_first(("None", "0", "[]", "False", "True", "''", "{}"), scope)
    for position, result in enumerate(results):
        yield f"return {scope.module.literal(result)}", (0.9 - 0.06 * position) * (1.0 if result in _EMPTY else 0.5)
    yield f"return {subject}", 0.9 if condition.rpartition(" ")[2].isupper() else 0.4
    for other in _subjects(statement, scope):
        if other != subject and condition.endswith(("is None", f"not {subject}")):
            yield f"return {other}", 0.7


def _expected_first(usual: tuple[str, ...], scope: Scope) -> list[str]:
    """Return simple values that the tests expect or the function already returns, then the usual ones."""
    returned = [
        ast.unparse(node.value)
        for node in scope.module.descendants(scope.function or scope.statement)
        if isinstance(node, ast.Return) and node.value is not None
    ]
    expected = [text for text in (*scope.hints.expected, *returned) if text in _PLAIN]
    return list(dict.fromkeys((*expected, *usual)))


def _complaint(condition: str) -> str:
    """Return the error message for a condition that is refused."""
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
    """Return local names and attributes that the statement reads, divisors first."""
    subjects: dict[str, None] = {}
    names = set(scope.names())
    nodes = list(_header(statement))
    for node in nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
            subjects |= {inner.id: None for inner in ast.walk(node.right) if isinstance(inner, ast.Name)}
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            subjects[node.id] = None
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            text = ast.unparse(node)
            if isinstance(scope.module.parents.get(node), ast.Call) or text.count(".") > 2 or "(" in text:
                continue
            subjects[text] = None
    return [name for name in subjects if name.split(".")[0] in names and name not in ("self", "cls")][:6]


def _header(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the nodes of a statement without those of inner statements."""
    for child in ast.iter_child_nodes(statement):
        if not isinstance(child, ast.stmt | ast.excepthandler):
            yield from ast.walk(child)


TEMPLATES = [
    Template("guard", 0.42, _STATEMENTS, add_guard),
    Template("guard", 0.5, Function.__args__, skip_dunder_names),
    Template("base_case", 0.45, Function.__args__, add_base_case),
    Template("optional", 0.45, (ast.For, ast.comprehension, ast.BinOp, ast.If, ast.While, ast.IfExp), allow_missing),
]
