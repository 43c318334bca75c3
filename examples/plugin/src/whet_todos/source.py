"""The source: one signal per TODO comment whose date has passed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from whet.domain.clock import now
from whet.domain.signal import Signal
from whet.git.git import Git
from whet.kit import Kit

_TODO = re.compile(r"#\s*TODO\((?P<owner>\w+), until (?P<until>\d{4}-\d{2}-\d{2})\): (?P<text>.*)")


@dataclass(frozen=True, kw_only=True)
class ExpiredTodo:
    """The payload of this plug-in's signals. `kind` is the name that the analyzer claims."""

    kind: ClassVar[str] = "expired_todo"
    path: str
    line: int
    owner: str
    until: str
    text: str


class Todos:
    def __init__(self, kit: Kit) -> None:
        self._git = kit.git

    def observe(self, commit: str) -> tuple[Signal, ...]:
        tree = self._git.tree_of(commit)
        return tuple(Signal.of("todos", todo.owner, todo, now()) for todo in expired(self._git, tree))


def expired(git: Git, tree: str) -> Iterator[ExpiredTodo]:
    """Yield the expired TODO comments of a tree."""
    paths = [entry.path for entry in git.entries(tree) if entry.path.endswith(".py")]
    for path, content in git.read_all(tree, paths).items():
        for number, line in enumerate(content.decode(errors="replace").splitlines(), start=1):
            match = _TODO.search(line)
            if match and date.fromisoformat(match["until"]) < now().date():
                yield ExpiredTodo(path=path, line=number, **match.groupdict())
