"""The facts that decide when the service acts, read from the ledger. The service keeps no state of its own."""

from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from whet.app.views.proposal_view import ProposalView, view_proposal
from whet.domain.approval import Question
from whet.domain.clock import now
from whet.domain.cycle_request import CycleRequest
from whet.domain.lesson import Lesson
from whet.domain.plural import count
from whet.domain.proposal import Proposal
from whet.domain.trial import TrialBegun
from whet.domain.trigger import Trigger, TriggerKind
from whet.ledger.entry import Entry
from whet.ledger.ledger import Ledger

_A_DAY = timedelta(days=1)
_RECENT_CYCLES = 20  # an interrupted cycle is among the last ones, because each new cycle finishes it first


@dataclass(frozen=True, kw_only=True)
class LastLook:
    """The last cycle: why it ran, the commit that it looked at, and its result in words."""

    cycle: str
    kind: TriggerKind
    reason: str
    at: datetime
    base: str
    result: str


@dataclass(frozen=True, kw_only=True)
class RepositoryFacts:
    """`unfinished` are cycles and proposals that a process has to continue; `waiting` are the questions to people, `trials` those without a result.

    `own_cycles_today` counts the cycles of the last 24 hours that no person asked for.
    """

    requests: tuple[CycleRequest, ...]
    unfinished: tuple[str, ...]
    waiting: tuple[Question, ...]
    trials: tuple[TrialBegun, ...]
    last: LastLook | None
    own_cycles_today: int


def read_facts(ledger: Ledger) -> RepositoryFacts:
    triggers = [entry.read(Trigger) for entry in ledger.entries(kind="Trigger")]
    lessons = {entry.subject: entry.read(Lesson) for entry in ledger.entries(kind="Lesson")}
    proposals = [entry.read(Proposal) for entry in ledger.entries(kind="Proposal")]
    views = [view_proposal(ledger, proposal.id) for proposal in proposals if proposal.id not in lessons]
    cut_off = [
        trigger.id
        for trigger in triggers[-_RECENT_CYCLES:]
        if trigger.id not in lessons and not _has_proposed(ledger, trigger.id, {proposal.id for proposal in proposals})
    ]
    own = [trigger for trigger in triggers if trigger.kind is not TriggerKind.HUMAN and now() - trigger.at < _A_DAY]
    return RepositoryFacts(
        requests=tuple(_open_requests(ledger, triggers)),
        unfinished=(*cut_off, *(view.proposal.id for view in views if not waits_for_person(view))),
        waiting=tuple(view.open_question for view in views if view.open_question and waits_for_person(view)),
        trials=tuple(view.open_trial for view in views if view.open_trial),
        last=_last_look(ledger, triggers[-1], lessons.get(triggers[-1].id)) if triggers else None,
        own_cycles_today=len(own),
    )


def without_parked(facts: RepositoryFacts, parked: Container[str]) -> RepositoryFacts:
    """Return the facts without the unfinished proposals that cannot go on now."""
    return replace(facts, unfinished=tuple(name for name in facts.unfinished if name not in parked))


def waits_for_person(view: ProposalView) -> bool:
    """True if a proposal can only go on with a person's answer, and the time for it is not over."""
    question = view.open_question
    return question is not None and question.tier.needs_person and now() < question.expires_at


def _open_requests(ledger: Ledger, triggers: list[Trigger]) -> Iterator[CycleRequest]:
    answered = {request for trigger in triggers for request in trigger.requests}
    for entry in ledger.entries(kind="CycleRequest"):
        request = entry.read(CycleRequest)
        if request.id not in answered:
            yield request


def _has_proposed(ledger: Ledger, cycle: str, started: set[str]) -> bool:
    """True if a cycle has started every proposal that it made."""
    made = _proposed(ledger, cycle)
    return made is not None and all(proposal["id"] in started for proposal in made.data)


def _proposed(ledger: Ledger, cycle: str) -> Entry | None:
    return ledger.find(f"{cycle}/propose/propose")


def _last_look(ledger: Ledger, trigger: Trigger, lesson: Lesson | None) -> LastLook:
    base = ledger.find(f"{trigger.id}/observe/base")
    return LastLook(
        cycle=trigger.id,
        kind=trigger.kind,
        reason=trigger.reason,
        at=trigger.at,
        base=base.read(str) if base else "",
        result=_result(ledger, trigger.id, lesson),
    )


def _result(ledger: Ledger, cycle: str, lesson: Lesson | None) -> str:
    if lesson:
        return lesson.summary
    made = _proposed(ledger, cycle)
    if made is None:
        return "not finished"
    names = ", ".join(proposal["id"] for proposal in made.data)
    return f"{count(len(made.data), 'proposal')}: {names}"
