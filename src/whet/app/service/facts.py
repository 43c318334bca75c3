"""The facts that decide when the service acts, read from the ledger. The service keeps no state of its own."""

from collections.abc import Container
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from whet.app.views.proposal_view import ProposalView, view_proposal
from whet.domain.approval import Question
from whet.domain.clock import now
from whet.domain.cycle_request import CycleRequest
from whet.domain.lesson import Lesson
from whet.domain.plural import count
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
    """`unfinished` are cycles and proposals that a process has to continue; `waiting` are the questions to people, `trials` those without a result, `on_forge`
    the proposals that a pull request waits for.

    `own_cycles_today` counts the cycles of the last 24 hours that no person asked for.
    """

    requests: tuple[CycleRequest, ...]
    unfinished: tuple[str, ...]
    waiting: tuple[Question, ...]
    trials: tuple[TrialBegun, ...]
    on_forge: tuple[str, ...]
    last: LastLook | None
    own_cycles_today: int


class FactsReader:
    """Reads the facts of one ledger again and again. A second look costs what was appended since, however long the ledger is."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._begin()

    def _begin(self) -> None:
        self._seq = 0
        self._ended: set[str] = set()
        self._proposals: set[str] = set()
        self._open: dict[str, None] = {}
        self._recent: list[Trigger] = []
        self._requests: dict[str, CycleRequest] = {}

    def read(self) -> RepositoryFacts:
        """Return the facts as the ledger has them now."""
        self._read_new()
        ledger, triggers = self._ledger, self._recent
        views = [view_proposal(ledger, proposal) for proposal in self._open]
        cut_off = [
            trigger.id
            for trigger in triggers[-_RECENT_CYCLES:]
            if trigger.id not in self._ended and not _has_proposed(ledger, trigger.id, self._proposals)
        ]
        own = [trigger for trigger in triggers if trigger.kind is not TriggerKind.HUMAN and now() - trigger.at < _A_DAY]
        return RepositoryFacts(
            requests=tuple(self._requests.values()),
            unfinished=(*cut_off, *(view.proposal.id for view in views if not waits_for_person(view))),
            waiting=tuple(view.open_question for view in views if view.open_question and waits_for_person(view)),
            trials=tuple(view.open_trial for view in views if view.open_trial),
            on_forge=tuple(view.proposal.id for view in views if view.waits_on_forge),
            last=_last_look(ledger, triggers[-1]) if triggers else None,
            own_cycles_today=len(own),
        )

    def _read_new(self) -> None:
        """Take in what was appended since the last time. Entries that are appended meanwhile are read twice, which is harmless."""
        ledger, head = self._ledger, self._ledger.head().seq
        if head < self._seq:  # another ledger has taken its place
            self._begin()
        after = self._seq
        self._proposals.update(proposals := ledger.subjects("Proposal", after))
        self._ended.update(ended := ledger.subjects("Lesson", after))
        self._open |= dict.fromkeys(proposals)
        for identity in (*ended, *(proposal for proposal in proposals if proposal in self._ended)):
            self._open.pop(identity, None)
        known = {trigger.id for trigger in self._recent}
        for entry in ledger.entries(kind="CycleRequest", after=after):
            request = entry.read(CycleRequest)
            self._requests[request.id] = request
        for entry in ledger.entries(kind="Trigger", after=after):
            if entry.subject not in known:
                self._recent.append(entry.read(Trigger))
        for answered in (request for trigger in self._recent for request in trigger.requests):
            self._requests.pop(answered, None)
        older = self._recent[:-_RECENT_CYCLES]
        self._recent = [trigger for trigger in older if now() - trigger.at < _A_DAY] + self._recent[-_RECENT_CYCLES:]
        self._seq = head


def read_facts(ledger: Ledger) -> RepositoryFacts:
    """Return the facts of a ledger, read once."""
    return FactsReader(ledger).read()


def without_parked(facts: RepositoryFacts, parked: Container[str]) -> RepositoryFacts:
    """Return the facts without the unfinished proposals that cannot go on now."""
    return replace(facts, unfinished=tuple(name for name in facts.unfinished if name not in parked))


def waits_for_person(view: ProposalView) -> bool:
    """True if a proposal can only go on with a person's answer, and the time for it is not over."""
    question = view.open_question
    return question is not None and question.tier.needs_person and now() < question.expires_at


def _has_proposed(ledger: Ledger, cycle: str, started: set[str]) -> bool:
    """True if a cycle has started every proposal that it made."""
    made = _proposed(ledger, cycle)
    return made is not None and all(proposal["id"] in started for proposal in made.data)


def _proposed(ledger: Ledger, cycle: str) -> Entry | None:
    return ledger.find(f"{cycle}/propose/propose")


def _last_look(ledger: Ledger, trigger: Trigger) -> LastLook:
    entry = ledger.latest("Lesson", subject=trigger.id)
    lesson = entry.read(Lesson) if entry else None
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
