"""Insert or move whole statements: `a = b`, `found.append(x)`, a guard with an existing condition, a line like its sibling."""

import ast
from collections.abc import Iterator
from itertools import pairwise, permutations

from whet.phases.propose.repair.candidate import Edit, Replacement, Summary, replace, say
from whet.phases.propose.repair.grammar.kinds import Kind
from whet.phases.propose.repair.module import Module
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template

_MOST_CONDITIONS, _MOST_RESULTS, _MOST_LINES = 16, 6, 40
_PLAIN = ("None", "True", "False", "0", "1", "-1", "[]", "''", "{}")  # other expected values only fit the tests
_BLOCKS = (ast.For, ast.While, ast.If, ast.With, ast.Try)
_SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr)
_STATEMENTS = (*_SIMPLE, ast.AnnAssign, ast.Return, *_BLOCKS)


def insert_line(node: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """Insert an assignment, a call of a method, or a line that is like another one, after a statement."""
    indent = scope.module.indent(node)
    if scope.function is None or indent is None or isinstance(node, ast.Return):
        return
    end = scope.module.line_end(node.end_lineno or node.lineno)
    before = "" if scope.module.source[:end].endswith(("\n", "\r")) else scope.module.newline
    for line, weight in _lines(node, scope):
        text = f"{before}{indent}{line}{scope.module.newline}"
        yield replace(end, end, text, say("Add {}", line), weight)


def insert_guard(node: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """Leave the function, or the iteration, under a condition: before a statement or after it."""
    indent = scope.module.indent(node)
    if scope.function is None or indent is None:
        return
    start, end = scope.module.line_start(node.lineno), scope.module.line_end(node.end_lineno or node.lineno)
    at_end = isinstance(node, ast.Return) or not scope.module.source[:end].endswith("\n")
    inner, newline = indent + scope.module.indent_unit, scope.module.newline
    for condition in scope.vocabulary.conditions[:_MOST_CONDITIONS]:
        for action, weight in _actions(scope):
            text = f"{indent}if {condition}:{newline}{inner}{action}{newline}"
            yield replace(start, start, text, _summary(action, condition), weight * 0.7)
            if not at_end:
                yield replace(end, end, text, _summary(action, condition), weight)


def swap_blocks(node: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """Exchange two neighbouring statements of which one is a block."""
    body = _body_of(node, scope.module)
    for first, second in pairwise(body):
        if (first is node and isinstance(first, _BLOCKS)) or (second is node and isinstance(second, _BLOCKS)):
            spans = [_lines_of(statement, scope.module) for statement in (first, second)]
            texts = [scope.module.source[begin:end] for begin, end in spans]
            if scope.module.indent(first) is not None and all(text.endswith("\n") for text in texts):
                swapped = tuple(Replacement(*span, text) for span, text in zip(spans, texts[::-1], strict=True))
                heads = [texts[index].strip().splitlines()[0] for index in (1, 0)]
                yield Edit(swapped, say("Move {} before {}", *heads), 0.8)


def continue_chain(node: ast.If, scope: Scope) -> Iterator[Edit]:
    """Join an `if` to the chain of conditions before it: `if b:` -> `elif b:`."""
    body = _body_of(node, scope.module)
    before = next((first for first, second in pairwise(body) if second is node), None)
    last = before
    while isinstance(last, ast.If) and len(last.orelse) == 1 and isinstance(last.orelse[0], ast.If):
        last = last.orelse[0]
    if isinstance(last, ast.If) and not last.orelse and scope.module.indent(node) is not None:
        start = scope.module.span(node)[0]
        yield replace(start, start, "el", say("Use elif instead of if"), 1.2)


def keep_result(node: ast.Expr, scope: Scope) -> Iterator[Edit]:
    """Pass a value that is computed and dropped to a method, or store it: `f(x)` -> `found.append(f(x))`."""
    if isinstance(node.value, ast.Constant | ast.Yield | ast.YieldFrom | ast.Await):
        return
    text = scope.module.text(node.value)
    start, end = scope.module.span(node.value)
    for owner, method in scope.vocabulary.receivers():
        if not text.startswith(f"{owner}."):
            made = f"{owner}.{method}({text})"
            yield replace(start, end, made, say("Pass {} to {}", text, f"{owner}.{method}"), 1.0)
    for name in scope.vocabulary.names[:6]:
        yield replace(start, end, f"{name} = {text}", say("Assign {} to {}", text, name), 0.5)


def _lines(node: ast.stmt, scope: Scope) -> Iterator[tuple[str, float]]:
    """Yield lines to insert, each with its weight."""
    vocabulary, made = scope.vocabulary, dict[str, float]()
    for line in _siblings(node, scope):
        made[line] = 1.0
    for owner, method in vocabulary.receivers():
        arguments = [name for name in vocabulary.scalars() if name != owner][:4]
        for argument in ("", *arguments):
            made.setdefault(f"{owner}.{method}({argument})", 0.6)
    assigned = _assigned(scope)
    for first, second in permutations(vocabulary.names[:7], 2):
        kinds = {vocabulary.by_name[first], vocabulary.by_name[second], Kind.UNKNOWN}
        if first in assigned and len(kinds) <= 2:
            made.setdefault(f"{first} = {second}", 0.6)
    for name in [name for name in vocabulary.of(Kind.NUMBER) if name in assigned][:4]:
        made.setdefault(f"{name} += 1", 0.5)
        made.setdefault(f"{name} -= 1", 0.4)
        for other in vocabulary.of(Kind.NUMBER)[:3]:
            made.setdefault(f"{name} += {other}", 0.3)
    yield from list(made.items())[:_MOST_LINES]


def _siblings(node: ast.stmt, scope: Scope) -> Iterator[str]:
    """Yield this one-line statement with other names: `merged.extend(left[i:])` -> `merged.extend(right[j:])`.

    Names change one at a time, then in pairs that change together elsewhere in the function.
    """
    if not isinstance(node, _SIMPLE) or node.end_lineno != node.lineno:
        return
    text = scope.module.text(node)
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    kinds = scope.vocabulary.by_name
    known = [name for name in kinds if "." not in name]
    changes = [
        (old, new) for old in known if old in names for new in known if new not in names and kinds[old] is kinds[new]
    ]
    for change in changes:
        yield _renamed(text, node, [change], scope.module)
    for first, second in permutations(changes, 2):
        if first[0] < second[0] and first[1] != second[1]:
            yield _renamed(text, node, [first, second], scope.module)


def _renamed(text: str, node: ast.stmt, changes: list[tuple[str, str]], module: Module) -> str:
    new, begin = dict(changes), module.span(node)[0]
    names = [inner for inner in ast.walk(node) if isinstance(inner, ast.Name) and inner.id in new]
    for name in sorted(names, key=lambda name: -module.span(name)[0]):
        start, end = module.span(name)
        text = text[: start - begin] + new[name.id] + text[end - begin :]
    return text


def _assigned(scope: Scope) -> set[str]:
    """Return the names that the function assigns."""
    nodes = scope.module.descendants(scope.function or scope.statement)
    return {ast.unparse(node) for node in nodes if isinstance(getattr(node, "ctx", None), ast.Store)}


def _actions(scope: Scope) -> Iterator[tuple[str, float]]:
    nodes = scope.module.descendants(scope.function or scope.statement)
    own = [scope.module.text(node) for node in nodes if isinstance(node, ast.Return)]
    expected = [f"return {scope.module.literal(text)}" for text in scope.hints.expected if text in _PLAIN]
    usual = ["return False", "return None", "return 0", "return []"]
    for action in list(dict.fromkeys([*own, *expected[:3], *usual]))[:_MOST_RESULTS]:
        yield action, 0.7
    if scope.in_loop:
        yield "continue", 0.7
        yield "break", 0.7


def _summary(action: str, condition: str) -> Summary:
    verb, _, rest = action.partition(" ")
    if rest:
        return say(f"{verb.capitalize()} {{}} if {{}}", rest, condition)
    return say(f"{verb.capitalize()} if {{}}", condition)


def _body_of(node: ast.stmt, module: Module) -> list[ast.stmt]:
    parent = module.parents.get(node)
    bodies = [getattr(parent, name, None) for name in ("body", "orelse", "finalbody")]
    return next((body for body in bodies if isinstance(body, list) and node in body), [node])


def _lines_of(node: ast.stmt, module: Module) -> tuple[int, int]:
    return module.line_start(node.lineno), module.line_end(node.end_lineno or node.lineno)


TEMPLATES = [
    Template("line", 0.12, _STATEMENTS, insert_line),
    Template("leaving", 0.09, _STATEMENTS, insert_guard),
    Template("movement", 0.25, _STATEMENTS, swap_blocks),
    Template("jump", 0.4, (ast.If,), continue_chain),
    Template("dropped_value", 0.3, (ast.Expr,), keep_result),
]
