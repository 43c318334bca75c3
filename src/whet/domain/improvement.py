"""A better version of a prompt, a workflow or a program, as a search with a declared evaluation or benchmark found it."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from whet.domain.canonical import digest


@dataclass(frozen=True, kw_only=True)
class TriedText:
    """One changed version of a text: the change in words, and what the cases of the search said about it."""

    change: str
    comparison: str
    mean: float


@dataclass(frozen=True, kw_only=True)
class Improvement:
    """A better version of one file, found on commit `base`. `check` is what measured it: `evaluations` or `benchmarks`.

    `before` is the digest of the text that the search started from, `after` the whole new text, `changes` its differences in
    words. `confirmed` describes the one comparison by cases that the search had not seen.
    """

    kind: ClassVar[str] = "improved_text"
    evaluation: str
    path: str
    before: str
    after: str
    changes: tuple[str, ...]
    mean: float
    confirmed: str
    tried: tuple[TriedText, ...]
    base: str
    found_at: datetime
    check: str = "evaluations"

    @property
    def signature(self) -> str:
        return digest(["improved", self.evaluation, self.path])[:16]


@dataclass(frozen=True)
class ImproveResult:
    """The result of a search. `why_not` says why no version is proposed; empty if one is."""

    improvement: Improvement
    why_not: str
    finding: str = ""
