from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Change:
    """One stretch of the source (character offsets) and what stands there instead."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Edit:
    """What a template would do: changes that belong together, in words, and how likely in its kind.

    `borrowed` marks a literal that only the failing test mentions: often a patch fitted to the test.
    """

    changes: tuple[Change, ...]
    description: str
    weight: float = 1.0
    borrowed: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """A whole new source for one file; `rank` orders the trying, `naturalness` the showing."""

    path: str
    source: str
    template: str
    line: int
    description: str
    rank: float
    naturalness: float = 0.0

    @property
    def summary(self) -> str:
        return f"{self.path}:{self.line}: {self.description}"


def replace(start: int, end: int, text: str, description: str, weight: float = 1.0) -> Edit:
    return Edit((Change(start, end, text),), description, weight)


def apply(source: str, changes: tuple[Change, ...]) -> str:
    for change in sorted(changes, key=lambda change: change.start, reverse=True):
        source = source[: change.start] + change.text + source[change.end :]
    return source
