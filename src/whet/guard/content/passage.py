"""One changed file as the content rules see it."""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from whet.guard.content.added import added_lines, lines_of
from whet.guard.content.imports import imported, resolved

PYTHON = (".py", ".pyi", ".pyw")
_Node = TypeVar("_Node", bound=ast.AST)


@dataclass(frozen=True)
class Passage:
    """A text before and after. `required` are the requirements that the tree had, by their canonical names."""

    path: str
    old: str
    new: str
    is_test: bool = False
    required: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def added(self) -> frozenset[int]:
        return added_lines(self.old, self.new)

    @cached_property
    def added_text(self) -> tuple[tuple[int, str], ...]:
        """The new lines with their numbers; a line that only moved or was indented anew is not among them."""
        lost = Counter(line.strip() for line in lines_of(self.old))
        lost.subtract(line.strip() for number, line in enumerate(lines_of(self.new), 1) if number not in self.added)
        found = []
        for number, line in enumerate(lines_of(self.new), 1):
            if number not in self.added:
                continue
            if lost[line.strip()] > 0:
                lost[line.strip()] -= 1
            else:
                found.append((number, line))
        return tuple(found)

    @property
    def is_python(self) -> bool:
        return self.path.casefold().endswith(PYTHON)

    @cached_property
    def tree(self) -> ast.Module | None:
        return _parsed(self.new) if self.is_python else None

    @cached_property
    def old_tree(self) -> ast.Module | None:
        return _parsed(self.old) if self.is_python else None

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        return dict(imported(self.tree)) if self.tree else {}

    def name_of(self, node: ast.expr) -> str:
        return resolved(node, self.aliases)

    def calls(self) -> Iterator[tuple[ast.Call, str]]:
        """The calls on added lines, with the full name of what is called."""
        for node in self.touched(ast.Call):
            yield node, self.name_of(node.func)

    def touched(self, kind: type[_Node]) -> Iterator[_Node]:
        """The nodes of one kind that have a part on an added line."""
        yield from (node for node in self._touched if isinstance(node, kind))

    @cached_property
    def _touched(self) -> tuple[ast.AST, ...]:
        return tuple(self._touched_below(self.tree)) if self.tree else ()

    def _touched_below(self, place: ast.AST) -> Iterator[ast.AST]:
        """Children lie within the lines of their parent, but for decorators and for nodes that have no lines."""
        for child in ast.iter_child_nodes(place):
            if self.touches(child):
                yield child
            if self.touches(child) or not hasattr(child, "lineno") or getattr(child, "decorator_list", None):
                yield from self._touched_below(child)

    def touches(self, node: ast.AST) -> bool:
        first = getattr(node, "lineno", 0)
        return not self.added.isdisjoint(range(first, (getattr(node, "end_lineno", None) or first) + 1))

    def is_new(self, node: ast.AST) -> bool:
        """Whether the file has more of this than before: what only moved is not new."""
        return _count(self.tree, node) > _count(self.old_tree, node)


def _count(tree: ast.Module | None, wanted: ast.AST) -> int:
    if tree is None:
        return 0
    alike = (node for node in ast.walk(tree) if type(node) is type(wanted))
    return sum(ast.dump(node) == ast.dump(wanted) for node in alike)


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
