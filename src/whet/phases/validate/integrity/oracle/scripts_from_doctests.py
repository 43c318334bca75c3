"""Turn the doctests of a module into scripts. A doctest compares text, which a patch can print or fake; a script asks
for the value."""

import ast
import doctest
import hashlib
from collections.abc import Iterator

from whet.phases.validate.integrity.oracle.script import FileScripts, Query, Script

_PRINTING = ("print", "pprint")


def scripts_of_doctests(source: bytes, module: str) -> FileScripts | None:
    """Return a script for each docstring with examples, by the name that pytest gives it; None if it does not parse."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    package, _, name = module.rpartition(".")
    file = FileScripts(imports=f"import importlib\nglobals().update(vars(importlib.import_module({module!r})))")
    file_key = hashlib.sha256(source).hexdigest()[:8]
    for place, docstring in _docstrings(tree, name):
        script = _script(docstring, f"{file_key}:{place}")
        if script:
            # pytest names an example with or without the package, depending on how it imported the module.
            file.scripts[place] = [script]
            file.scripts[f"{package}.{place}".lstrip(".")] = [script]
    return file


def _docstrings(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, name: str
) -> Iterator[tuple[str, str]]:
    """Yield the docstrings of a module, its classes and functions, each with its dotted name."""
    if docstring := ast.get_docstring(node):
        yield name, docstring
    for child in node.body:
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _docstrings(child, f"{name}.{child.name}")


def _script(docstring: str, key: str) -> Script | None:
    queries: list[Query] = []
    body: list[ast.stmt] = []
    try:
        for example in doctest.DocTestParser().get_examples(docstring):
            if example.exc_msg is None:
                body += _statements(example, f"{key}:{example.lineno}", queries)
    except (SyntaxError, ValueError, RecursionError):
        return None
    if not queries:
        return None
    function = ast.parse("def case():\n    yield")
    function.body[0].body = body  # type: ignore[attr-defined]
    return Script(ast.unparse(ast.fix_missing_locations(function)), queries)


def _statements(example: doctest.Example, key: str, queries: list[Query]) -> list[ast.stmt]:
    """Return the statements of an example; if its expected output is a literal, its value is queried."""
    body = ast.parse(example.source).body
    match body:
        case [ast.Expr(value=value)] if example.want and not _prints(value):
            try:
                expected = ast.literal_eval(example.want.strip())
            except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
                return [*body]
            queries.append(Query(key, ast.unparse(value), expected))
            return [ast.Expr(ast.Yield(ast.Tuple([ast.Constant(key), value], ast.Load())))]
    return [*body]


def _prints(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in _PRINTING
