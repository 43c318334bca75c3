"""Reservations of a budget: made before spending, settled after it, refunded if nothing was spent."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum

A_DAY = timedelta(days=1)


class Resource(StrEnum):
    """A budgeted resource. Amounts are whole numbers of its smallest unit, so sums are exact."""

    CYCLES = "cycles"
    PROPOSALS = "proposals"
    ATTEMPTS = "attempts"
    TOKENS = "tokens"
    MONEY = "money"
    WALL = "wall_seconds"

    @property
    def units_in_one(self) -> int:
        """Return how many smallest units make one unit: a million for money, a thousand for time, else one."""
        return {Resource.MONEY: 1_000_000, Resource.WALL: 1_000}.get(self, 1)

    @property
    def once_per_subject(self) -> bool:
        """True if a subject holds at most one reservation of this resource, however often it asks."""
        return self in (Resource.CYCLES, Resource.PROPOSALS, Resource.ATTEMPTS)

    @property
    def paid_outside(self) -> bool:
        """True if a provider charges for it, so that it may be spent although nobody recorded that."""
        return self in (Resource.TOKENS, Resource.MONEY)

    def shown(self, amount: int) -> str:
        """Return an amount of smallest units as an exact decimal number."""
        return f"{Decimal(amount) / self.units_in_one:f}"

    @property
    def words(self) -> str:
        return self.value.replace("_", " ")


class ReservationState(StrEnum):
    OPEN = "open"
    SETTLED = "settled"
    REFUNDED = "refunded"


@dataclass(frozen=True, kw_only=True)
class ReservationRequest:
    """A request for an amount of a resource.

    `subject` is the cycle or proposal that will spend it; `about` is the signature, for budgets counted per signature.
    """

    resource: Resource
    amount: int
    subject: str
    about: str = ""


@dataclass(frozen=True, kw_only=True)
class Reservation(ReservationRequest):
    """A granted request, made by `whet.store.reservations`."""

    id: str
    settled: int | None
    """The amount that was really spent; None while the reservation is open or refunded."""
    holder: str
    """The process that holds it, as text of a `ProcessIdentity`."""
    at: datetime
    state: ReservationState

    @property
    def reserved(self) -> int:
        return self.amount if self.state is ReservationState.OPEN else 0

    @property
    def spent(self) -> int:
        """Return the amount that was really spent, which may exceed the reserved amount."""
        return self.settled or 0 if self.state is ReservationState.SETTLED else 0
