from collections.abc import Iterable

from whet.domain.clock import now
from whet.domain.lesson import Ending, Lesson
from whet.domain.memory import Memory
from whet.domain.proposal import Proposal
from whet.guard.answer import Refuse
from whet.guard.content.wording import judge_wording
from whet.ledger.entry import Entry


def learn(proposal: Proposal, ending: Ending, code: str, summary: str, patch_digest: str) -> Lesson:
    """Every ending leaves a lesson, failures first of all."""
    return Lesson(
        proposal=proposal.id,
        signature=proposal.signature,
        engine=proposal.engine,
        ending=ending,
        code=code,
        summary=fit_to_keep(summary),
        base=proposal.base,
        patch_digest=patch_digest,
        learned_at=now(),
    )


def fit_to_keep(summary: str) -> str:
    """What is learned steers later work, so the content rules hold for it; every ending leaves a lesson all the same."""
    judged = judge_wording(summary, "what was to be remembered")
    return f"withheld by the content rules ({judged.code})" if isinstance(judged, Refuse) else summary


def nothing(cycle: str, base: str, summary: str) -> Lesson:
    """A cycle that had nothing to carry has learned that."""
    return _of_a_cycle(cycle, Ending.NOTHING, "", summary, base)


def broken(cycle: str, code: str, summary: str) -> Lesson:
    """A cycle that could not look has learned why."""
    return _of_a_cycle(cycle, Ending.FAILED, code, summary, "")


def _of_a_cycle(cycle: str, ending: Ending, code: str, summary: str, base: str) -> Lesson:
    return Lesson(
        proposal=cycle,
        signature="",
        engine="",
        ending=ending,
        code=code,
        summary=fit_to_keep(summary),
        base=base,
        patch_digest="",
        learned_at=now(),
    )


def remember(entries: Iterable[Entry]) -> Memory:
    return Memory(tuple(entry.read(Lesson) for entry in entries))
