"""List suggestions with what became of them, and drop those that nobody wants any more."""

from dataclasses import dataclass

from whet.app.cycles.loop import actor
from whet.app.project import Project
from whet.domain.clock import now
from whet.domain.lesson import Lesson
from whet.domain.proposal import Proposal
from whet.domain.suggestion import DroppedSuggestion, Suggestion
from whet.errors import NotOnRecord, Refused, UsageError

OPEN, DROPPED, PROPOSED = "open", "dropped", "proposed"


@dataclass(frozen=True, kw_only=True)
class SuggestionState:
    """A suggestion and its state: `open`, `proposed`, `dropped`, or the ending of its last proposal."""

    id: str
    text: str
    where: str
    by: str
    state: str
    proposal: str = ""
    why: str = ""


def list_suggestions(project: Project) -> list[SuggestionState]:
    """Return all suggestions, oldest first."""
    ledger = project.ledger
    lessons = {lesson.signature: lesson for lesson in (entry.read(Lesson) for entry in ledger.entries(kind="Lesson"))}
    proposals = [entry.read(Proposal) for entry in ledger.entries(kind="Proposal")]
    proposed = {proposal.signature: proposal.id for proposal in proposals}
    dropped = {entry.subject: entry.read(DroppedSuggestion) for entry in ledger.entries(kind="DroppedSuggestion")}
    return [_state(entry.read(Suggestion), lessons, proposed, dropped) for entry in ledger.entries(kind="Suggestion")]


def _state(
    suggestion: Suggestion, lessons: dict[str, Lesson], proposed: dict[str, str], dropped: dict[str, DroppedSuggestion]
) -> SuggestionState:
    proposal, lesson, drop = proposed.get(suggestion.id, ""), lessons.get(suggestion.id), dropped.get(suggestion.id)
    state, why = (PROPOSED if proposal else OPEN), ""
    if lesson and lesson.proposal == proposal:
        state, why = lesson.ending.value, lesson.summary
    if drop:
        state, why = DROPPED, drop.why
    return SuggestionState(
        id=suggestion.id, text=suggestion.text, where=suggestion.where, by=suggestion.by, state=state, proposal=proposal,
        why=why,
    )  # fmt: skip


def drop_suggestion(project: Project, start: str, why: str) -> SuggestionState:
    """Record that a suggestion is not wanted any more. `start` is the beginning of its id.

    Refuse one that is dropped already, or that a proposal is open for: rejecting the proposal says more.
    """
    known = list_suggestions(project)
    matching = [each for each in known if each.id.startswith(start)]
    if not matching:
        raise NotOnRecord(f"there is no suggestion {start!r}", "`whet suggest --list` shows those there are")
    if len(matching) > 1:
        raise UsageError(f"{start!r} could be {', '.join(each.id for each in matching[:5])}", "give more of the id")
    (suggestion,) = matching
    if suggestion.state == DROPPED:
        raise Refused(f"{suggestion.id} is dropped already: {suggestion.why}")
    if suggestion.state == PROPOSED:
        raise Refused(
            f"{suggestion.proposal} is open for {suggestion.id}", f'whet reject {suggestion.proposal} --why "..."'
        )
    drop = DroppedSuggestion(suggestion=suggestion.id, by=actor(), why=why, at=now())
    key = f"suggestion/{suggestion.id}/dropped"
    project.ledger.append("observe", drop, subject=suggestion.id, key=key, actor=drop.by)
    return next(each for each in list_suggestions(project) if each.id == suggestion.id)
