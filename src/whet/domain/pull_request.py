"""A pull request on a forge, its reviews, and the report of a proof that a forge shows on a commit."""

from dataclasses import dataclass
from enum import StrEnum

from whet.domain.verdict import Verdict

MARK = "whet-proposal"
FINDING = "whet-finding"


class RequestState(StrEnum):
    OPEN = "open"
    MERGED = "merged"
    CLOSED = "closed"  # without a merge


def mark(name: str, value: str) -> str:
    """Return a line of a body that people do not see and whet finds again."""
    return f"<!-- {name}: {value} -->"


@dataclass(frozen=True, kw_only=True)
class PullRequest:
    """A pull request as the forge shows it. `head` is the commit that it would merge, `author` the login that opened it.

    `merge_commit` and `merged_by` are empty unless people merged it. `body` is left out of the record.
    """

    host: str
    repository: str
    number: int
    url: str
    branch: str
    base: str
    head: str
    state: RequestState
    author: str = ""
    merge_commit: str = ""
    merged_by: str = ""
    body: str = ""

    def is_about(self, name: str, value: str) -> bool:
        """True if the body begins with the mark `name` of this value. Further down it may be quoted text."""
        return mark(name, value) in self.body.splitlines()[:2]


@dataclass(frozen=True, kw_only=True)
class RequestDraft:
    """A pull request that is about to be opened or updated."""

    branch: str
    base: str
    title: str
    body: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ForgeReview:
    """The last review of one person: the commit that they looked at, and whether they approved it."""

    id: str
    login: str
    commit: str
    approved: bool


@dataclass(frozen=True, kw_only=True)
class CheckAnnotation:
    """A remark at a line of a file. `level` is `failure`, `warning` or `notice`."""

    path: str
    line: int
    level: str
    title: str
    text: str


OWN_CHECK = "whet"
"""The name under which a forge shows a CheckReport."""


class CheckState(StrEnum):
    PASSED = "passed"
    PENDING = "pending"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class CommitCheck:
    """A check of a commit as the forge shows it: a job of its CI, or a report of another program."""

    name: str
    state: CheckState


@dataclass(frozen=True, kw_only=True)
class CheckReport:
    """The result of a proof, as a forge shows it on a commit."""

    commit: str
    verdict: Verdict
    title: str
    summary: str
    annotations: tuple[CheckAnnotation, ...] = ()
