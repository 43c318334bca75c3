"""What must hold of findings, proposals, cycles and endings: invariants 5 to 10, which raise an alert."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from whet.domain.approval import Approval
from whet.domain.build import Build
from whet.domain.deployment import Deployment, Rollback, Verification
from whet.domain.evidence import Evidence
from whet.domain.execution import MOST_SHARE
from whet.domain.finding import MINIMUM_SIGNALS, Finding
from whet.domain.lesson import Lesson
from whet.domain.proposal import Proposal
from whet.domain.recorded import Overhead
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
    setting,
)

ROLLBACK_SECONDS = 300
ITSELF = "src/whet/"
_A_DAY = timedelta(days=1)
_A_START_SECONDS = 1.0
"""What the starts of some processes may take, however little their tools then do."""


def traceable(record: History) -> Violations:
    for seen in record.every(Diagnoses):
        for diagnosis in seen.noun:
            finding = diagnosis.finding
            yield [f"finding {finding.id} (row {seen.entry.seq}): {gap}" for gap in _untraceable(finding)]


def _untraceable(finding: Finding) -> Iterator[str]:
    minimum = MINIMUM_SIGNALS[finding.kind]
    if len(finding.signals) < minimum:
        yield f"{len(finding.signals)} signals, a {finding.kind} finding needs {minimum}"
    for signal in finding.signals:
        if not (signal.source.strip() and signal.subject.strip() and signal.at.utcoffset() is not None):
            yield f"a {signal.kind} signal does not say where it comes from, what it is about and when it was seen"


def complete(record: History) -> Violations:
    for seen in record.every(Proposal):
        same = seen.noun.id == seen.entry.subject
        yield [] if same else [f"row {seen.entry.seq} holds {seen.noun.id} as the proposal {seen.entry.subject}"]


def bounded(record: History) -> Violations:
    yield from _cycles(record)
    for seen in record.every(Overhead):
        yield list(_too_dear(seen))


def _too_dear(seen: Recorded[Overhead]) -> Iterator[str]:
    own, spent = seen.noun.own_seconds, seen.noun.spent_seconds
    if spent > max(_A_START_SECONDS, MOST_SHARE * own):
        yield f"row {seen.entry.seq}: recording took {spent:.1f} s beside {own:.1f} s of the tools, {MOST_SHARE:.0%} may be"


def _cycles(record: History) -> Violations:
    busy_until, busy = 0, ""
    for trigger in record.every(Trigger):
        cycle, last = trigger.entry.subject, record.rows(trigger.entry.subject)[-1]
        problems = list(_too_long(record, trigger, last))
        if trigger.entry.seq < busy_until:
            problems.append(f"cycle {cycle} began in row {trigger.entry.seq}, before {busy} had ended")
        if last.seq > busy_until:
            busy_until, busy = last.seq, cycle
        yield problems


def _too_long(record: History, trigger: Recorded[Trigger], last: Entry) -> Iterator[str]:
    took = (last.at - trigger.entry.at).total_seconds()
    limit = setting(_policy_of(record, trigger), "budget", "cycle_seconds")
    if not isinstance(limit, int | float):
        yield f"cycle {trigger.entry.subject}: the policy that bounds it is not on record"
    elif took > limit:
        yield f"cycle {trigger.entry.subject} took {took:.0f} s, budget.cycle_seconds is {limit}"


def _policy_of(record: History, trigger: Recorded[Trigger]) -> Any:
    """The policy that the cycle's evidence names; where there is none, the one recorded last before it began."""
    carried = [proposal.id for seen in record.of(Proposals, trigger.entry.subject) for proposal in seen.noun]
    describe = [seen.noun.policy_digest for identity in carried for seen in record.of(Evidence, identity)]
    return record.policy(describe[0]) if describe else record.policy_at(trigger.entry.seq)


def learned(record: History) -> Violations:
    for cycle in record.every(Proposals):
        if not cycle.noun:
            yield _without_lesson(record, cycle.entry, "proposed nothing")
    for proposal in record.every(Proposal):
        for end in _ends(record, proposal.noun.id):
            yield _without_lesson(record, end, f"ended ({end.kind} in row {end.seq})")


