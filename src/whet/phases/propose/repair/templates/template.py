"""The type of a repair template."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from whet.phases.propose.repair.candidate import Edit
from whet.phases.propose.repair.scope import Scope


@dataclass(frozen=True)
class Template:
    """One kind of mistake: `prior` is how common it is (0 to 1), `edits` yields the edits that would undo it.

    `edits` is called with every suspicious node of the given `kinds`. Several templates may share a `name`, by which
    hints and history raise their likelihood.
    """

    name: str
    prior: float
    kinds: tuple[type[ast.AST], ...]
    edits: Callable[[Any, Scope], Iterator[Edit]]
