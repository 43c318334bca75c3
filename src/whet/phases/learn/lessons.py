"""The built-in learner: the lessons and the open proposals in the ledger."""

from whet.domain.build import Build
from whet.domain.deployment import Deployment
from whet.domain.finding import Finding
from whet.domain.lesson import Ending, Lesson
from whet.domain.memory import Memory
from whet.domain.proposal import Proposal
from whet.kit import Kit


class Lessons:
    def __init__(self, kit: Kit) -> None:
        self._ledger = kit.ledger

    def why_not(self, finding: Finding, engine: str, base: str) -> str:
        lessons = self._lessons()
        for proposal in self._open_proposals(lessons):
            if proposal.signature == finding.signature:
                return f"{proposal.id} is open for it: `whet show {proposal.id}`"
        return self._merged_elsewhere(lessons, finding, base) or Memory(lessons).why_not(
            finding.signature, engine, base
        )

    def _merged_elsewhere(self, lessons: tuple[Lesson, ...], finding: Finding, base: str) -> str:
        """Return the sentence about a fix that was merged on the forge and has not been pulled; empty if there is none."""
        last = next((lesson for lesson in reversed(lessons) if lesson.signature == finding.signature), None)
        if last is None or last.ending is not Ending.MERGED or last.base != base:
            return ""
        deployed = self._ledger.latest("Deployment", subject=last.proposal)
        if deployed is None or deployed.read(Deployment).strategy != "pr":
            return ""
        return f"{last.proposal} was merged on the forge, and this branch has not moved since: git pull"

    def avoid(self, signature: str) -> frozenset[str]:
        """Return rejected, failed and rolled-back patches of this signature, and every patch of an open proposal.

        Two findings with one cause lead to the same patch; the second is not offered while the first is open.
        """
        lessons = self._lessons()
        waiting = {proposal.id for proposal in self._open_proposals(lessons)}
        builds = [entry for entry in self._ledger.entries(kind="Build") if entry.subject in waiting]
        patches = [entry.read(Build).patch for entry in builds]
        return Memory(lessons).avoid(signature) | {patch.digest for patch in patches if patch}

    def _lessons(self) -> tuple[Lesson, ...]:
        return tuple(entry.read(Lesson) for entry in self._ledger.entries(kind="Lesson"))

    def _open_proposals(self, lessons: tuple[Lesson, ...]) -> list[Proposal]:
        ended = {lesson.proposal for lesson in lessons}
        entries = self._ledger.entries(kind="Proposal")
        return [entry.read(Proposal) for entry in entries if entry.subject not in ended]
