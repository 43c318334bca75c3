"""Test ids, and the functions that they name."""

import ast
from collections.abc import Iterable, Iterator, Sequence

from whet.pyast.functions import Function


def split_id(test: str) -> tuple[str, str]:
    """Split `tests/test_a.py::TestB::test_c[1-2]` into the path and `TestB::test_c`."""
    path, _, rest = test.partition("::")
    return path, rest.partition("[")[0]


def names_by_file(tests: Iterable[str]) -> dict[str, list[str]]:
    """Group the names of tests (`TestB::test_c`) by the path of their file."""
    grouped: dict[str, list[str]] = {}
    for test in tests:
        path, name = split_id(test)
        grouped.setdefault(path, []).append(name)
    return grouped


def summarise(tests: Sequence[str]) -> str:
    """Name the first test and count the others: `tests/test_a.py::test_b and 3 more`."""
    return tests[0] if len(tests) == 1 else f"{tests[0]} and {len(tests) - 1} more"


def functions(
    tree: ast.Module | ast.ClassDef, prefix: str = "", separator: str = "::"
) -> Iterator[tuple[str, Function]]:
    """Yield every function of a module and of its classes with its qualified name.

    A function within a function counts as a part of the outer one.
    """
    for node in tree.body:
        if isinstance(node, Function):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{prefix}{node.name}{separator}", separator)


def changed_functions(old: ast.Module, new: ast.Module) -> list[Function]:
    """Return the functions of `new` that `old` lacks or has otherwise."""
    before = {name: ast.dump(node) for name, node in functions(old)}
    return [node for name, node in functions(new) if before.get(name) != ast.dump(node)]
