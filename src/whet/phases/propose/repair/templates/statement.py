"""Fix a statement that drops its value or stands in the wrong place: `total = y` -> `total += y`."""

import ast
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, Replacement, Summary, replace, say
from whet.phases.propose.repair.module import Module
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template
from whet.pyast.functions import Function

_LOOPS = (ast.For, ast.While, ast.AsyncFor)
_BLOCKS = (*_LOOPS, ast.If, ast.With, ast.AsyncWith, ast.Try)


def accumulate(node: ast.Assign | ast.AugAssign, scope: Scope) -> Iterator[Edit]:
    """Accumulate instead of assigning, or the other way round: `total = y` -> `total += y`."""
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    start, end = scope.module.span(target)[1], scope.module.span(node.value)[0]
    gap = scope.module.source[start:end]
    if gap.count("=") != 1 or "#" in gap or isinstance(target, ast.Tuple):
        return
    if isinstance(node, ast.AugAssign):
        yield replace(
            start, end, " = ", say("Assign {} {here} instead of accumulating", scope.module.text(target)), 0.7
        )
        return
    for operator, weight in (("+", 1.0), ("-", 0.5), ("*", 0.5), ("|", 0.2), ("/", 0.1)):
        summary = say("Accumulate {} with {}", scope.module.text(target), f"{operator}=")
        yield replace(start, end, gap.replace("=", f"{operator}="), summary, weight)


def keep_extreme(node: ast.Assign, scope: Scope) -> Iterator[Edit]:
    """Keep the largest or smallest value of a loop: `m = x` -> `m = max(m, x)`."""
    if not scope.in_loop or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
        return
    name, value = scope.module.text(node.targets[0]), scope.module.text(node.value)
    for function, extreme in (("max", "largest"), ("min", "smallest")):
        made = f"{function}({name}, {value})"
        yield replace(*scope.module.span(node.value), made, say(f"Keep the {extreme} value as {{}}", name), 0.55)


def collect(node: ast.Assign, scope: Scope) -> Iterator[Edit]:
    """Keep every value of a loop under its key: `d[k] = [x]` -> `d.setdefault(k, []).append(x)`."""
    target = node.targets[0]
    if not isinstance(target, ast.Subscript) or not scope.in_loop:
        return
    owner, key = scope.module.text(target.value), scope.module.text(target.slice)
    if isinstance(node.value, ast.List) and len(node.value.elts) == 1:
        item = scope.module.text(node.value.elts[0])
        made = f"{owner}.setdefault({key}, []).append({item})"
        yield replace(*scope.module.span(node), made, say("Collect all values in {}", owner), 1.2)
    else:
        made = f"{owner}[{key}] = {owner}.get({key}, 0) + {scope.module.text(node.value)}"
        yield replace(*scope.module.span(node), made, say("Add up the values in {}", owner), 0.6)


def return_only_if(node: ast.Return, scope: Scope) -> Iterator[Edit]:
    """Return from a loop only for the decisive result: `return x > 1` -> `if x > 1: return True`."""
    indent = scope.module.indent(node)
    if not scope.in_loop or indent is None or node.value is None or isinstance(node.value, ast.Constant):
        return
    text, newline, inner = scope.module.text(node.value), scope.module.newline, indent + scope.module.indent_unit
    start, end = scope.module.line_start(node.lineno), scope.module.line_end(node.end_lineno or node.lineno)
    for condition, result in (
        (text, "True"),
        (_negation(node.value, scope.module), "False"),
        (text, text),
        (f"({text}) is not None", text),
    ):
        made = f"{indent}if {condition}:{newline}{inner}return {result}{newline}"
        yield replace(start, end, made, say("Return {} {here} only if {}", result, condition), 0.9)


_OPPOSITE = {ast.Lt: ("<", ">="), ast.LtE: ("<=", ">"), ast.Gt: (">", "<="), ast.GtE: (">=", "<")}


