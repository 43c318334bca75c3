"""Record an agent's objection to a proposal."""

from whet.app.agent_notes.bounded import bounded
from whet.app.project import Project
from whet.app.views.proposal_view import resolve, view_proposal
from whet.domain.canonical import digest
from whet.domain.clock import now
from whet.domain.objection import Objection, notes_of
from whet.errors import Refused

MOST_PER_PROPOSAL = 20


def object_to(project: Project, proposal: str, why: str, by: str) -> Objection:
    """Record why a program is against a proposal, and return the objection. The same words of the same program are
    recorded once.

    Refuse a proposal that has ended, and more objections than a person can read.
    """
    ledger = project.ledger
    why = bounded(why, "the objection")
    view = view_proposal(ledger, resolve(ledger, proposal))
    identity = view.proposal.id
    objection = Objection(
        id=f"o-{digest([identity, by, why])[:8]}", proposal=identity, why=why, by=by,
        evidence=view.evidence.digest if view.evidence else "", at=now(),
    )  # fmt: skip
    key = f"objection/{objection.id}"
    if recorded := ledger.find(key):
        return recorded.read(Objection)
    if view.lesson:
        raise Refused(f"{identity} has ended: {view.status}", "suggest says what should be better now")
    if len(view.objections) >= MOST_PER_PROPOSAL:
        raise Refused(
            f"{identity} has {len(view.objections)} objections, more are not taken", "a person reads those there are"
        )
    return ledger.append("observe", objection, subject=notes_of(identity), key=key, actor=by).read(Objection)