def _without_lesson(record: History, end: Entry, how: str) -> list[str]:
    lessons = record.of(Lesson, end.subject)
    learned = any(seen.entry.seq > end.seq and seen.noun.proposal == end.subject for seen in lessons)
    return [] if learned else [f"{end.subject} {how} and left no lesson"]


def _ends(record: History, proposal: str) -> Iterator[Entry]:
    """Where a proposal could not go on. An answer that no gate has looked at yet ends nothing, nor does an error
    after which the work went on: a branch that moves is rebased upon."""
    rows = record.rows(proposal)
    looked = {row.body for row in rows if row.kind == "Look"}
    yield from (seen.entry for seen in record.of(Build, proposal) if seen.noun.patch is None)
    yield from (seen.entry for seen in record.of(Evidence, proposal) if seen.noun.verdict is Verdict.FAILED)
    for seen in record.of(Approval, proposal):
        if not seen.noun.granted and f'"{seen.entry.key}"' in looked:
            yield seen.entry
    yield from (seen.entry for seen in record.of(Verification, proposal) if seen.noun.ok)
    yield from (seen.entry for seen in record.of(Rollback, proposal))
    if rows and rows[-1].kind == "Error":
        yield rows[-1]


def _hurting(record: History) -> Iterator[tuple[Entry, str, str]]:
    """What was seen to hurt: where that is on record, the deployment, and in words."""
    for verified in record.every(Verification):
        if not verified.noun.ok:
            yield verified.entry, verified.noun.deployment, "failed its verification"
    for watched in record.every(Watch):
        if watched.noun.hurts:
            yield watched.entry, watched.noun.deployment, "hurt while it was watched"
    for tried in record.every(Trial):
        if not tried.noun.promoted:
            yield tried.entry, tried.noun.deployment, "did not hold on real calls"


def taken_back(record: History) -> Violations:
    for entry, deployment, how in _hurting(record):
        after = [
            (row.entry.at - entry.at).total_seconds()
            for row in record.of(Rollback, entry.subject)
            if row.noun.deployment == deployment and row.entry.seq > entry.seq
        ]
        name = f"{deployment} (row {entry.seq})"
        if not after:
            yield [f"{name} {how} and was not taken back"]
        elif after[0] > ROLLBACK_SECONDS:
            yield [f"{name} was taken back after {after[0]:.0f} s, the limit is {ROLLBACK_SECONDS}"]
        else:
            yield []


def itself(record: History) -> Violations:
    cycle_of = {p.id: seen.entry.subject for seen in record.every(Proposals) for p in seen.noun}
    began: dict[str, Recorded[Trigger]] = {}
    for deployed in record.every(Deployment):
        patch = record.patch(deployed)
        if patch is None:
            yield [f"{named(deployed)}: what it changed is not on record before it"]
        elif any(path.startswith(ITSELF) for path in patch.paths) or _said_so(record.evidence(deployed)):
            cycle = cycle_of.get(deployed.noun.proposal, "")
            trigger = next(iter(record.of(Trigger, cycle)), None)
            yield [
                f"{named(deployed)} changes whet itself: {gap}" for gap in _unguarded(record, deployed, trigger, began)
            ]
            if trigger:
                began[cycle] = trigger


def _said_so(evidence: Evidence | None) -> bool:
    """The guard knows whet by its source, wherever it lies."""
    return evidence is not None and any(finding.rule == "changes_itself" for finding in evidence.guard)


def _unguarded(
    record: History, deployed: Recorded[Deployment], trigger: Recorded[Trigger] | None, began: Mapping[str, Recorded[Trigger]]
) -> Iterator[str]:
    """`began` are the triggers of the cycles that changed whet itself before this one."""
    if not any(approved_at_require(answer) for answer in record.answers(deployed)):
        yield "no person approved it at tier require"
    if trigger is None:
        yield "the trigger of its cycle is not on record"
        return
    if trigger.noun.kind is not TriggerKind.HUMAN:
        yield f"its cycle was started by a {trigger.noun.kind} trigger, not by a person"
    for cycle, other in began.items():
        if cycle != trigger.entry.subject and abs(trigger.entry.at - other.entry.at) < _A_DAY:
            yield f"the cycle {cycle} did so less than a day before"
