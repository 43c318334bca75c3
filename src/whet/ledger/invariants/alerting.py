"""Invariants 5 to 10: findings, proposals, cycles, lessons, rollbacks and changes of whet itself. A violation raises an
alert."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from whet.domain.approval import Approval
from whet.domain.build import Build
from whet.domain.captured import Overhead
from whet.domain.deployment import Deployment, Rollback, Verification
from whet.domain.evidence import Evidence
from whet.domain.execution import MOST_SHARE
from whet.domain.finding import Finding
from whet.domain.following import FollowEnd, Following
from whet.domain.lesson import Lesson
from whet.domain.plural import count
from whet.domain.proposal import Proposal
from whet.domain.trial import Trial, Watch
from whet.domain.trigger import Trigger, TriggerKind
from whet.domain.verdict import Verdict
from whet.ledger.entry import Entry
from whet.ledger.invariants.history import (
    Diagnoses,
    History,
    Proposals,
    Recorded,
    Violations,
    approved_at_require,
    describe,
    setting,
)

ROLLBACK_SECONDS = 300
ITSELF = "src/whet/"
_A_DAY = timedelta(days=1)
_START_UP_SECONDS = 1.0
"""Capturing may always take this long: processes pay a start-up cost even if their tools then do little."""


def traceable(history: History) -> Violations:
    """Check invariant 5: every finding has enough signals, and each says where it comes from."""
    for diagnosed in history.every(Diagnoses):
        for diagnosis in diagnosed.noun:
            finding = diagnosis.finding
            yield [f"finding {finding.id} (row {diagnosed.entry.seq}): {gap}" for gap in _untraceable(finding)]


def _untraceable(finding: Finding) -> Iterator[str]:
    minimum = max(finding.minimum_signals, 1)
    if len(finding.signals) < minimum:
        yield f"{count(len(finding.signals), 'signal')}, a {finding.kind} finding needs {minimum}"
    for signal in finding.signals:
        if not (signal.source.strip() and signal.subject.strip() and signal.at.utcoffset() is not None):
            yield f"a {signal.kind} signal does not say where it comes from, what it is about and when it was seen"


def complete(history: History) -> Violations:
    """Check invariant 6: every proposal can be read as one, and is recorded under its own id."""
    for proposed in history.every(Proposal):
        proposal, entry = proposed.noun, proposed.entry
        if proposal.id == entry.subject:
            yield []
        else:
            yield [f"row {entry.seq} holds {proposal.id} as the proposal {entry.subject}"]


def bounded(history: History) -> Violations:
    """Check invariant 7: cycles keep to their time and do not overlap; capturing calls keeps to its share of time."""
    yield from _cycles(history)
    for measured in history.every(Overhead):
        own, spent = measured.noun.own_seconds, measured.noun.spent_seconds
        if spent > max(_START_UP_SECONDS, MOST_SHARE * own):
            yield [
                f"row {measured.entry.seq}: capturing calls took {spent:.1f} s for {own:.1f} s of tool time, "
                f"the limit is {MOST_SHARE:.0%}"
            ]
        else:
            yield []


def _cycles(history: History) -> Violations:
    busy_until, busy = 0, ""
    for trigger in history.every(Trigger):
        cycle, last = trigger.entry.subject, history.rows(trigger.entry.subject)[-1]
        problems = list(_too_long(history, trigger, last))
        if trigger.entry.seq < busy_until:
            problems.append(f"cycle {cycle} began in row {trigger.entry.seq}, before {busy} had ended")
        if last.seq > busy_until:
            busy_until, busy = last.seq, cycle
        yield problems


def _too_long(history: History, trigger: Recorded[Trigger], last: Entry) -> Iterator[str]:
    took = (last.at - trigger.entry.at).total_seconds()
    limit = setting(_policy_of(history, trigger), "budget", "cycle_seconds")
    if not isinstance(limit, int | float):
        yield f"cycle {trigger.entry.subject}: the policy that bounds it is not on record"
    elif took > limit:
        yield f"cycle {trigger.entry.subject} took {took:.0f} s, budget.cycle_seconds is {limit}"


def _policy_of(history: History, trigger: Recorded[Trigger]) -> Any:
    """Return the policy that the cycle's evidence names; without evidence, the last one recorded before the cycle."""
    carried = [proposal.id for proposed in history.of(Proposals, trigger.entry.subject) for proposal in proposed.noun]
    digests = [bundle.noun.policy_digest for identity in carried for bundle in history.of(Evidence, identity)]
    return history.policy(digests[0]) if digests else history.policy_at(trigger.entry.seq)


def learned(history: History) -> Violations:
    """Check invariant 8: every cycle without a proposal, and every end of a proposal, is followed by a lesson."""
    for cycle in history.every(Proposals):
        if not cycle.noun:
            yield _without_lesson(history, cycle.entry, "proposed nothing")
    for proposal in history.every(Proposal):
        for end in _ends(history, proposal.noun.id):
            yield _without_lesson(history, end, f"ended ({end.kind} in row {end.seq})")


