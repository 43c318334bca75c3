"""The list of invariants, and the function that checks them against the ledger's entries.

An unreadable entry violates every invariant that needs its kind. "Before" means a lower row of the chain, not an earlier
time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from whet.domain.approval import Approval, Question
from whet.domain.build import Build
from whet.domain.captured import Overhead
from whet.domain.deployment import Deployment, Rehearsal, Rollback, Snapshot, Verification
from whet.domain.evidence import Evidence
from whet.domain.lesson import Lesson
from whet.domain.proposal import Proposal
from whet.domain.trial import Trial, Watch
from whet.domain.trigger import Trigger
from whet.ledger.entry import Entry
from whet.ledger.invariants import alerting, blocking
from whet.ledger.invariants.history import Diagnoses, History, Proposals, Violations


@dataclass(frozen=True, kw_only=True)
class InvariantResult:
    """The result of checking one invariant. `checked` counts the items; with 0 the invariant holds trivially."""

    number: int
    statement: str
    holds: bool
    blocking: bool
    checked: int
    violations: tuple[str, ...]


@dataclass(frozen=True)
class Invariant:
    """A promise about the ledger. `needs` are the classes whose entries must be readable."""

    number: int
    statement: str
    check: Callable[[History], Violations]
    needs: tuple[Any, ...]

    @property
    def blocking(self) -> bool:
        return self.number <= 4


def check_invariants(entries: Sequence[Entry]) -> tuple[InvariantResult, ...]:
    """Check all invariants, in the order of their numbers."""
    history = History(entries)
    return tuple(_check(invariant, history) for invariant in INVARIANTS)


def _check(invariant: Invariant, history: History) -> InvariantResult:
    unreadable = [[problem] for problem in history.broken(*invariant.needs)]
    items = [*unreadable, *invariant.check(history)]
    violations = tuple(problem for problems in items for problem in problems)
    return InvariantResult(
        number=invariant.number,
        statement=invariant.statement,
        holds=not violations,
        blocking=invariant.blocking,
        checked=len(items),
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
        7,
        "cycles keep to their time and do not overlap, capturing calls keeps to its share of time",
        alerting.bounded,
        (Trigger, Overhead),
    ),
    Invariant(
        8,
        "every proposal and every cycle without one left a lesson",
        alerting.learned,
        (Proposals, Build, Evidence, Verification, Rollback, Lesson),
    ),
    Invariant(
        9,
        f"a deployment that fails is rolled back within {alerting.ROLLBACK_SECONDS} s",
        alerting.rolled_back,
        (Verification, Watch, Trial, Rollback),
    ),
    Invariant(
        10,
        "whet changes itself once a day at most, started and approved by a person",
        alerting.itself,
        (*_DEPLOYING, Build, Trigger, Proposals),
    ),
)
