"""The budgets at work: the guard's rules over the book and the ledger, asked inside the book's own transaction.

The ledger stays the record of what happened. The book adds what is under way, and what the ledger does not count:
time, tokens, money. What is in both, a cycle or a proposal by its id, counts once, so that a crash between the two
neither loses it nor counts it twice.
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
from whet.guard.answer import Allow, Answer
from whet.guard.budget import Spent, budget, room
from whet.ledger.ledger import Ledger
from whet.phases.learn.step import remember
from whet.store.reservations import Reservations

Rows = Sequence[Reservation]

REMEDY = "see [budget] in whet.toml; `whet budget` shows what is left and when it renews"


@dataclass(frozen=True)
class Use:
    """What is taken of one budget, and when each part of it was."""

    reserved: int
    spent: int
    taken_at: tuple[datetime, ...]

    @property
    def total(self) -> int:
        return self.reserved + self.spent


class Budgets:
    def __init__(self, ledger: Ledger, book: Reservations, policy: BudgetPolicy) -> None:
        self._ledger, self._book, self.policy = ledger, book, policy

    def reserve_cycle(self, identity: str) -> Reservation:
        """One of today's cycles, if there is room for it and for any work at all."""

        def permit(rows: Rows) -> None:
            _insist(self._room(rows, Resource.WALL, 1), Refused)
            _insist(self._for_a_cycle(rows), Refused)

        return self._book.reserve(ReservationRequest(resource=Resource.CYCLES, amount=1, subject=identity), permit)

    def reserve_attempt(self, proposal: str, signature: str) -> str:
        """One of today's proposals and one of the attempts on a signature; the reason where there is none."""

        def permit(rows: Rows) -> None:
            _insist(self._for_an_attempt(rows, signature), Refused)

        wanted = ReservationRequest(resource=Resource.ATTEMPTS, amount=1, subject=proposal, about=signature)
        try:
            self._book.reserve(wanted, permit)
        except Refused as no:
            return no.message
        return ""

    def why_not(self, signature: str) -> str:
        """Why no attempt on a signature can be begun now; empty when one can."""
        answer = self._for_an_attempt(self._book.counted(), signature)
        return "" if isinstance(answer, Allow) else answer.reason

    def reserve(self, resource: Resource, amount: int, subject: str) -> Reservation:
        """An amount of tokens, money or time in its smallest unit, or BudgetSpent."""

        def permit(rows: Rows) -> None:
            _insist(self._room(rows, resource, amount), BudgetSpent)

        return self._book.reserve(ReservationRequest(resource=resource, amount=amount, subject=subject), permit)

    def settle(self, reservation: Reservation, actual: int) -> Reservation:
        return self._book.settle(reservation, actual)

    def refund(self, reservation: Reservation) -> Reservation:
        return self._book.refund(reservation)

    def end_attempt(self, proposal: str, *, failed: bool) -> None:
        """An attempt that worked costs nothing. What another process held for it was given back when that ended."""
        for held in self._book.held(Resource.ATTEMPTS, proposal):
            if failed:
                self._book.settle(held, held.amount)
            else:
                self._book.refund(held)

    @contextmanager
    def wall(self, subject: str, seconds: float) -> Iterator[None]:
        """The time that what is inside may take, reserved; the time that it took, settled, be it that it broke."""
        yield from self._timed(lambda: self.reserve(Resource.WALL, _milliseconds(seconds), subject))

    @contextmanager
    def wall_at_any_price(self, subject: str) -> Iterator[None]:
        """For what may not be left undone, such as looking after a deployment: counted, never refused."""
        nothing = ReservationRequest(resource=Resource.WALL, amount=0, subject=subject)
        yield from self._timed(lambda: self._book.reserve(nothing, lambda _: None))

    def _timed(self, reserve: Callable[[], Reservation]) -> Iterator[None]:
        reservation, started = reserve(), time.monotonic()
        try:
            yield
        finally:
            self._book.settle(reservation, _milliseconds(time.monotonic() - started))

    def granted(self, resource: Resource) -> int:
        whole: dict[Resource, int | Decimal] = {
            Resource.CYCLES: self.policy.cycles_per_day,
            Resource.PROPOSALS: self.policy.proposals_per_day,
            Resource.ATTEMPTS: self.policy.attempts_per_signature,
            Resource.TOKENS: self.policy.tokens_per_day,
            Resource.MONEY: self.policy.money_per_day,
            Resource.WALL: self.policy.wall_seconds_per_day,
        }
        return int(whole[resource] * resource.units_in_one)

    def counted(self) -> Rows:
        return self._book.counted()

    def use(self, rows: Rows, resource: Resource, signature: str = "") -> Use:
        """What `rows` and the ledger say is taken of a budget."""
        if resource.once_per_subject:
            recorded = self._recorded(resource, signature)
            known = {one.subject: one for one in _of(rows, resource, signature) if one.subject not in recorded}
            reserved = sum(one.state is ReservationState.OPEN for one in known.values())
            at = (*recorded.values(), *(one.at for one in known.values()))
            return Use(reserved, len(recorded) + len(known) - reserved, at)
        taken = [one for one in rows if one.resource is resource]
        at = tuple(one.at for one in taken if one.reserved or one.spent)
        return Use(sum(one.reserved for one in taken), sum(one.spent for one in taken), at)

    def last_attempt_at(self, signature: str) -> datetime | None:
        tries = [one.learned_at for one in self._memory().lessons if one.signature == signature]
        return tries[-1] if tries else None

    def signatures(self) -> tuple[str, ...]:
        """Those that something was tried on and did not work."""
        failed = (one.signature for one in self._memory().lessons if one.signature and not one.ending.worked)
        return tuple(dict.fromkeys(failed))

    def _recorded(self, resource: Resource, signature: str) -> dict[str, datetime]:
        if resource is Resource.ATTEMPTS:
            return {one.proposal: one.learned_at for one in self._memory().failures(signature)}
        kind = "Trigger" if resource is Resource.CYCLES else "Proposal"
        return {one.subject: one.at for one in self._ledger.entries(kind=kind, since=now() - A_DAY)}

    def _memory(self) -> Memory:
        return remember(self._ledger.entries(kind="Lesson"))

    def _room(self, rows: Rows, resource: Resource, wanted: int) -> Answer:
        use = self.use(rows, resource)
        granted = self.granted(resource)
        return room(wanted, spent=use.spent, reserved=use.reserved, granted=granted, resource=resource)

    def _for_a_cycle(self, rows: Rows) -> Answer:
        spent = Spent(
            proposals_today=0,
            cycles_today=self.use(rows, Resource.CYCLES).total,
            attempts_on_signature=0,
            seconds_since_last_attempt=None,
            readable=True,
        )
        return budget(spent, self.policy)

    def _for_an_attempt(self, rows: Rows, signature: str) -> Answer:
        """An attempt that is under way is as recent as can be."""
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


def _of(rows: Rows, resource: Resource, signature: str) -> Rows:
    """An attempt is a proposal too, whatever it is about."""
    if resource is Resource.PROPOSALS:
        return [one for one in rows if one.resource is Resource.ATTEMPTS]
    return [one for one in rows if one.resource is resource and one.about == signature]


def _insist(answer: Answer, error: type[Refused]) -> None:
    if not isinstance(answer, Allow):
        raise error(answer.reason, REMEDY)


def _milliseconds(seconds: float) -> int:
    return math.ceil(seconds * Resource.WALL.units_in_one)
