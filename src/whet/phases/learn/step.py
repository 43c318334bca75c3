"""The lessons that the ledger keeps."""

from collections.abc import Iterable

from whet.domain.clock import now
from whet.domain.lesson import Ending, Lesson
from whet.domain.memory import Memory
from whet.domain.proposal import Proposal
from whet.guard.answer import Refuse
from whet.guard.content.wording import judge_wording
from whet.ledger.entry import Entry


def learn(proposal: Proposal, ending: Ending, code: str, summary: str, patch_digest: str) -> Lesson:
    """Return the lesson of a proposal that ended."""
    return Lesson(
        proposal=proposal.id,
        signature=proposal.signature,
        engine=proposal.engine,
        ending=ending,
        code=code,
        summary=safe_summary(summary),
        base=proposal.base,
        patch_digest=patch_digest,
        learned_at=now(),
    )


def safe_summary(summary: str) -> str:
    """Return the summary, or a placeholder if the content rules refuse it.

    Lessons influence later work, so a summary must not carry instructions. The lesson itself is recorded either way.
    """
    judged = judge_wording(summary, "the summary")
    return f"withheld by the content rules ({judged.code})" if isinstance(judged, Refuse) else summary


def idle_lesson(cycle: str, base: str, summary: str) -> Lesson:
    """Return the lesson of a cycle that had nothing to propose."""
    return _cycle_lesson(cycle, Ending.NOTHING, "", summary, base)


def failure_lesson(cycle: str, code: str, summary: str) -> Lesson:
    """Return the lesson of a cycle that failed before it could propose anything."""
    return _cycle_lesson(cycle, Ending.FAILED, code, summary, "")


def _cycle_lesson(cycle: str, ending: Ending, code: str, summary: str, base: str) -> Lesson:
    return Lesson(
        proposal=cycle,
        signature="",
        engine="",
        ending=ending,
        code=code,
        summary=safe_summary(summary),
        base=base,
        patch_digest="",
        learned_at=now(),
    )


def remember(entries: Iterable[Entry]) -> Memory:
    """Return the memory of all lessons among the entries."""
    return Memory(tuple(entry.read(Lesson) for entry in entries))
