"""A function of the project that does nothing but assert, and that tests call, judges with them; one that a patch alters
does not judge the patch any more."""

import ast
from collections.abc import Iterable

from whet.phases.validate.integrity.test_ids import functions

NAME = "assertions of the project"


def altered(old: str, new: str, called: frozenset[str]) -> str:
    """The name of such a function of `old`, among those that are `called`, that means something else in `new`."""
    before, now = _parsed(old), _parsed(new)
    held, there = _top(before), _top(now)
    after = dict(functions(now, between="."))
    for name, function in functions(before, between="."):
        judging = name.rpartition(".")[2] in called and _only_asserts(function.body)
        if judging and (name not in after or _meaning(function, held) != _meaning(after[name], there)):
            return name
    return ""


def called_in(tests: Iterable[str]) -> frozenset[str]:
    """The names that these files call, whatever they are called on."""
    calls = [node.func for text in tests for node in ast.walk(_parsed(text)) if isinstance(node, ast.Call)]
    named = [one.attr for one in calls if isinstance(one, ast.Attribute)]
    return frozenset([*named, *(one.id for one in calls if isinstance(one, ast.Name))])


def _only_asserts(body: list[ast.stmt]) -> bool:
    """It raises where something is not so, and is good for nothing else: it returns, keeps and starts nothing."""
    inner = [node for statement in body for node in ast.walk(statement)]
    keeps = any(
        isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del) for node in inner
    )
    gives = any(isinstance(node, ast.Return) and node.value is not None for node in inner)
    waits = any(isinstance(node, ast.Yield | ast.YieldFrom | ast.Global | ast.Nonlocal) for node in inner)
    starts = any(isinstance(node, ast.Expr) and _is_call_of_more(node.value) for node in inner)
    return any(map(_asserts, inner)) and not (keeps or gives or waits or starts)


def _asserts(node: ast.AST) -> bool:
    match node:
        case ast.Assert():
            return True
        case ast.Raise(exc=ast.Call(func=ast.Name(id="AssertionError")) | ast.Name(id="AssertionError")):
            return True
    return isinstance(node, ast.Call) and _last_name(node).startswith("assert")


def _is_call_of_more(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and not _last_name(value).startswith("assert")


def _last_name(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _meaning(function: ast.AST, top: dict[str, list[ast.stmt]]) -> set[str]:
    """Its text, and that of whatever it names at the top of its module, and so on."""
    seen, waiting = {_told(function)}, [function]
    while waiting:
        named = {node.id for node in ast.walk(waiting.pop()) if isinstance(node, ast.Name)}
        for statement in (one for name in named for one in top.get(name, ())):
            if (text := _told(statement)) not in seen:
                seen.add(text)
                waiting.append(statement)
    return seen


def _told(node: ast.AST) -> str:
    """Without its docstring, which asserts nothing."""
    body = getattr(node, "body", None)
    if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        return ast.dump(node).replace(ast.dump(body[0]), "", 1)
    return ast.dump(node)


def _top(tree: ast.Module) -> dict[str, list[ast.stmt]]:
    """The statements at the top of a module by the names that they set."""
    found: dict[str, list[ast.stmt]] = {}
    for statement in tree.body:
        for name in _set_by(statement):
            found.setdefault(name, []).append(statement)
    return found


def _set_by(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name for alias in statement.names}
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _parsed(text: str) -> ast.Module:
    """Empty where it is not Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module([], [])
