"""The examples of a module's docstrings as questions: an example compares text, which can be printed or pretended."""

import ast
import doctest
import hashlib
from collections.abc import Iterator

from whet.phases.validate.integrity.questions import Asked, Case, Expectation

_SAYS = ("print", "pprint")


def take_examples(source: bytes, module: str) -> Asked | None:
    """By the name that pytest gives an example's place; each as a generator that yields a value per question."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    name = module.rpartition(".")[2]
    asked = Asked(imports=f"import importlib\nglobals().update(vars(importlib.import_module({module!r})))")
    mark = hashlib.sha256(source).hexdigest()[:8]
    for place, text in _documents(tree, name):
        if case := _case(text, f"{mark}:{place}"):
            asked.cases[place] = [case]
            asked.cases[f"{module.rpartition('.')[0]}.{place}".lstrip(".")] = [case]
    return asked


def _documents(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, name: str
) -> Iterator[tuple[str, str]]:
    if text := ast.get_docstring(node):
        yield name, text
    for one in node.body:
        if isinstance(one, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _documents(one, f"{name}.{one.name}")


def _case(text: str, place: str) -> Case | None:
    questions: list[Expectation] = []
    body: list[ast.stmt] = []
    try:
        for example in doctest.DocTestParser().get_examples(text):
            if example.exc_msg is None:
                body += _asked(example, f"{place}:{example.lineno}", questions)
    except (SyntaxError, ValueError, RecursionError):
        return None
    if not questions:
        return None
    function = ast.parse("def case():\n    yield")
    function.body[0].body = body  # type: ignore[attr-defined]
    return Case(ast.unparse(ast.fix_missing_locations(function)), questions)


def _asked(example: doctest.Example, key: str, questions: list[Expectation]) -> list[ast.stmt]:
    """The example's statements; where it shows plain data, what it gives is asked for."""
    body = ast.parse(example.source).body
    match body:
        case [ast.Expr(value=value)] if example.want and not _says(value):
            try:
                expected = ast.literal_eval(example.want.strip())
            except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
                return [*body]
            questions.append(Expectation(key, ast.unparse(value), expected))
            return [ast.Expr(ast.Yield(ast.Tuple([ast.Constant(key), value], ast.Load())))]
    return [*body]


def _says(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in _SAYS
