"""The state of whet in a repository at a glance."""

from dataclasses import dataclass
from datetime import datetime

from whet import __version__
from whet.app.project import Project
from whet.app.proposal_view import view_proposals
from whet.domain.approval import Question
from whet.errors import Stopped
from whet.ledger.entry import Head


@dataclass(frozen=True, kw_only=True)
class Status:
    """The kill switch (`stopped` is its reason, or None), the head of the ledger, proposals by status, open questions,
    and the time of the last entry of a cycle."""

    version: str
    repository: str
    branch: str
    stopped: str | None
    head: Head
    proposals: dict[str, int]
    open_questions: tuple[Question, ...]
    last_observed_at: datetime | None


def status(project: Project) -> Status:
    """Return the state of whet in a repository. Runs nothing."""
    ledger = project.ledger
    views = view_proposals(ledger)
    counts: dict[str, int] = {}
    for view in views:
        counts[view.status] = counts.get(view.status, 0) + 1
    observed = ledger.latest("Findings")
    return Status(
        version=__version__,
        repository=project.git.root.name,
        branch=project.ref.removeprefix("refs/heads/"),
        stopped=_stopped(project),
        head=ledger.head(),
        proposals=counts,
        open_questions=tuple(view.open_question for view in views if view.open_question),
        last_observed_at=observed.at if observed else None,
    )


def _stopped(project: Project) -> str | None:
    try:
        project.refuse_unless_permitted()
    except Stopped as problem:
        return problem.message
    return None
