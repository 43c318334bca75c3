"""Apply the limits of the service's own questions to findings and proposals, with the facts from the ledger."""

from datetime import datetime

from whet.config import ServicePolicy
from whet.domain.approval import Approval
from whet.domain.build import Build
from whet.domain.clock import now
from whet.domain.finding import Finding, FindingKind
from whet.domain.lesson import Ending, Lesson
from whet.domain.proposal import Proposal
from whet.domain.trigger import Trigger, TriggerKind
from whet.guard.answer import GuardAnswer, Refuse
from whet.guard.noise import Asked, may_ask, may_ask_about_files, may_ask_about_lint
from whet.ledger.ledger import Ledger

_STATIC = frozenset({FindingKind.LINT.value})


class Noise:
    """The limits of one repository. A cycle that a person asked for has none."""

    def __init__(self, ledger: Ledger, policy: ServicePolicy) -> None:
        self._ledger, self._policy = ledger, policy

    def why_silent(self) -> str:
        """Return why the service proposes nothing now; empty if it may."""
        return _reason(may_ask(self.asked(), self._policy, now()))

    def why_not(self, trigger: Trigger, finding: Finding) -> str:
        """Return why nothing is proposed for a finding; empty if it may be."""
        if trigger.kind is TriggerKind.HUMAN:
            return ""
        asked = self.asked()
        if why := _reason(may_ask(asked, self._policy, now())):
            return why
        return _reason(may_ask_about_lint(asked, self._policy, now())) if finding.kind in _STATIC else ""

    def why_not_proposal(self, trigger: Trigger, proposal: Proposal, taken: list[Proposal]) -> str:
        """Return why a proposal is not made; `taken` are those that this cycle makes already."""
        if trigger.kind is TriggerKind.HUMAN:
            return ""
        asked = self.asked(taken)
        answers = (may_ask(asked, self._policy, now()), may_ask_about_files(asked, files_of(proposal), self._policy))
        return next(filter(None, map(_reason, answers)), "")

    def asked(self, taken: list[Proposal] | None = None) -> Asked:
        """Read the questions so far from the ledger."""
        lessons = [entry.read(Lesson) for entry in self._ledger.entries(kind="Lesson")]
        proposals = [entry.read(Proposal) for entry in self._ledger.entries(kind="Proposal")]
        ended = {lesson.proposal for lesson in lessons}
        open_proposals = [proposal for proposal in (*proposals, *(taken or ())) if proposal.id not in ended]
        first = self._ledger.entry(1)
        return Asked(
            open_files={proposal.id: self._files(proposal) for proposal in open_proposals},
            expired_in_a_row=self._expired_in_a_row(lessons),
            began_at=first.at if first else None,
            last_lint_at=self._last_lint_at(proposals),
        )

    def _files(self, proposal: Proposal) -> frozenset[str]:
        """Return the files of a proposal's patch; before it is built, those that it will probably change."""
        entry = self._ledger.latest("Build", subject=proposal.id)
        patch = entry.read(Build).patch if entry else None
        return frozenset(patch.paths) if patch else files_of(proposal)

    def _expired_in_a_row(self, lessons: list[Lesson]) -> int:
        """Count the expired questions since the last sign of a person: an answer, or a cycle that they asked for."""
        answers = [entry for entry in self._ledger.entries(kind="Approval") if _by_person(entry.read(Approval))]
        triggers = [entry for entry in self._ledger.entries(kind="Trigger") if _asked_for(entry.read(Trigger))]
        last = max((entry.at for entry in (*answers, *triggers)), default=None)
        expired = [lesson for lesson in lessons if lesson.ending is Ending.EXPIRED]
        return sum(last is None or lesson.learned_at > last for lesson in expired)

    def _last_lint_at(self, proposals: list[Proposal]) -> datetime | None:
        lint = [proposal for proposal in proposals if proposal.diagnosis.finding.kind in _STATIC]
        return max((proposal.created_at for proposal in lint), default=None)


def files_of(proposal: Proposal) -> frozenset[str]:
    """Return the file that a proposal will most likely change. Its other targets are only suspects."""
    places = [place.path for place in proposal.diagnosis.places]
    return frozenset((places or list(proposal.target))[:1])


def _by_person(approval: Approval) -> bool:
    return approval.approver == "person" and approval.answer.value != "expired"


def _asked_for(trigger: Trigger) -> bool:
    return trigger.kind is TriggerKind.HUMAN


def _reason(answer: GuardAnswer) -> str:
    return answer.reason if isinstance(answer, Refuse) else ""
