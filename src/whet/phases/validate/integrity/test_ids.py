"""A test's id, the file it is in, and the function that it is."""

import ast
from collections.abc import Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef


def split(test: str) -> tuple[str, str]:
    """`tests/test_a.py::TestB::test_c[1-2]` into its path and `TestB::test_c`."""
    path, _, rest = test.partition("::")
    return path, rest.partition("[")[0]


def functions(tree: ast.Module | ast.ClassDef, above: str = "", between: str = "::") -> Iterator[tuple[str, Function]]:
    """Every function of a module and its classes, by its name; functions within functions are part of these."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield above + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{above}{node.name}{between}", between)
