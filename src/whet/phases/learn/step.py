from collections.abc import Iterable

from whet.domain.clock import now
from whet.domain.lesson import Ending, Lesson
from whet.domain.memory import Memory
from whet.domain.proposal import Proposal
from whet.ledger.entry import Entry


def learn(proposal: Proposal, ending: Ending, code: str, summary: str, patch_digest: str) -> Lesson:
    """Every ending leaves a lesson, failures first of all."""
    return Lesson(
        proposal=proposal.id,
        signature=proposal.signature,
        engine=proposal.engine,
        ending=ending,
        code=code,
        summary=summary,
        base=proposal.base,
        patch_digest=patch_digest,
        learned_at=now(),
    )


def nothing(cycle: str, base: str, summary: str) -> Lesson:
    """A cycle that had nothing to carry has learned that."""
    return Lesson(
        proposal=cycle,
        signature="",
        engine="",
        ending=Ending.NOTHING,
        code="",
        summary=summary,
        base=base,
        patch_digest="",
        learned_at=now(),
    )


def remember(entries: Iterable[Entry]) -> Memory:
    return Memory(tuple(entry.read(Lesson) for entry in entries))
