"""One changed file as the content rules see it."""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from whet.guard.content.added import added_lines, lines_of
from whet.pyast.imports import dotted_name, import_bindings

PYTHON = (".py", ".pyi", ".pyw")
_Node = TypeVar("_Node", bound=ast.AST)


@dataclass(frozen=True)
class Passage:
    """The text of a file before and after a change.

    `required` are the requirements of the base, by canonical name.
    """

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
        """The added lines with their numbers, without lines that only moved or changed their indentation."""
        new_lines = list(enumerate(lines_of(self.new), 1))
        removed = Counter(line.strip() for line in lines_of(self.old))
        removed.subtract(line.strip() for number, line in new_lines if number not in self.added)
        added = []
        for number, line in new_lines:
            if number not in self.added:
                continue
            if removed[line.strip()] > 0:
                removed[line.strip()] -= 1
            else:
                added.append((number, line))
        return tuple(added)

    @property
    def is_python(self) -> bool:
        return self.path.casefold().endswith(PYTHON)

    @cached_property
    def tree(self) -> ast.Module | None:
        """The syntax tree of the new text; None if it is not Python."""
        return _parsed(self.new) if self.is_python else None

    @cached_property
    def old_tree(self) -> ast.Module | None:
        return _parsed(self.old) if self.is_python else None

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        return dict(import_bindings(self.tree)) if self.tree else {}

    def name_of(self, node: ast.expr) -> str:
        """Return the full name of an expression, imports resolved; empty if it is not a name."""
        return dotted_name(node, self.aliases)

    def calls(self) -> Iterator[tuple[ast.Call, str]]:
        """Yield the calls on added lines with the full name of the called function."""
        for node in self.touched(ast.Call):
            yield node, self.name_of(node.func)

    def touched(self, kind: type[_Node]) -> Iterator[_Node]:
        """Yield the nodes of one kind that have a part on an added line."""
        yield from (node for node in self._touched if isinstance(node, kind))

    @cached_property
    def _touched(self) -> tuple[ast.AST, ...]:
        return tuple(self._touched_below(self.tree)) if self.tree else ()

    def _touched_below(self, parent: ast.AST) -> Iterator[ast.AST]:
        """Yield touched nodes. Untouched subtrees are skipped, except where children may lie on other lines."""
        for child in ast.iter_child_nodes(parent):
            is_touched = self.touches(child)
            if is_touched:
                yield child
            # Nodes such as `arguments` have no lines; decorators stand above the line of their function.
            if is_touched or not hasattr(child, "lineno") or getattr(child, "decorator_list", None):
                yield from self._touched_below(child)

    def touches(self, node: ast.AST) -> bool:
        """True if a line of `node` was added."""
        first = getattr(node, "lineno", 0)
        last = getattr(node, "end_lineno", None) or first
        return not self.added.isdisjoint(range(first, last + 1))

    def is_new(self, node: ast.AST) -> bool:
        """True if the file has more nodes like this one than before; code that only moved is not new."""
        return _count(self.tree, node) > _count(self.old_tree, node)


def _count(tree: ast.Module | None, example: ast.AST) -> int:
    if tree is None:
        return 0
    same_kind = (node for node in ast.walk(tree) if type(node) is type(example))
    return sum(ast.dump(node) == ast.dump(example) for node in same_kind)


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
