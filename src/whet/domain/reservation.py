"""What is taken from a budget: reserved before it is spent, settled after, given back when it was not."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum

A_DAY = timedelta(days=1)


class Resource(StrEnum):
    """What can run out. Amounts are whole numbers of its smallest unit, so that nothing is lost in adding up."""

    CYCLES = "cycles"
    PROPOSALS = "proposals"
    ATTEMPTS = "attempts"
    TOKENS = "tokens"
    MONEY = "money"
    WALL = "wall_seconds"

    @property
    def units_in_one(self) -> int:
        """Money is counted in millionths, time in milliseconds, everything else one by one."""
        return {Resource.MONEY: 1_000_000, Resource.WALL: 1_000}.get(self, 1)

    @property
    def once_per_subject(self) -> bool:
        """Whether one subject can take only one of it, however often it asks."""
        return self in (Resource.CYCLES, Resource.PROPOSALS, Resource.ATTEMPTS)

    def shown(self, amount: int) -> str:
        """An amount in whole ones, exact."""
        return f"{Decimal(amount) / self.units_in_one:f}"

    @property
    def words(self) -> str:
        return self.value.replace("_", " ")


class ReservationState(StrEnum):
    OPEN = "open"
    SETTLED = "settled"
    REFUNDED = "refunded"


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """`subject` is what it is for (a cycle, a proposal); `about` is the signature, where each has its own budget."""

    resource: Resource
    amount: int
    subject: str
    about: str = ""


@dataclass(frozen=True, kw_only=True)
class Reservation(Wanted):
    id: str
    settled: int | None
    holder: str
    at: datetime
    state: ReservationState

    @property
    def reserved(self) -> int:
        return self.amount if self.state is ReservationState.OPEN else 0

    @property
    def spent(self) -> int:
        """What it really took, be it more than was reserved."""
        return self.settled or 0 if self.state is ReservationState.SETTLED else 0
