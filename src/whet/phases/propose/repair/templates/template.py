import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from whet.phases.propose.repair.candidate import Edit
from whet.phases.propose.repair.module import Scope


@dataclass(frozen=True)
class Template:
    """One kind of mistake: how common it is (0 to 1), the nodes it is looked for in, the edits that undo it.

    `edits` is only called with nodes of the given kinds.
    """

    name: str
    prior: float
    kinds: tuple[type[ast.AST], ...]
    edits: Callable[[Any, Scope], Iterator[Edit]]
