"""The patch must not change the assertion helpers of the project that tests call: they are part of the tests."""

import ast
from collections.abc import Iterable

from whet.domain.verdict import SafeguardResult
from whet.phases.validate.integrity.safeguard import Examination, Safeguard, inconclusive, not_applicable, passed
from whet.phases.validate.integrity.subject import Subject
from whet.phases.validate.integrity.test_ids import functions, split_id

NAME = "assertion helpers"


class AssertionHelpers(Safeguard):
    name = NAME

    def prepare(self, subject: Subject) -> Examination:
        return Examination(lambda _, __: _judge(subject))


def _judge(subject: Subject) -> SafeguardResult:
    git, own_tests = subject.kit.git, subject.trees.own_tests
    texts = git.texts(subject.patch.changes)
    code = {path: both for path, both in texts.items() if path.endswith(".py") and path not in own_tests}
    if not any("assert" in old.lower() for old, _ in code.values()):
        return not_applicable(NAME, "the changed files assert nothing")
    test_files = {split_id(test)[0] for test in subject.reports.base.outcomes} - code.keys()
    tests = git.read_all(subject.trees.patched, test_files).values()
    called = called_names(source.decode(errors="replace") for source in tests)
    for path, (old, new) in code.items():
        if name := changed_helper(old, new, called):
            return inconclusive(NAME, f"{path} changes {name}, an assertion helper that tests call")
    return passed(NAME, "the assertion helpers that tests call are unchanged")


def changed_helper(old: str, new: str, called: frozenset[str]) -> str:
    """Return the name of a helper among those `called` that only asserts and means something else in `new`."""
    old_tree, new_tree = _parse(old), _parse(new)
    old_names, new_names = _top_level(old_tree), _top_level(new_tree)
    new_functions = dict(functions(new_tree, separator="."))
    for name, function in functions(old_tree, separator="."):
        if name.rpartition(".")[2] not in called or not _only_asserts(function.body):
            continue
        if name not in new_functions:
            return name
        if _meaning(function, old_names) != _meaning(new_functions[name], new_names):
            return name
    return ""


def called_names(tests: Iterable[str]) -> frozenset[str]:
    """Return the names of all functions and methods that these files call, whatever object they belong to."""
    names = set()
    for text in tests:
        for node in ast.walk(_parse(text)):
            match node:
                case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
                    names.add(name)
    return frozenset(names)


def _only_asserts(body: list[ast.stmt]) -> bool:
    """True if a function asserts and does nothing else: it returns no value, stores nothing and calls nothing else."""
    asserts = False
    for node in (inner for statement in body for inner in ast.walk(statement)):
        match node:
            case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
                return False
            case ast.Return(value=value) if value is not None:
                return False
            case ast.Yield() | ast.YieldFrom() | ast.Global() | ast.Nonlocal():
                return False
            case ast.Expr(value=ast.Call() as call) if not _called_name(call).startswith("assert"):
                return False
        asserts = asserts or _is_assertion(node)
    return asserts


def _is_assertion(node: ast.AST) -> bool:
    match node:
        case ast.Assert():
            return True
        case ast.Raise(exc=ast.Call(func=ast.Name(id="AssertionError")) | ast.Name(id="AssertionError")):
            return True
    return isinstance(node, ast.Call) and _called_name(node).startswith("assert")


def _called_name(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _meaning(function: ast.AST, top_level: dict[str, list[ast.stmt]]) -> set[str]:
    """Return the code of a function and of everything that it names at the top of its module, transitively."""
    code, waiting = {_dump(function)}, [function]
    while waiting:
        names = {node.id for node in ast.walk(waiting.pop()) if isinstance(node, ast.Name)}
        for statement in [statement for name in names for statement in top_level.get(name, ())]:
            text = _dump(statement)
            if text not in code:
                code.add(text)
                waiting.append(statement)
    return code


def _dump(node: ast.AST) -> str:
    """Return the code of a node without its docstring, which may change."""
    body = getattr(node, "body", None)
    if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        return ast.dump(node).replace(ast.dump(body[0]), "", 1)
    return ast.dump(node)


def _top_level(tree: ast.Module) -> dict[str, list[ast.stmt]]:
    """Return the statements at the top of a module by the names that they bind."""
    statements: dict[str, list[ast.stmt]] = {}
    for statement in tree.body:
        for name in _bound_names(statement):
            statements.setdefault(name, []).append(statement)
    return statements


def _bound_names(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name for alias in statement.names}
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _parse(text: str) -> ast.Module:
    """Parse the text; an empty module if it is not Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module([], [])
