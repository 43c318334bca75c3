"""A patch: the change from one git tree to another."""

from dataclasses import dataclass

from whet.domain.change import Change


@dataclass(frozen=True, kw_only=True)
class Patch:
    """A change, identified by the tree that it produces. Made by `whet.git` from a commit and a tree.

    `base` is a commit and `tree` the resulting git tree. `diff` is for people to read. `digest` is the SHA-256 of
    git's full binary diff, so every differing byte or mode gives another digest.
    """

    base: str
    tree: str
    diff: str
    digest: str
    changes: tuple[Change, ...]
    summary: str

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(change.path for change in self.changes)

    @property
    def changed_lines(self) -> int:
        return sum(change.added_lines + change.removed_lines for change in self.changes)
