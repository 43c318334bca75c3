"""The context in which a template edits a node."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from whet.phases.propose.repair.grammar.vocabulary import Vocabulary
from whet.phases.propose.repair.hints import Hints
from whet.phases.propose.repair.module import Module, constants_in
from whet.pyast.functions import Function, parameters


@dataclass(frozen=True)
class Scope:
    """The context of a node that a template edits: its file, function and statement, and the hints."""

    module: Module
    function: Function | None
    statement: ast.stmt
    hints: Hints
    _bound: dict[str, int] = field(default_factory=dict)

    def names(self) -> Iterator[str]:
        """Yield the local names that are bound before this statement, parameters first."""
        line = self.statement.end_lineno or self.statement.lineno
        for name, bound in self._bound.items():
            if bound <= line:
                yield name

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        if self.function is None:
            return ()
        return tuple(name for name in parameters(self.function.args) if name not in ("self", "cls"))

    @cached_property
    def unused_parameters(self) -> frozenset[str]:
        """Parameters that the function never reads, probably because they were forgotten."""
        return frozenset(self.parameters) - self.read_names

    @cached_property
    def read_names(self) -> frozenset[str]:
        """Every name in the function."""
        if self.function is None:
            return frozenset(self.parameters)
        return frozenset(node.id for node in self.module.descendants(self.function) if isinstance(node, ast.Name))

    @cached_property
    def constants(self) -> tuple[str, ...]:
        """Literals of the function, then those of the file, as source text."""
        near = constants_in(self.function) if self.function is not None else ()
        return tuple(dict.fromkeys((*near, *self.module.constants)))

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self)

    @cached_property
    def in_loop(self) -> bool:
        loop = self.module.enclosing(self.statement, ast.For, ast.While, ast.AsyncFor, ast.FunctionDef)
        return isinstance(loop, ast.For | ast.While | ast.AsyncFor)
