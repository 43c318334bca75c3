"""Statements that do the wrong thing with their value, or stand in the wrong place."""

import ast
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Change, Edit, replace
from whet.phases.propose.repair.module import Function, Module, Scope
from whet.phases.propose.repair.templates.template import Template

_LOOPS = (ast.For, ast.While, ast.AsyncFor)
_BLOCKS = (*_LOOPS, ast.If, ast.With, ast.AsyncWith, ast.Try)


def accumulation(node: ast.Assign | ast.AugAssign, scope: Scope) -> Iterator[Edit]:
    """`=` for `+=` and back."""
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    start, end = scope.module.span(target)[1], scope.module.span(node.value)[0]
    gap = scope.module.source[start:end]
    if gap.count("=") != 1 or "#" in gap or isinstance(target, ast.Tuple):
        return
    if isinstance(node, ast.AugAssign):
        yield replace(start, end, " = ", "assigned, not accumulated", 0.7)
        return
    for operator, weight in (("+", 1.0), ("-", 0.5), ("*", 0.5), ("|", 0.2), ("/", 0.1)):
        yield replace(start, end, gap.replace("=", f"{operator}="), f"accumulated with `{operator}=`", weight)


def extreme(node: ast.Assign, scope: Scope) -> Iterator[Edit]:
    """The latest value where the largest or smallest so far was meant."""
    if not scope.in_loop or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
        return
    name, value = scope.module.text(node.targets[0]), scope.module.text(node.value)
    for better in ("max", "min"):
        made = f"{better}({name}, {value})"
        yield replace(*scope.module.span(node.value), made, f"the {better} so far", 0.55)


def gathered(node: ast.Assign, scope: Scope) -> Iterator[Edit]:
    """`d[k] = [x]` or `d[k] = x` in a loop, where all of them were to be kept."""
    target = node.targets[0]
    if not isinstance(target, ast.Subscript) or not scope.in_loop:
        return
    owner, key = scope.module.text(target.value), scope.module.text(target.slice)
    if isinstance(node.value, ast.List) and len(node.value.elts) == 1:
        item = scope.module.text(node.value.elts[0])
        made = f"{owner}.setdefault({key}, []).append({item})"
        yield replace(*scope.module.span(node), made, f"all are kept in `{owner}`", 1.2)
    else:
        made = f"{owner}[{key}] = {owner}.get({key}, 0) + {scope.module.text(node.value)}"
        yield replace(*scope.module.span(node), made, f"added up in `{owner}`", 0.6)


def only_if(node: ast.Return, scope: Scope) -> Iterator[Edit]:
    """A `return` in a loop that decides too early: only one of the two answers is final there."""
    indent = scope.module.indent(node)
    if not scope.in_loop or indent is None or node.value is None or isinstance(node.value, ast.Constant):
        return
    text, newline, inner = scope.module.text(node.value), scope.module.newline, indent + scope.module.step
    start, end = scope.module.line_start(node.lineno), scope.module.line_end(node.end_lineno or node.lineno)
    for condition, answer in (
        (text, "True"),
        (f"not ({text})", "False"),
        (text, text),
        (f"({text}) is not None", text),
    ):
        made = f"{indent}if {condition}:{newline}{inner}return {answer}{newline}"
        yield replace(start, end, made, f"`return {answer}` only if it is so", 0.9)


def kept(node: ast.Expr, scope: Scope) -> Iterator[Edit]:
    """A value that is worked out and dropped: `text.strip()` alone on its line."""
    if not isinstance(node.value, ast.Call):
        return
    start, _ = scope.module.span(node)
    function = node.value.func
    owner = function.value if isinstance(function, ast.Attribute) else next(iter(node.value.args), None)
    if isinstance(owner, ast.Name | ast.Attribute):
        name = scope.module.text(owner)
        yield replace(start, start, f"{name} = ", f"the result is kept in `{name}`", 0.9)


