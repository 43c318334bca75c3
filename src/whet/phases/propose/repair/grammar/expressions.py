"""Grow an expression by one operation, or replace it by another of its kind: `x` -> `max(0, x)`, `f(a)` -> `f(a) + g(b)`.

The edits are general, so there are many; each has a small weight, which falls with its size, and the named mistakes in
`templates/` are tried before them.
"""

import ast
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, replace, say
from whet.phases.propose.repair.grammar.kinds import Kind
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template

_NUMERIC = (Kind.NUMBER, Kind.UNKNOWN)
_SEQUENCES = (Kind.LIST, Kind.TEXT)
_FALLBACKS = {Kind.TEXT: ('"0"', '""'), Kind.LIST: ("[]",), Kind.NUMBER: ("1", "0")}
_MOST_ITEMS, _MOST_CONDITIONS = 24, 30
_UPDATES = ("+", "-", "*", "//", "%", "&", "|", "^")
_Grown = Iterator[tuple[str, float]]


def grow(node: ast.expr, scope: Scope) -> Iterator[Edit]:
    """Apply one more operation to an expression, with something in scope as its other operand."""
    if not _is_value(node, scope):
        return
    kind = scope.vocabulary.kinds.of(node)
    start, end = scope.module.span(node)
    text = scope.module.text(node)
    inner = isinstance(scope.module.parents.get(node), ast.BinOp | ast.Compare | ast.UnaryOp | ast.Starred)
    for made, weight in _grown(node, kind, scope):
        if inner and not isinstance(
            ast.parse(f"({made}\n)", mode="eval").body, ast.Name | ast.Call | ast.Subscript | ast.Constant
        ):
            made = f"({made})"
        yield replace(start, end, made, say("Use {} instead of {}", made, text), weight)


def replace_by_like(node: ast.expr, scope: Scope) -> Iterator[Edit]:
    """Replace an expression by another of the function, an item or an attribute, of the same kind."""
    if not _is_value(node, scope) or isinstance(node, ast.Constant):
        return
    kind, text = scope.vocabulary.kinds.of(node), scope.module.text(node)
    start, end = scope.module.span(node)
    for other, other_kind in scope.vocabulary.expressions.items():
        if other != text and (kind is other_kind or Kind.UNKNOWN in (kind, other_kind)):
            yield replace(start, end, other, say("Use {} instead of {}", other, text), 0.6)
    if isinstance(node, ast.Call):
        for call in scope.vocabulary.recursive_calls:
            yield replace(start, end, call, say("Use {} instead of {}", call, text), 0.6)
    if kind in _NUMERIC:
        for item in scope.vocabulary.items[:_MOST_ITEMS]:
            yield replace(start, end, item, say("Use {} instead of {}", item, text), 0.5)
    for name in scope.vocabulary.names:
        if "." in name and name != text:
            yield replace(start, end, name, say("Use {} instead of {}", name, text), 0.7)


def unwrap(node: ast.Tuple | ast.List, scope: Scope) -> Iterator[Edit]:
    """Use the only item of a tuple or list instead of it: `return (x,)` -> `return x`."""
    if len(node.elts) == 1 and isinstance(node.ctx, ast.Load) and not isinstance(node.elts[0], ast.Starred):
        text = scope.module.as_operand(node.elts[0])
        yield replace(*scope.module.span(node), text, say("Use {} instead of {}", text, scope.module.text(node)), 1.0)


def return_condition(node: ast.Return, scope: Scope) -> Iterator[Edit]:
    """Return a condition instead of a truth value: `return True` -> `return depth == 0`."""
    if isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool):
        start, end = scope.module.span(node.value)
        for condition in scope.vocabulary.conditions[:_MOST_CONDITIONS]:
            yield replace(start, end, condition, say("Return {}", condition), 1.0)
            if not condition.startswith("not "):
                yield replace(start, end, f"not ({condition})", say("Return not {}", condition), 0.5)


