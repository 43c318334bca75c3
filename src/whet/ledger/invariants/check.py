"""The promises that the ledger alone can prove, each looked at entry by entry.

Pure: entries in, findings out. What cannot be read breaks the promise that needs it. "Before" means a lower row of
the chain, not an earlier clock.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from whet.domain.approval import Approval, Question
from whet.domain.build import Build
from whet.domain.deployment import Deployment, Rehearsal, Rollback, Snapshot, Verification
from whet.domain.evidence import Evidence
from whet.domain.lesson import Lesson
from whet.domain.proposal import Proposal
from whet.domain.recorded import Overhead
from whet.domain.trial import Trial, Watch
from whet.domain.trigger import Trigger
from whet.ledger.entry import Entry
from whet.ledger.invariants import alerting, blocking
from whet.ledger.invariants.history import Diagnoses, History, Proposals, Violations


@dataclass(frozen=True, kw_only=True)
class InvariantResult:
    """`checked` counts what was looked at: a promise that holds over nothing says so."""

    number: int
    statement: str
    holds: bool
    blocking: bool
    checked: int
    violations: tuple[str, ...]


@dataclass(frozen=True)
class Invariant:
    number: int
    statement: str
    look: Callable[[History], Violations]
    needs: tuple[Any, ...]

    @property
    def blocking(self) -> bool:
        return self.number <= 4


def check_invariants(entries: Sequence[Entry]) -> tuple[InvariantResult, ...]:
    record = History(entries)
    return tuple(_prove(invariant, record) for invariant in INVARIANTS)


def _prove(invariant: Invariant, record: History) -> InvariantResult:
    looked = [*([problem] for problem in record.broken(*invariant.needs)), *invariant.look(record)]
    violations = tuple(problem for problems in looked for problem in problems)
    return InvariantResult(
        number=invariant.number,
        statement=invariant.statement,
        holds=not violations,
        blocking=invariant.blocking,
        checked=len(looked),
        violations=violations,
    )


_DEPLOYING = (Deployment, Evidence, Approval)
INVARIANTS = (
    Invariant(1, "no deployment without a passed verdict or a person's override", blocking.proven, _DEPLOYING),
    Invariant(
        2,
        "no deployment without proposal, verdict, approval, time and actor on record",
        blocking.recorded,
        (*_DEPLOYING, Proposal),
    ),
    Invariant(
        3,
        "a snapshot and a rehearsed rollback before every deployment",
        blocking.reversible,
        (Deployment, Snapshot, Rehearsal),
    ),
    Invariant(
        4,
        "the tier is respected, and a person is on record where one is required",
        blocking.tiered,
        (*_DEPLOYING, Question),
    ),
    Invariant(5, "every finding has its minimum of traceable signals", alerting.traceable, (Diagnoses,)),
    Invariant(6, "every proposal is typed and complete", alerting.complete, (Proposal, Proposals)),
    Invariant(
        7, "cycles keep to their time and do not overlap, recording to its share", alerting.bounded, (Trigger, Overhead)
    ),
    Invariant(
        8,
        "everything that ended left a lesson",
        alerting.learned,
        (Proposals, Build, Evidence, Verification, Rollback, Lesson),
    ),
    Invariant(
        9,
        f"what fails after its deployment is taken back within {alerting.ROLLBACK_SECONDS} s",
        alerting.taken_back,
        (Verification, Watch, Trial, Rollback),
    ),
    Invariant(
        10,
        "whet changes itself once a day at most, started and approved by a person",
        alerting.itself,
        (*_DEPLOYING, Build, Trigger, Proposals),
    ),
)
