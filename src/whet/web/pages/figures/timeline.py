"""The life of a proposal in steps, with waiting for people and working told apart."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from whet.cycle import ORDER
from whet.domain.approval import Approval, Question
from whet.domain.deployment import Rollback
from whet.ledger.entry import Entry

_WORDS = {
    "Proposal": "proposed",
    "Build": "patch built",
    "Evidence": "proof finished",
    "Snapshot": "state saved",
    "Deployment": "deployed",
    "TrialBegun": "trial begun",
    "Trial": "trial ended",
    "Verification": "deployment checked",
    "Watch": "watch ended",
    "Lesson": "lesson kept",
    "Error": "failed",
}
_QUIET = ("Look",)


@dataclass(frozen=True)
class TimelineStep:
    """One entry on the timeline. `seconds` is the time since the step before it, and `waiting` says whose time it was."""

    seq: int
    at: datetime
    phase: str
    kind: str
    words: str
    actor: str
    seconds: float
    waiting: bool
    bad: bool


@dataclass(frozen=True)
class PhaseTime:
    """Seconds of work and of waiting for a person in one phase."""

    phase: str
    working: float
    waiting: float


def timeline(entries: Sequence[Entry], now: datetime, *, still_open: bool) -> list[TimelineStep]:
    """Return the steps on record; while a question is open, a last step that lasts until now."""
    steps: list[TimelineStep] = []
    before: datetime | None = None
    asked = False
    for entry in entries:
        if entry.kind in _QUIET:
            continue
        seconds = (entry.at - before).total_seconds() if before else 0.0
        steps.append(
            TimelineStep(
                entry.seq, entry.at, entry.phase, entry.kind, _words(entry), entry.actor, seconds, asked,
                entry.kind in ("Error", "Rollback"),
            )
        )  # fmt: skip
        before, asked = entry.at, _is_asking(entry, asked=asked)
    if still_open and before and asked:
        waited = (now - before).total_seconds()
        steps.append(
            TimelineStep(0, now, "approve", "Wait", "waiting for an answer", "", waited, waiting=True, bad=False)
        )
    return steps


def phase_times(steps: Sequence[TimelineStep]) -> list[PhaseTime]:
    """Return the time of each phase that the steps have, in the order of the cycle."""
    return [
        PhaseTime(
            phase,
            sum(step.seconds for step in steps if step.phase == phase and not step.waiting),
            sum(step.seconds for step in steps if step.phase == phase and step.waiting),
        )
        for phase in ORDER
        if any(step.phase == phase for step in steps)
    ]


def _is_asking(entry: Entry, *, asked: bool) -> bool:
    """True if a person is asked after this entry. A vote alone leaves the question open."""
    if entry.kind == "Question":
        return entry.read(Question).tier.needs_person
    return asked and entry.kind == "Vote"


def _words(entry: Entry) -> str:
    if entry.kind == "Question":
        question = entry.read(Question)
        return f"{question.gate} gate asks, tier {question.tier}"
    if entry.kind == "Approval":
        approval = entry.read(Approval)
        return f"{approval.answer} at the {approval.gate} gate by {approval.people}"
    if entry.kind == "Error":
        return f"failed: {entry.data.get('message', '')}"
    if entry.kind == "Rollback":
        return entry.read(Rollback).words
    return _WORDS.get(entry.kind, entry.kind.lower())