def add_condition(node: ast.expr, scope: Scope) -> Iterator[Edit]:
    """Combine a condition with another: `if a` -> `if a and b`."""
    parent = scope.module.parents.get(node)
    tested = isinstance(parent, ast.If | ast.While | ast.IfExp) and node is parent.test
    if not tested and not (isinstance(parent, ast.comprehension) and node in parent.ifs):
        return
    start, end = scope.module.span(node)
    text = scope.module.text(node)
    for condition in scope.vocabulary.conditions[:_MOST_CONDITIONS]:
        if condition != text and " or " not in condition and " and " not in condition:
            for word, weight in (("or", 0.7), ("and", 0.7)):
                either = f"({text})" if word == "and" and isinstance(node, ast.BoolOp) else text
                yield replace(start, end, f"{either} {word} {condition}", say(f"Test {word} {{}}", condition), weight)
                before = f"{condition} {word} {either}"
                yield replace(start, end, before, say("Test {} first", condition), weight * 0.9)


def add_argument(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    """Pass one more value to `min` or `max`, a start to `range`, or the parts of a sequence: `zip(rows)` -> `zip(*rows)`."""
    callee, end = ast.unparse(node.func), scope.module.span(node)[1] - 1
    if callee in ("min", "max") and len(node.args) > 1 and not node.keywords:
        for text in [*_variants(node.args, scope), *scope.vocabulary.numbers]:
            yield replace(end, end, f", {text}", say("Consider {} in {}", text, callee), 0.8)
    if callee == "range" and len(node.args) == 1:
        start = scope.module.span(node.args[0])[0]
        for text in ("2", *scope.vocabulary.of(Kind.NUMBER)[:4]):
            yield replace(start, start, f"{text}, ", say("Start the range at {}", text), 1.5)
    for argument in node.args:
        if isinstance(argument, ast.Name | ast.ListComp | ast.Subscript):
            start = scope.module.span(argument)[0]
            text = scope.module.text(argument)
            yield replace(start, start, "*", say("Pass the items of {} to {}", text, callee), 0.6)


def _variants(arguments: list[ast.expr], scope: Scope) -> Iterator[str]:
    """Yield items of the function, with what the arguments add to theirs: `a[j] + 1` -> `b[j - 1] + 1`."""
    ends = {""}
    for argument in arguments:
        if isinstance(argument, ast.BinOp) and isinstance(argument.right, ast.Name | ast.Constant):
            sign = {ast.Add: "+", ast.Sub: "-"}.get(type(argument.op), "")
            ends.add(f" {sign} {scope.module.text(argument.right)}" if sign else "")
    for item in scope.vocabulary.items[:_MOST_ITEMS]:
        yield from (item + end for end in sorted(ends, reverse=True))


def other_update(node: ast.AugAssign, scope: Scope) -> Iterator[Edit]:
    """Update a name by another operation and value: `n >>= 1` -> `n &= n - 1`."""
    start, end = scope.module.span(node)
    target = scope.module.text(node.target)
    signs = _UPDATES if scope.vocabulary.kinds.of(node.target) in _NUMERIC else ("+",)
    for sign in signs:
        for value in (f"{target} - 1", "1", *scope.vocabulary.numbers[:6]):
            made = f"{target} {sign}= {value}"
            if value != target and made != scope.module.text(node):
                yield replace(start, end, made, say("Use {} instead of {}", made, scope.module.text(node)), 0.6)


def _is_value(node: ast.expr, scope: Scope) -> bool:
    """True if the expression is read for its value, and not as a callee, an owner or a target."""
    parent = scope.module.parents.get(node)
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load) or isinstance(node, ast.Slice | ast.Starred):
        return False
    if isinstance(parent, ast.Attribute | ast.FormattedValue | ast.JoinedStr | ast.Expr | ast.Dict):
        return False
    if isinstance(parent, ast.Call) and node is parent.func:
        return False
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int) and not isinstance(node.value, bool)
    return not (isinstance(node, ast.Name) and node.id in ("self", "cls"))


def _grown(node: ast.expr, kind: Kind, scope: Scope) -> _Grown:
    text, operand = scope.module.text(node), scope.module.as_operand(node)
    if kind in _NUMERIC:
        yield from _numbers(node, text, operand, scope)
    if kind in _SEQUENCES or (kind is Kind.UNKNOWN and not isinstance(node, ast.Constant)):
        yield from _sequences(node, operand, kind, scope)
    if isinstance(node, ast.Constant):
        return
    for fallback in _FALLBACKS.get(kind, ("[]", "0")):
        if isinstance(scope.module.parents.get(node), ast.Return | ast.Assign | ast.Call | ast.For):
            yield f"{text} or {scope.module.literal(fallback)}", 0.7
    name = scope.function.name if scope.function is not None else ""
    if scope.vocabulary.recursive_calls or name in scope.hints.names:
        yield f"{name}({text})", 0.6
    if isinstance(node, ast.Name):
        for other in scope.vocabulary.scalars()[:6]:
            if other != text:
                yield f"{text}[{other}]", 0.8 if kind is Kind.MAPPING else 0.4
    if isinstance(scope.module.parents.get(node), ast.Assign | ast.Return) and kind in (Kind.MAPPING, Kind.UNKNOWN):
        yield f"dict({text})", 0.7