def in_place(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    """`xs.sort()` used for its value, which is None."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in ("sort", "reverse"):
        return
    start, end = scope.module.span(node)
    owner = scope.module.text(node.func.value)
    inner = scope.module.source[scope.module.span(node.func)[1] + 1 : end - 1]
    rest = f", {inner}" if inner.strip() else ""
    made = f"sorted({owner}{rest})" if node.func.attr == "sort" else f"{owner}[::-1]"
    yield replace(start, end, made, f"a new list instead of `{owner}` in place", 0.9)


def missing_return(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """A branch or function that ends without handing its value back."""
    if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Yield | ast.YieldFrom | ast.Constant):
        start, _ = scope.module.span(node)
        yield replace(start, start, "return ", "the value is returned", 1.0)
    elif isinstance(node, ast.Assign) and _ends_function(node, scope):
        start, value = scope.module.span(node)[0], scope.module.span(node.value)[0]
        yield replace(start, value, "return ", "the value is returned", 0.6)
    elif isinstance(node, ast.Return) and node.value is None:
        end = scope.module.span(node)[1]
        for name in _results(scope):
            yield replace(end, end, f" {name}", f"`{name}` is returned", 0.8)
    elif isinstance(node, Function) and not isinstance(node.body[-1], ast.Return | ast.Raise):
        indent = scope.module.indent(node.body[-1])
        if indent is not None:
            for name in _results(scope):
                yield _after(node.body[-1], indent, f"return {name}", scope.module, f"`{name}` is returned")


def other_result(node: ast.Return, scope: Scope) -> Iterator[Edit]:
    """Another name of the function was to be returned."""
    if node.value is None or isinstance(node.value, ast.Name | ast.Constant):
        return
    for name in _results(scope):
        yield replace(*scope.module.span(node.value), name, f"`{name}` is returned", 0.5)


def left_early(node: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """The last statement of a block belongs after the block: a `return` inside the loop, most of all."""
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
            yield _moved(lines, len(inner), outer, block.end_lineno or block.lineno, scope.module)
        return
    changes = tuple(
        Change(scope.module.line_start(line), scope.module.line_start(line) + len(inner), outer) for line in lines
    )
    weight = 1.6 if isinstance(node, ast.Return) and isinstance(block, _LOOPS) else 0.5
    yield Edit(changes, "moved out of the block", weight)


def _moved(lines: range, inner: int, outer: str, last: int, module: Module) -> Edit:
    """The lines stand after all branches."""
    texts = [module.source[module.line_start(line) : module.line_end(line)] for line in lines]
    gone = Change(module.line_start(lines[0]), module.line_end(lines[-1]), "")
    end = module.line_end(last)
    before = "" if module.source[:end].endswith(("\n", "\r")) else module.newline
    made = before + "".join(outer + text[inner:] for text in texts)
    return Edit((gone, Change(end, end, made)), "done in every case", 0.5)


def drawn_in(node: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """A statement right after a block belongs inside it."""
    before = _sibling(node, scope.module, -1)
    indent = scope.module.indent(node)
    if not isinstance(before, (*_LOOPS, ast.If)) or indent is None or before.orelse:
        return
    inner = scope.module.indent(before.body[-1])
    if inner is None:
        return
    lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
    starts = [scope.module.line_start(line) for line in lines]
    changes = tuple(Change(start, start + len(indent), inner) for start in starts)
    yield Edit(changes, "moved into the block", 0.45)


def swapped_lines(node: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """Two neighbouring one-line statements in the wrong order."""
    after = _sibling(node, scope.module, 1)
    if after is None or after.lineno != node.lineno + 1 or isinstance(after, (*_BLOCKS, Function)):
        return
    if node.end_lineno != node.lineno or after.end_lineno != after.lineno or isinstance(node, _BLOCKS):
        return
    first, second = scope.module.text(node), scope.module.text(after)
    changes = (Change(*scope.module.span(node), second), Change(*scope.module.span(after), first))
    yield Edit(changes, "the two lines change places", 0.6)


def removed(node: ast.stmt, scope: Scope) -> Iterator[Edit]:
    """A statement too many. Rarely right, and never shown before a rival that keeps everything."""
    body = _body(node, scope.module)
    if scope.module.indent(node) is None or body is None or len(body) == 1:
        return
    start = scope.module.line_start(node.lineno)
    end = scope.module.line_end(node.end_lineno or node.lineno)
    yield replace(start, end, "", "the statement is dropped", 0.5)


def jump(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    start, end = scope.module.span(node) if isinstance(node, ast.stmt) else (0, 0)
    if isinstance(node, ast.Break):
        yield replace(start, end, "continue", "`break` becomes `continue`", 1.0)
    elif isinstance(node, ast.Continue):
        yield replace(start, end, "break", "`continue` becomes `break`", 1.0)
    elif isinstance(node, ast.If) and scope.module.source.startswith("if", start):
        yield replace(start, start + 2, "while", "`if` becomes `while`", 0.7)
        before = _sibling(node, scope.module, -1)
        if isinstance(before, ast.If) and not before.orelse and scope.module.indent(node) is not None:
            yield replace(start, start + 2, "elif", "`if` becomes `elif`", 0.7)
    elif isinstance(node, ast.If) and scope.module.source.startswith("elif", start):
        yield replace(start, start + 4, "if", "`elif` becomes `if`", 0.7)
    elif isinstance(node, ast.While):
        yield replace(start, start + 5, "if", "`while` becomes `if`", 0.4)


def yielded(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    start, end = scope.module.span(node) if isinstance(node, ast.expr | ast.stmt) else (0, 0)
    if isinstance(node, ast.Yield) and node.value is not None:
        yield replace(start, start + 5, "yield from", "each item is yielded", 0.8)
    elif isinstance(node, ast.YieldFrom):
        yield replace(start, scope.module.span(node.value)[0], "yield ", "yielded as one", 0.8)
    elif isinstance(node, ast.Return) and node.value is not None:
        if any(isinstance(inner, ast.Yield) for inner in scope.module.inside(scope.function or node)):
            yield replace(start, start + 6, "yield", "yielded, not returned", 0.5)
    elif isinstance(node, ast.Call) and isinstance(scope.function, ast.AsyncFunctionDef):
        awaited = isinstance(scope.module.parents.get(node), ast.Await)
        if not awaited:
            yield replace(start, end, f"await {scope.module.text(node)}", "awaited", 0.8)


def _body(node: ast.stmt, module: Module) -> list[ast.stmt] | None:
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
    """Local names a function is likely to return: the usual ones first, parameters last."""
    usual = ("result", "results", "out", "output", "total", "res", "ret", "answer")
    names = [name for name in scope.names() if name not in ("self", "cls")]
    names.sort(key=lambda name: (name not in usual, name in scope.parameters))
    own = ["self"] if "self" in scope.names() else []
    return [*names[:6], *own]


def _after(statement: ast.stmt, indent: str, text: str, module: Module, description: str) -> Edit:
    end = module.line_end(statement.end_lineno or statement.lineno)
    before = "" if module.source[:end].endswith(("\n", "\r")) else module.newline
    return replace(end, end, f"{before}{indent}{text}{module.newline}", description, 0.8)


_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)

TEMPLATES = [
    Template("assignment", 0.65, (ast.Assign, ast.AugAssign), accumulation),
    Template("assignment", 0.5, (ast.Assign,), extreme),
    Template("assignment", 0.6, (ast.Assign,), gathered),
    Template("assignment", 0.6, (ast.Expr,), kept),
    Template("result", 0.5, (ast.Return,), only_if),
    Template("in_place", 0.6, (ast.Call,), in_place),
    Template("missing_return", 0.5, (ast.Expr, ast.Assign, ast.Return, *Function.__args__), missing_return),
    Template("result", 0.4, (ast.Return,), other_result),
    Template("movement", 0.55, _SIMPLE, left_early),
    Template("movement", 0.45, _SIMPLE, drawn_in),
    Template("movement", 0.35, _SIMPLE, swapped_lines),
    Template("removal", 0.15, (*_SIMPLE, ast.If, ast.Break, ast.Continue), removed),
    Template("jump", 0.5, (ast.Break, ast.Continue, ast.If, ast.While), jump),
    Template("yield", 0.4, (ast.Yield, ast.YieldFrom, ast.Return, ast.Call), yielded),
]
