"""Places of a function whose value may be what is wrong: conditions, results, assigned values, and guards to insert."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from whet.domain.place import Place
from whet.phases.propose.repair.candidate import Edit, Replacement, Summary, replace, say
from whet.phases.propose.repair.hints import Hints
from whet.phases.propose.repair.module import Module
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.suspects import own_nodes, suspects
from whet.pyast.bindings import first_bound_lines
from whet.pyast.functions import Function

_PLAIN = ("None", "True", "False", "0", "1", "-1", "[]", "''", "{}", "()", "set()")
_UNSAFE = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)  # they mean something else inside a lambda
_MOST_NAMES = 4
_OTHER = say("Use {} instead of {}")
_SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Raise, ast.Return)


class HoleRole(StrEnum):
    """What stands in a hole."""

    CONDITION = "condition"
    VALUE = "value"
    NEW_CONDITION = "new condition"


@dataclass(frozen=True, eq=False)
class Hole:
    """A hole in a file. `before` and `after` are what an edit puts around the expression in the hole.

    `original` is the expression that is there; for a new condition it is the constant that changes nothing.
    """

    role: HoleRole
    start: int
    end: int
    original: str
    scope: Scope
    suspicion: float
    before: str = ""
    after: str = ""
    summary: Summary = _OTHER

    def edit(self, expression: str) -> Edit:
        parts = (expression, self.original) if self.role is not HoleRole.NEW_CONDITION else (expression,)
        summary = Summary(self.summary.form, (*self.summary.parts, *parts))
        return replace(self.start, self.end, f"{self.before}{expression}{self.after}", summary)

    @property
    def line(self) -> int:
        return self.scope.statement.lineno


def holes(source: str, places: Sequence[Place], hints: Hints) -> list[Hole]:
    """Return the holes at the suspicious places of a file, the most suspicious first."""
    module = Module(source)
    bound: dict[Function, dict[str, int]] = {}
    found: list[Hole] = []
    for statement, suspicion in suspects(module, places):
        function = module.function_of(statement)
        if function is None or isinstance(statement, Function):
            continue
        names = bound.setdefault(function, first_bound_lines(function))
        scope = Scope(module, function, statement, hints, names)
        found += _own_holes(scope, suspicion)
        found += _new_conditions(scope, suspicion)
    return sorted(found, key=lambda hole: -hole.suspicion)


def _own_holes(scope: Scope, suspicion: float) -> Iterator[Hole]:
    for node in own_nodes(scope.statement, scope.module):
        for role, expression in _expressions(node):
            if not any(isinstance(inner, _UNSAFE) for inner in ast.walk(expression)):
                start, end = scope.module.span(expression)
                yield Hole(role, start, end, scope.module.text(expression), scope, suspicion)


def _expressions(node: ast.AST) -> Iterator[tuple[HoleRole, ast.expr]]:
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield HoleRole.CONDITION, test
        case ast.comprehension(ifs=tests):
            yield from ((HoleRole.CONDITION, test) for test in tests)
        case ast.Return(value=ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()) as value):
            yield HoleRole.CONDITION, value
        case ast.Return(value=ast.expr() as value) | ast.Assign(value=value) | ast.AugAssign(value=value):
            yield HoleRole.VALUE, value
        case ast.Call(args=args):
            yield from ((HoleRole.VALUE, argument) for argument in args if not isinstance(argument, ast.Starred))


def _new_conditions(scope: Scope, suspicion: float) -> Iterator[Hole]:
    """Yield guards: a way to leave before the statement, and a condition around it."""
    node, module = scope.statement, scope.module
    indent = module.indent(node)
    if indent is None or not isinstance(node, (*_SIMPLE, ast.For, ast.While, ast.If)):
        return
    start, newline, inner = module.line_start(node.lineno), module.newline, indent + module.indent_unit
    for action in _actions(scope):
        verb, _, rest = action.partition(" ")
        summary = say(f"{verb.capitalize()} {{}} if {{}}", rest) if rest else say(f"{verb.capitalize()} if {{}}")
        after = f":{newline}{inner}{action}{newline}"
        yield Hole(
            HoleRole.NEW_CONDITION, start, start, "False", scope, suspicion * 0.9, f"{indent}if ", after, summary
        )  # fmt: skip
    if isinstance(node, _SIMPLE) and not isinstance(node, ast.Return) and node.end_lineno == node.lineno:
        begin, end = module.span(node)
        after = f":{newline}{inner}{module.text(node)}"
        yield Hole(
            HoleRole.NEW_CONDITION, begin, end, "True", scope, suspicion * 0.8, "if ", after,
            say("Run {} only if {}", module.text(node)),
        )  # fmt: skip


def _actions(scope: Scope) -> list[str]:
    expected = [scope.module.literal(text) for text in scope.hints.expected if text in _PLAIN]
    wanted = [f"return {value}" for value in dict.fromkeys(expected)]
    wanted += [f"return {name}" for name in scope.vocabulary.names[:_MOST_NAMES]]
    if scope.in_loop:
        wanted += ["continue", "break"]
    return wanted


def applied(source: str, edit: Edit) -> str:
    replacement: Replacement = edit.replacements[0]
    return source[: replacement.start] + replacement.text + source[replacement.end :]