def _negation(value: ast.expr, module: Module) -> str:
    """Return the negated expression as somebody would write it: `x > 1` -> `x <= 1`, `not x` -> `x`."""
    match value:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return module.text(operand)
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in _OPPOSITE:
            old, new = _OPPOSITE[type(operator)]
            start, end = module.span(value)
            gap = module.span(left)[1], module.span(right)[0]
            between = module.source[gap[0] : gap[1]].replace(old, new, 1)
            return module.source[start : gap[0]] + between + module.source[gap[1] : end]
    return f"not ({module.text(value)})"


def assign_result(node: ast.Expr, scope: Scope) -> Iterator[Edit]:
    """Assign a result that is dropped: `text.strip()` -> `text = text.strip()`."""
    if not isinstance(node.value, ast.Call):
        return
    start, _ = scope.module.span(node)
    function = node.value.func
    owner = function.value if isinstance(function, ast.Attribute) else next(iter(node.value.args), None)
    if isinstance(owner, ast.Name | ast.Attribute):
        name = scope.module.text(owner)
        call = ast.unparse(function)
        yield replace(start, start, f"{name} = ", say("Assign the result of {} to {}", f"{call}()", name), 0.9)


def use_sorted(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    """Use a function that returns a list: the value of `xs.sort()` is None, that of `sorted(xs)` is not."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in ("sort", "reverse"):
        return
    start, end = scope.module.span(node)
    owner = scope.module.text(node.func.value)
    inner = scope.module.source[scope.module.span(node.func)[1] + 1 : end - 1]
    rest = f", {inner}" if inner.strip() else ""
    made = f"sorted({owner}{rest})" if node.func.attr == "sort" else f"{owner}[::-1]"
    yield replace(start, end, made, say("Use {} instead of {}", made, scope.module.text(node)), 0.9)


def add_return(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """Return a value from a branch or function that ends without returning it."""
    if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Yield | ast.YieldFrom | ast.Constant):
        start, _ = scope.module.span(node)
        yield replace(start, start, "return ", say("Return {}", scope.module.text(node)), 1.0)
    elif isinstance(node, ast.Assign) and _ends_function(node, scope):
        start, value = scope.module.span(node)[0], scope.module.span(node.value)[0]
        yield replace(start, value, "return ", say("Return {}", scope.module.text(node.value)), 0.6)
    elif isinstance(node, ast.Return) and node.value is None:
        end = scope.module.span(node)[1]
        for name in _results(scope):
            yield replace(end, end, f" {name}", say("Return {}", name), 0.8)
    elif isinstance(node, Function) and not isinstance(node.body[-1], ast.Return | ast.Raise):
        indent = scope.module.indent(node.body[-1])
        if indent is not None:
            for name in _results(scope):
                yield _after(node.body[-1], indent, f"return {name}", scope.module, say("Return {}", name))


def other_result(node: ast.Return, scope: Scope) -> Iterator[Edit]:
    """Return a local name instead of the expression."""
    if node.value is None or isinstance(node.value, ast.Name | ast.Constant):
        return
    for name in _results(scope):
        summary = say("Return {} instead of {}", name, scope.module.text(node.value))
        yield replace(*scope.module.span(node.value), name, summary, 0.5)


def move_out(node: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """Move the last statement of a block behind the block, such as a `return` inside a loop."""
    around = scope.module.parents.get(node)
    block = scope.module.parents.get(around) if isinstance(around, ast.ExceptHandler) else around
    if not isinstance(block, _BLOCKS):
        return
    lists = [getattr(around, "body", []), getattr(around, "orelse", [])]
    body = next((body for body in lists if body and body[-1] is node), None)
    inner, outer = scope.module.indent(node), scope.module.indent(block)
    if body is None or inner is None or outer is None or len(body) == 1:
        return
    lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
    if block.end_lineno != node.end_lineno:
        if isinstance(block, ast.If | ast.Try):
            end = block.end_lineno or block.lineno
            yield _move_behind(
                lines, len(inner), outer, end, scope.module, say("Always run {}", scope.module.text(node))
            )
        return
    replacements = tuple(
        Replacement(scope.module.line_start(line), scope.module.line_start(line) + len(inner), outer) for line in lines
    )
    weight = 1.6 if isinstance(node, ast.Return) and isinstance(block, _LOOPS) else 0.5
    yield Edit(replacements, say("Move {} out of its block", scope.module.text(node)), weight)


def _move_behind(lines: range, inner: int, outer: str, last: int, module: Module, summary: Summary) -> Edit:
    """Move lines that are indented by `inner` characters behind line `last`, indented by `outer`."""
    texts = [module.source[module.line_start(line) : module.line_end(line)] for line in lines]
    removal = Replacement(module.line_start(lines[0]), module.line_end(lines[-1]), "")
    end = module.line_end(last)
    before = "" if module.source[:end].endswith(("\n", "\r")) else module.newline
    made = before + "".join(outer + text[inner:] for text in texts)
    return Edit((removal, Replacement(end, end, made)), summary, 0.5)


def move_in(node: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """Move the statement after a block into the block."""
    before = _sibling(node, scope.module, -1)
    indent = scope.module.indent(node)
    if not isinstance(before, (*_LOOPS, ast.If)) or indent is None or before.orelse:
        return
    inner = scope.module.indent(before.body[-1])
    if inner is None:
        return
    lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
    starts = [scope.module.line_start(line) for line in lines]
    replacements = tuple(Replacement(start, start + len(indent), inner) for start in starts)
    yield Edit(replacements, say("Move {} into the block before it", scope.module.text(node)), 0.45)


def swap_lines(node: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """Swap two adjacent one-line statements."""
    after = _sibling(node, scope.module, 1)
    if after is None or after.lineno != node.lineno + 1 or isinstance(after, (*_BLOCKS, Function)):
        return
    if node.end_lineno != node.lineno or after.end_lineno != after.lineno or isinstance(node, _BLOCKS):
        return
    first, second = scope.module.text(node), scope.module.text(after)
    replacements = (Replacement(*scope.module.span(node), second), Replacement(*scope.module.span(after), first))
    yield Edit(replacements, say("Move {} before {}", second, first), 0.6)


def remove_statement(node: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """Remove a statement. Rarely right, so the template's prior is the lowest of all."""
    body = _body(node, scope.module)
    if scope.module.indent(node) is None or body is None or len(body) == 1:
        return
    start = scope.module.line_start(node.lineno)
    end = scope.module.line_end(node.end_lineno or node.lineno)
    yield replace(start, end, "", say("Remove {}", scope.module.text(node)), 0.5)


def other_jump(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """Use another control keyword: `break` -> `continue`, `if` -> `while`, `if` -> `elif`."""
    start, end = scope.module.span(node) if isinstance(node, ast.stmt) else (0, 0)
    if isinstance(node, ast.Break):
        yield replace(start, end, "continue", say("Use continue instead of break"), 1.0)
    elif isinstance(node, ast.Continue):
        yield replace(start, end, "break", say("Use break instead of continue"), 1.0)
    elif isinstance(node, ast.If) and scope.module.source.startswith("if", start):
        yield replace(start, start + 2, "while", say("Use while instead of if"), 0.7)
        before = _sibling(node, scope.module, -1)
        if isinstance(before, ast.If) and not before.orelse and scope.module.indent(node) is not None:
            yield replace(start, start + 2, "elif", say("Use elif instead of if"), 0.7)
    elif isinstance(node, ast.If) and scope.module.source.startswith("elif", start):
        yield replace(start, start + 4, "if", say("Use if instead of elif"), 0.7)
    elif isinstance(node, ast.While):
        yield replace(start, start + 5, "if", say("Use if instead of while"), 0.4)


def other_yield(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """Exchange `yield`, `yield from` and `return`, or add a missing `await`."""
    start, end = scope.module.span(node) if isinstance(node, ast.expr | ast.stmt) else (0, 0)
    if isinstance(node, ast.Yield) and node.value is not None:
        yield replace(start, start + 5, "yield from", say("Yield each item of {}", scope.module.text(node.value)), 0.8)
    elif isinstance(node, ast.YieldFrom):
        yield replace(
            start,
            scope.module.span(node.value)[0],
            "yield ",
            say("Yield {} {here} as one value", scope.module.text(node.value)),
            0.8,
        )
    elif isinstance(node, ast.Return) and node.value is not None:
        if any(isinstance(inner, ast.Yield) for inner in scope.module.descendants(scope.function or node)):
            yield replace(
                start,
                start + 6,
                "yield",
                say("Yield {} {here} instead of returning it", scope.module.text(node.value)),
                0.5,
            )
    elif isinstance(node, ast.Call) and isinstance(scope.function, ast.AsyncFunctionDef):
        awaited = isinstance(scope.module.parents.get(node), ast.Await)
        if not awaited:
            text = scope.module.text(node)
            yield replace(start, end, f"await {text}", say("Await {}", text), 0.8)


def _body(node: ast.stmt, module: Module) -> list[ast.stmt] | None:
    """Return the list of statements that contains this one."""
    parent = module.parents.get(node)
    for name in ("body", "orelse", "finalbody"):
        body = getattr(parent, name, None)
        if isinstance(body, list) and node in body:
            return body
    return None


def _sibling(node: ast.stmt, module: Module, step: int) -> ast.stmt | None:
    body = _body(node, module) or [node]
    position = body.index(node) + step
    return body[position] if 0 <= position < len(body) else None


def _ends_function(node: ast.stmt, scope: Scope) -> bool:
    return scope.function is not None and scope.function.body[-1] is node


def _results(scope: Scope) -> list[str]:
    """Return local names that the function probably returns: the usual ones first, parameters last."""
    usual = ("result", "results", "out", "output", "total", "res", "ret", "answer")
    names = [name for name in scope.names() if name not in ("self", "cls")]
    names.sort(key=lambda name: (name not in usual, name in scope.parameters))
    own = ["self"] if "self" in scope.names() else []
    return [*names[:6], *own]


def _after(statement: ast.stmt, indent: str, text: str, module: Module, summary: Summary) -> Edit:
    end = module.line_end(statement.end_lineno or statement.lineno)
    before = "" if module.source[:end].endswith(("\n", "\r")) else module.newline
    return replace(end, end, f"{before}{indent}{text}{module.newline}", summary, 0.8)


_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)

TEMPLATES = [
    Template("assignment", 0.65, (ast.Assign, ast.AugAssign), accumulate),
    Template("assignment", 0.5, (ast.Assign,), keep_extreme),
    Template("assignment", 0.6, (ast.Assign,), collect),
    Template("assignment", 0.6, (ast.Expr,), assign_result),
    Template("result", 0.5, (ast.Return,), return_only_if),
    Template("in_place", 0.6, (ast.Call,), use_sorted),
    Template("missing_return", 0.5, (ast.Expr, ast.Assign, ast.Return, *Function.__args__), add_return),
    Template("result", 0.4, (ast.Return,), other_result),
    Template("movement", 0.55, _SIMPLE, move_out),
    Template("movement", 0.45, _SIMPLE, move_in),
    Template("movement", 0.35, _SIMPLE, swap_lines),
    Template("removal", 0.15, (*_SIMPLE, ast.If, ast.Break, ast.Continue), remove_statement),
    Template("jump", 0.5, (ast.Break, ast.Continue, ast.If, ast.While), other_jump),
    Template("yield", 0.4, (ast.Yield, ast.YieldFrom, ast.Return, ast.Call), other_yield),
]
