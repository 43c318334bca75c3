"""Clocks that only measure: a duration may be stored, returned and subtracted, as long as it decides nothing."""

import ast
from collections.abc import Iterator

from whet.guard.content.suspicious.flag import Flag
from whet.guard.content.suspicious.vocabulary import CLOCK
from whet.pyast.functions import Function
from whet.pyast.imports import last_name
from whet.pyast.resolve import NameResolver

_STOPWATCHES = frozenset(
    f"time.{clock}{unit}" for clock in ("monotonic", "perf_counter", "process_time") for unit in ("", "_ns")
)
# Nodes of which a mere measurement consists: `time.monotonic() - self.started`.
_MEASUREMENT = (ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.Sub, ast.Constant, ast.expr_context)


class Stopwatches:
    """The measurements of one file, and the names that hold a measured duration."""

    def __init__(self, tree: ast.Module, names: NameResolver) -> None:
        self._names = names
        self._measuring: set[int] = set()
        self._durations: set[str] = set()
        if not any(target.partition(".")[0] == "time" for target in names.imports.values()):
            return
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.Return):
                self._add_measurement(node)
        for function in ast.walk(tree):
            if isinstance(function, Function) and self._returns_a_duration(function):
                self._durations.add(function.name)

    def is_measurement(self, node: ast.AST) -> bool:
        """True if `node` is part of an expression that only measures."""
        return id(node) in self._measuring

    def decision_flags(self, node: ast.AST) -> Iterator[Flag]:
        """Flag comparisons and remainders of a duration."""
        is_remainder = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.FloorDiv)
        if isinstance(node, ast.Compare) or is_remainder:
            for part in ast.walk(node):
                if last_name(part) in self._durations:
                    yield Flag(getattr(node, "lineno", 1), CLOCK, last_name(part), only_if_more=True)

    def _add_measurement(self, node: ast.Assign | ast.AnnAssign | ast.Return) -> None:
        if node.value is None or not self._reads_a_stopwatch(node.value):
            return
        parts = list(ast.walk(node.value))
        if all(isinstance(part, _MEASUREMENT) for part in parts):
            self._measuring.update(map(id, parts))
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            self._durations.update({last_name(part) for part in ast.walk(target)} - {"", "self"})

    def _reads_a_stopwatch(self, value: ast.expr) -> bool:
        return any(
            isinstance(part, ast.Name | ast.Attribute) and self._names.meanings(part) & _STOPWATCHES
            for part in ast.walk(value)
        )

    def _returns_a_duration(self, function: Function) -> bool:
        return any(
            isinstance(node, ast.Return) and node.value is not None and self._reads_a_stopwatch(node.value)
            for node in ast.walk(function)
        )
