from dataclasses import dataclass

from whet.domain.change import Change


@dataclass(frozen=True, kw_only=True)
class Patch:
    """A change judged by the tree it produces.

    `tree` is the git tree that results on `base`; `diff` is for people to read; `digest` is the SHA-256 of git's
    full binary diff between the two, so any byte or mode that differs gives another digest.
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
