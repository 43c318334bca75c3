"""Clocks that only measure: how long something took may be kept, given back and taken apart, and decides nothing."""

import ast
from collections.abc import Iterator

from whet.guard.content.suspicious.flag import Flag
from whet.guard.content.suspicious.name_resolution import Names

_STEADY = frozenset(
    f"time.{name}{unit}" for name in ("monotonic", "perf_counter", "process_time") for unit in ("", "_ns")
)
_KEEPING = (ast.Assign, ast.AnnAssign, ast.Return)


class Steady:
    """Which uses of a clock only measure, and which lines make a decision of what was measured."""

    def __init__(self, tree: ast.Module, names: Names) -> None:
        self._names = names
        self._measuring: set[int] = set()
        self._measured: set[str] = set()
        if not any(target.partition(".")[0] == "time" for target in names.imports.values()):
            return
        for node in ast.walk(tree):
            value = getattr(node, "value", None)
            if isinstance(node, _KEEPING) and isinstance(value, ast.expr) and self._reads(value):
                self._keep(node, value)
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and self._gives_back(function):
                self._measured.add(function.name)

    def measures(self, node: ast.AST) -> bool:
        return id(node) in self._measuring

    def decisions(self, node: ast.AST) -> Iterator[Flag]:
        """Comparisons and remainders of what was measured."""
        if isinstance(node, ast.Compare) or (
            isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.FloorDiv)
        ):
            for one in ast.walk(node):
                if _last(one) in self._measured:
                    yield Flag(node.lineno, "depends on the clock", _last(one), only_if_more=True)

    def _keep(self, node: ast.AST, value: ast.expr) -> None:
        if all(isinstance(one, _SUMS) for one in ast.walk(value)):
            self._measuring.update(id(one) for one in ast.walk(value))
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            self._measured.update({_last(one) for one in ast.walk(target)} - {"", "self"})

    def _reads(self, value: ast.expr) -> bool:
        return any(
            isinstance(one, ast.Name | ast.Attribute) and self._names.meanings(one) & _STEADY for one in ast.walk(value)
        )

    def _gives_back(self, function: ast.AST) -> bool:
        return any(
            isinstance(node, ast.Return) and node.value is not None and self._reads(node.value)
            for node in ast.walk(function)
        )


_SUMS = (ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.Sub, ast.Constant, ast.expr_context)


def _last(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
