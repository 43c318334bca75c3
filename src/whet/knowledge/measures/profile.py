"""Find the functions of the repository in which a benchmark spends its time."""

import ast
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from whet.kit import Kit
from whet.knowledge.measures.benchmark import Benchmark
from whet.pyast.functions import Function, functions

_PREFIX = "whet-profile:"
_MOST_FUNCTIONS = 5
_LONGEST_SECONDS = 1e6


@dataclass(frozen=True)
class HotFunction:
    """A function and the seconds that a profiled run of a benchmark spent in its own code."""

    path: str
    name: str
    line: int
    seconds: float


def hot_functions(benchmark: Benchmark, tree: str, kit: Kit) -> list[HotFunction]:
    """Profile the benchmark once, and return the slowest functions that are neither its own nor tests."""
    root, files = str(kit.git.root), frozenset(kit.git.regular_files(tree))
    known: dict[str, list[tuple[str, int, int]]] = {}
    spent: dict[tuple[str, str, int], float] = defaultdict(float)
    for file, line, seconds in _rows(benchmark.profile(tree)):
        path = file.removeprefix(f"{root}/")
        if not path.endswith(".py") or path not in files or benchmark.holds(path) or kit.is_test(path):
            continue
        if path not in known:
            known[path] = _lines_of(kit.git.read(tree, path) or b"")
        for name, first, last in known[path]:
            if first <= line <= last:
                spent[path, name, first] += seconds
    slowest = sorted(spent, key=lambda place: -spent[place])[:_MOST_FUNCTIONS]
    return [HotFunction(*place, spent[place]) for place in slowest]


def _rows(output: str) -> Iterator[tuple[str, int, float]]:
    """Yield (file, line, seconds) from the last line of a profiled run. The program may have printed it, so any other form is skipped."""
    last = output.rstrip().rpartition("\n")[2]
    try:
        rows = json.loads(last.removeprefix(_PREFIX)) if last.startswith(_PREFIX) else []
    except (ValueError, RecursionError):
        return
    for row in rows if isinstance(rows, list) else ():
        match row:
            case [str(file), int(line), float(seconds)] if 0 <= seconds < _LONGEST_SECONDS:
                yield file, line, seconds


def _lines_of(source: bytes) -> list[tuple[str, int, int]]:
    """Return the functions of a module with their first and last lines."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return []
    return [
        (name, min([node.lineno, *(item.lineno for item in node.decorator_list)]), node.end_lineno or node.lineno)
        for name, node in functions(tree).items()
        if isinstance(node, Function)
    ]