def _numbers(node: ast.expr, text: str, operand: str, scope: Scope) -> _Grown:
    """Yield numbers that are made of a number."""
    constant = isinstance(node, ast.Constant)
    likely = isinstance(scope.module.parents.get(node), ast.Return | ast.Assign | ast.AugAssign | ast.Call | ast.Tuple)
    for number in ("1",) if not constant else ():
        yield f"{text} + {number}", 0.9
        yield f"{text} - {number}", 0.9
    for other in scope.vocabulary.numbers[:8]:
        if other != text:
            yield f"{operand} + {other}", 0.8
            yield f"{operand} - {other}", 0.8
            yield f"{other} - {operand}", 0.4
            yield f"{operand} * {other}", 0.4
            yield f"{other} & {operand}", 0.1
            if likely and not constant:
                yield f"max({other}, {text})", 0.7
                yield f"min({other}, {text})", 0.7
    if constant:
        return
    yield f"max(0, {text})", 0.9
    yield f"abs({text})", 0.6
    yield f"{operand} ** 2", 0.6
    yield f"{operand} // 2", 0.4
    yield f"-{operand}", 0.3
    if likely:
        for item in scope.vocabulary.items[:_MOST_ITEMS]:
            yield f"{text} - {item}", 0.45
            yield f"{text} + {item}", 0.45
        for call in scope.vocabulary.recursive_calls:
            yield f"{text} + {call}", 0.6
            yield f"max({text}, {call})", 0.4
        for other, kind in scope.vocabulary.expressions.items():
            if kind in _NUMERIC and other != text:
                yield f"{text} + {other}", 0.4


def _sequences(node: ast.expr, operand: str, kind: Kind, scope: Scope) -> _Grown:
    """Yield lists and texts that are made of a list or a text."""
    vocabulary, text = scope.vocabulary, scope.module.text(node)
    factor = 1.0 if kind is not Kind.UNKNOWN else 0.5
    for position in vocabulary.of(Kind.NUMBER)[:6]:
        yield f"{operand}[{position}:]", 0.8 * factor
        yield f"{operand}[:{position}]", 0.8 * factor
    for bounds in ("1:", ":-1", "::-1", ":"):
        yield f"{operand}[{bounds}]", 0.7 * factor
    if not isinstance(scope.module.parents.get(node), ast.Return | ast.Assign | ast.AugAssign | ast.Call | ast.BinOp):
        return
    for other in [name for name in vocabulary.of(kind) if name != text][:6]:
        yield f"{text} + {other}", 0.7 * factor
        yield f"{other} + {text}", 0.7 * factor
    for other, other_kind in vocabulary.expressions.items():
        if other_kind is kind and other != text and kind is not Kind.UNKNOWN:
            yield f"{text} + {other}", 0.7
            yield f"{other} + {text}", 0.7
    for name in vocabulary.scalars()[:4] if kind is Kind.LIST else ():
        yield f"{text} + [{name}]", 0.6
        yield f"[{name}] + {text}", 0.6
    for call in vocabulary.recursive_calls if kind is Kind.LIST else ():
        yield f"{text} + {call}", 0.5
        yield f"{call} + {text}", 0.4


_VALUES = (
    ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.Subscript, ast.Constant, ast.List, ast.ListComp, ast.BoolOp,
    ast.IfExp,
)  # fmt: skip
_TESTS = (ast.Name, ast.Attribute, ast.Call, ast.Compare, ast.BoolOp, ast.UnaryOp)

TEMPLATES = [
    Template("growth", 0.14, _VALUES, grow),
    Template("exchange", 0.16, _VALUES, replace_by_like),
    Template("growth", 0.3, (ast.Tuple, ast.List), unwrap),
    Template("condition", 0.2, (ast.Return,), return_condition),
    Template("condition", 0.14, _TESTS, add_condition),
    Template("update", 0.15, (ast.AugAssign,), other_update),
    Template("argument", 0.2, (ast.Call,), add_argument),
]
