"""Catch an exception that nobody expected: `next(a)` -> `try: next(a)` with `except StopIteration: return None`."""

import ast
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, Summary, replace, say
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template

_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
_NEVER_CAUGHT = (
    "AssertionError",
    "Failed",
    "SystemExit",
    "KeyboardInterrupt",
    "NameError",
    "SyntaxError",
    "ImportError",
)


def catch_exception(node: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """Wrap a statement in `try`, for the exceptions that the failing tests ended with."""
    module = scope.module
    indent = module.indent(node)
    names = [name for name in scope.hints.exceptions if name.isidentifier() and name not in _NEVER_CAUGHT]
    if scope.function is None or indent is None or not names or "\n" in module.text(node):
        return
    start = module.line_start(node.lineno)
    end = module.line_end(node.end_lineno or node.lineno)
    line, newline, inner = module.text(node), module.newline, indent + module.indent_unit
    for name in names[:2]:
        for action, weight in _actions(node, scope):
            text = f"{indent}try:{newline}{inner}{line}{newline}{indent}except {name}:{newline}{inner}{action}{newline}"
            yield replace(start, end, text, _summary(name, action), weight)


def _summary(exception: str, action: str) -> Summary:
    if action == "pass":
        return say("Ignore {}", exception)
    verb, _, rest = action.partition(" ")
    if verb not in ("return", "raise", "continue", "break"):
        return say("Catch {} {here} and set {}", exception, action)
    if not rest:
        return say(f"Catch {{}} {{here}} and {verb}", exception)
    return say(f"Catch {{}} {{here}} and {verb} {{}}", exception, rest)


def _actions(node: ast.stmt, scope: Scope) -> Iterator[tuple[str, float]]:
    """Yield what the handler may do, as source text, each with its weight."""
    generator = any(
        isinstance(inner, ast.Yield | ast.YieldFrom) for inner in scope.module.descendants(scope.function or node)
    )
    if scope.in_loop:
        yield "continue", 0.9
        yield "break", 0.4
    if generator:
        yield "return", 0.9
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        name = node.targets[0].id
        for value, weight in (("None", 0.6), ("[]", 0.4), ("0", 0.3), ('""', 0.3)):
            yield f"{name} = {value}", weight
    if not generator:
        for value, weight in (("None", 0.6), ("False", 0.5), ("[]", 0.45), ("iter([])", 0.4), ("{}", 0.3), ("0", 0.3)):
            yield f"return {value}", weight
        for name in scope.parameters[:2]:
            yield f"return {name}", 0.5
    if isinstance(node, ast.Expr | ast.AugAssign):
        yield "pass", 0.5
    for exception in scope.hints.raises:
        yield f"raise {exception}", 0.5


TEMPLATES = [Template("attempt", 0.4, _SIMPLE, catch_exception)]
