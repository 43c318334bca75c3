"""Apply the budgets: the guard's budget rules, checked inside the transaction that makes the reservation.

Cycles, proposals and failed attempts are counted from the ledger once they are recorded there. The reservations add
those that are under way, and time, tokens and money, which the ledger does not count. A cycle or proposal that is in
both counts once, so that a crash between the two writes neither loses it nor counts it twice.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from whet.config import BudgetPolicy
from whet.domain.clock import now
from whet.domain.memory import Memory
from whet.domain.reservation import A_DAY, Reservation, ReservationRequest, ReservationState, Resource
from whet.errors import BudgetSpent, Refused
from whet.guard.answer import Allow, GuardAnswer
from whet.guard.budget import Spent, budget, room
from whet.ledger.ledger import Ledger
from whet.phases.learn.step import remember
from whet.store.reservations import Reservations

Rows = Sequence[Reservation]

REMEDY = "see [budget] in whet.toml; `whet budget` shows how much is left and when it renews"


@dataclass(frozen=True)
class Use:
    """The used part of one budget; `taken_at` are the times at which it was taken."""

    reserved: int
    spent: int
    taken_at: tuple[datetime, ...]

    @property
    def total(self) -> int:
        return self.reserved + self.spent


class Budgets:
    """The budgets of one repository, shared by all its processes."""

    def __init__(self, ledger: Ledger, reservations: Reservations, policy: BudgetPolicy) -> None:
        self._ledger, self._reservations, self.policy = ledger, reservations, policy
        self._remembered: tuple[int, Memory] = (-1, Memory(()))

    def reserve_cycle(self, identity: str) -> Reservation:
        """Reserve one of the day's cycles. Raise Refused if no cycle or no time at all is left."""

        def permit(rows: Rows) -> None:
            _require(self._room(rows, Resource.WALL, 1), Refused)
            _require(self._judge_cycle(rows), Refused)

        return self._reservations.reserve(
            ReservationRequest(resource=Resource.CYCLES, amount=1, subject=identity), permit
        )

    def reserve_attempt(self, proposal: str, signature: str) -> str:
        """Reserve one of the day's proposals and one attempt on a signature. Return the reason if that is refused."""

        def permit(rows: Rows) -> None:
            _require(self._judge_attempt(rows, signature), Refused)

        request = ReservationRequest(resource=Resource.ATTEMPTS, amount=1, subject=proposal, about=signature)
        try:
            self._reservations.reserve(request, permit)
        except Refused as refusal:
            return refusal.message
        return ""

    def why_not(self, signature: str) -> str:
        """Return the reason why no attempt on a signature can start now; empty if one can."""
        answer = self._judge_attempt(self._reservations.counted(), signature)
        return "" if isinstance(answer, Allow) else answer.reason

    def renews_at(self, resource: Resource) -> datetime | None:
        """Return the time at which there is room again in a spent daily budget that is counted by subjects; None if
        there is room now, or if the policy grants none at all."""
        use, granted = self.use(self._reservations.counted(), resource), self.granted(resource)
        if use.total < granted or not granted:
            return None
        return sorted(use.taken_at)[use.total - granted] + A_DAY

    def reserve(self, resource: Resource, amount: int, subject: str) -> Reservation:
        """Reserve tokens, money or time, in smallest units. Raise BudgetSpent if not enough is left."""

        def permit(rows: Rows) -> None:
            _require(self._room(rows, resource, amount), BudgetSpent)

        return self._reservations.reserve(ReservationRequest(resource=resource, amount=amount, subject=subject), permit)

    def settle(self, reservation: Reservation, actual: int) -> Reservation:
        """Close a reservation with the amount that was really spent."""
        return self._reservations.settle(reservation, actual)

    def refund(self, reservation: Reservation) -> Reservation:
        """Close a reservation of which nothing was spent."""
        return self._reservations.refund(reservation)

    def end_attempt(self, proposal: str, *, failed: bool) -> None:
        """Settle the attempt of a proposal if it failed; refund it if it worked.

        A reservation of an earlier process was refunded when that process ended.
        """
        for reservation in self._reservations.held(Resource.ATTEMPTS, proposal):
            if failed:
                self._reservations.settle(reservation, reservation.amount)
            else:
                self._reservations.refund(reservation)

    @contextmanager
    def wall(self, subject: str, seconds: float) -> Iterator[None]:
        """Reserve `seconds` for the body, and settle the time that it took, even if it raised."""
        yield from self._timed(lambda: self.reserve(Resource.WALL, _milliseconds(seconds), subject))

    @contextmanager
    def wall_without_limit(self, subject: str) -> Iterator[None]:
        """Count the time of the body without ever refusing it, for work that must be done, such as verifying a
        deployment."""
        request = ReservationRequest(resource=Resource.WALL, amount=0, subject=subject)
        yield from self._timed(lambda: self._reservations.reserve(request, lambda _: None))

    def _timed(self, reserve: Callable[[], Reservation]) -> Iterator[None]:
        reservation, started = reserve(), time.monotonic()
        try:
            yield
        finally:
            self._reservations.settle(reservation, _milliseconds(time.monotonic() - started))

    def granted(self, resource: Resource) -> int:
        """Return the policy's limit of a resource, in smallest units."""
        limits: dict[Resource, int | Decimal] = {
            Resource.CYCLES: self.policy.cycles_per_day,
            Resource.PROPOSALS: self.policy.proposals_per_day,
            Resource.ATTEMPTS: self.policy.attempts_per_signature,
            Resource.TOKENS: self.policy.tokens_per_day,
            Resource.MONEY: self.policy.money_per_day,
            Resource.WALL: self.policy.wall_seconds_per_day,
        }
        return int(limits[resource] * resource.units_in_one)

    def counted(self) -> Rows:
        """Return the reservations of the last 24 hours that count."""
        return self._reservations.counted()

    def use(self, rows: Rows, resource: Resource, signature: str = "") -> Use:
        """Return the use of a budget according to the reservations `rows` and the ledger.

        A subject that is in the ledger counts once, whatever it has reserved.
        """
        if not resource.once_per_subject:
            counted = [row for row in rows if row.resource is resource]
            times = tuple(row.at for row in counted if row.reserved or row.spent)
            return Use(sum(row.reserved for row in counted), sum(row.spent for row in counted), times)
        recorded = self._recorded(resource, signature)
        unrecorded = {row.subject: row for row in _rows_of(rows, resource, signature) if row.subject not in recorded}
        reserved = sum(row.state is ReservationState.OPEN for row in unrecorded.values())
        times = (*recorded.values(), *(row.at for row in unrecorded.values()))
        return Use(reserved, len(recorded) + len(unrecorded) - reserved, times)

    def last_attempt_at(self, signature: str) -> datetime | None:
        """Return the time of the last lesson on a signature; None if there is none."""
        times = [lesson.learned_at for lesson in self._memory().lessons if lesson.signature == signature]
        return times[-1] if times else None

    def signatures(self) -> tuple[str, ...]:
        """Return the signatures that have failed attempts."""
        lessons = self._memory().lessons
        failed = (lesson.signature for lesson in lessons if lesson.signature and not lesson.ending.worked)
        return tuple(dict.fromkeys(failed))

    def _recorded(self, resource: Resource, signature: str) -> dict[str, datetime]:
        """Return the subjects in the ledger that count against a budget, with their times."""
        if resource is Resource.ATTEMPTS:
            return {lesson.proposal: lesson.learned_at for lesson in self._memory().failures(signature)}
        kind = "Trigger" if resource is Resource.CYCLES else "Proposal"
        return {entry.subject: entry.at for entry in self._ledger.entries(kind=kind, since=now() - A_DAY)}

    def _memory(self) -> Memory:
        """Read the lessons once for each state of the ledger: a page judges many findings."""
        seq = self._ledger.head().seq  # before the lessons: one that is appended meanwhile is read again
        if self._remembered[0] != seq:
            self._remembered = (seq, remember(self._ledger.entries(kind="Lesson")))
        return self._remembered[1]

    def _room(self, rows: Rows, resource: Resource, amount: int) -> GuardAnswer:
        use = self.use(rows, resource)
        granted = self.granted(resource)
        return room(amount, spent=use.spent, reserved=use.reserved, granted=granted, resource=resource)

    def _judge_cycle(self, rows: Rows) -> GuardAnswer:
        spent = Spent(
            proposals_today=0,
            cycles_today=self.use(rows, Resource.CYCLES).total,
            attempts_on_signature=0,
            seconds_since_last_attempt=None,
            readable=True,
        )
        return budget(spent, self.policy)

    def _judge_attempt(self, rows: Rows, signature: str) -> GuardAnswer:
        """Apply the budget rules to a new attempt. An open attempt counts as the last attempt, made just now."""
        attempts = self.use(rows, Resource.ATTEMPTS, signature)
        last = now() if attempts.reserved else self.last_attempt_at(signature)
        spent = Spent(
            proposals_today=self.use(rows, Resource.PROPOSALS).total,
            cycles_today=0,  # counted when the cycle was started
            attempts_on_signature=attempts.total,
            seconds_since_last_attempt=(now() - last).total_seconds() if last else None,
            readable=True,
        )
        return budget(spent, self.policy)


def _rows_of(rows: Rows, resource: Resource, signature: str) -> Rows:
    """Return the reservations that count against a budget. Every attempt, on any signature, is also a proposal."""
    if resource is Resource.PROPOSALS:
        return [row for row in rows if row.resource is Resource.ATTEMPTS]
    return [row for row in rows if row.resource is resource and row.about == signature]


def _require(answer: GuardAnswer, error: type[Refused]) -> None:
    if not isinstance(answer, Allow):
        raise error(answer.reason, REMEDY)


def _milliseconds(seconds: float) -> int:
    return math.ceil(seconds * Resource.WALL.units_in_one)