def _without_lesson(history: History, end: Entry, how: str) -> list[str]:
    for lesson in history.of(Lesson, end.subject):
        if lesson.entry.seq > end.seq and lesson.noun.proposal == end.subject:
            return []
    return [f"{end.subject} {how} and left no lesson"]


def _ends(history: History, proposal: str) -> Iterator[Entry]:
    """Yield the rows at which a proposal ended.

    A refusal counts only after the gate has read it ("Look" row). An error counts only as the last row: otherwise the
    work went on, for example by rebasing onto a moved branch.
    """
    rows = history.rows(proposal)
    looked = {row.body for row in rows if row.kind == "Look"}
    yield from (build.entry for build in history.of(Build, proposal) if build.noun.patch is None)
    yield from (bundle.entry for bundle in history.of(Evidence, proposal) if bundle.noun.verdict is Verdict.FAILED)
    for answer in history.of(Approval, proposal):
        if not answer.noun.granted and f'"{answer.entry.key}"' in looked:
            yield answer.entry
    yield from (verified.entry for verified in history.of(Verification, proposal) if verified.noun.ok)
    yield from (rollback.entry for rollback in history.of(Rollback, proposal))
    if rows and rows[-1].kind == "Error":
        yield rows[-1]


def rolled_back(history: History) -> Violations:
    """Check invariant 9: every deployment that turned out harmful was rolled back in time."""
    for entry, deployment, how in _harmful(history):
        delays = [
            (rollback.entry.at - entry.at).total_seconds()
            for rollback in history.of(Rollback, entry.subject)
            if rollback.noun.deployment == deployment and rollback.entry.seq > entry.seq
        ]
        name = f"{deployment} (row {entry.seq})"
        if not delays:
            yield [f"{name} {how} and was not rolled back"]
        elif delays[0] > ROLLBACK_SECONDS:
            yield [f"{name} was rolled back after {delays[0]:.0f} s, the limit is {ROLLBACK_SECONDS}"]
        else:
            yield []


def _harmful(history: History) -> Iterator[tuple[Entry, str, str]]:
    """Yield (entry, deployment, reason in words) for every record that shows a harmful deployment."""
    for verified in history.every(Verification):
        if not verified.noun.ok:
            yield verified.entry, verified.noun.deployment, "failed its verification"
    for watched in history.every(Watch):
        if watched.noun.hurts:
            yield watched.entry, watched.noun.deployment, "made real calls worse"
    for tried in history.every(Trial):
        if not tried.noun.promoted:
            yield tried.entry, tried.noun.deployment, "did not pass its trial on real calls"
    followings = history.every(Following)
    given_up = {followed.noun.deployment for followed in followings if followed.noun.end is FollowEnd.NEEDS_PERSON}
    for followed in followings:
        if followed.noun.end is FollowEnd.DOES_NOT_HOLD and followed.noun.deployment not in given_up:
            yield followed.entry, followed.noun.deployment, "did not hold while it was followed"


def itself(history: History) -> Violations:
    """Check invariant 10: a change of whet itself is started and approved by a person, at most once a day."""
    cycle_of = {proposal.id: seen.entry.subject for seen in history.every(Proposals) for proposal in seen.noun}
    earlier_cycles: dict[str, Recorded[Trigger]] = {}
    for deployed in history.every(Deployment):
        patch = history.patch(deployed)
        if patch is None:
            yield [f"{describe(deployed)}: its patch is not on record before it"]
            continue
        if not any(path.startswith(ITSELF) for path in patch.paths) and not _guard_flagged(history.evidence(deployed)):
            continue
        cycle = cycle_of.get(deployed.noun.proposal, "")
        trigger = next(iter(history.of(Trigger, cycle)), None)
        gaps = _unguarded(history, deployed, trigger, earlier_cycles)
        yield [f"{describe(deployed)} changes whet itself: {gap}" for gap in gaps]
        if trigger:
            earlier_cycles[cycle] = trigger


def _guard_flagged(evidence: Evidence | None) -> bool:
    """True if the guard recognised whet's own source, which may be in another folder than `src/whet/`."""
    return evidence is not None and any(finding.rule == "changes_itself" for finding in evidence.guard)


def _unguarded(
    history: History,
    deployed: Recorded[Deployment],
    trigger: Recorded[Trigger] | None,
    earlier_cycles: Mapping[str, Recorded[Trigger]],
) -> Iterator[str]:
    """Yield the missing safeguards of a change of whet itself; `earlier_cycles` are those that changed whet before."""
    if not any(approved_at_require(answer) for answer in history.answers(deployed)):
        yield "no person approved it at tier require"
    if trigger is None:
        yield "the trigger of its cycle is not on record"
        return
    if trigger.noun.kind is not TriggerKind.HUMAN:
        yield f"its cycle was started by a {trigger.noun.kind} trigger, not by a person"
    for cycle, other in earlier_cycles.items():
        if cycle != trigger.entry.subject and abs(trigger.entry.at - other.entry.at) < _A_DAY:
            yield f"the cycle {cycle} did so less than a day before"
