"""The meter of model requests: reserve tokens and money before a request, settle what the provider reports after it."""

from dataclasses import dataclass
from typing import Protocol

from whet.domain.reservation import Reservation, Resource
from whet.errors import BudgetSpent
from whet.models.prices import Price, Usage


class Spending(Protocol):
    """The part of the budgets that the meter needs (`whet.workflow.budgets`)."""

    def reserve(self, resource: Resource, amount: int, subject: str) -> Reservation:
        """Reserve an amount in smallest units. Raise BudgetSpent if not enough is left."""
        ...

    def settle(self, reservation: Reservation, actual: int) -> Reservation:
        """Close a reservation with the amount that was really spent."""
        ...

    def refund(self, reservation: Reservation) -> Reservation:
        """Close a reservation of which nothing was spent."""
        ...


@dataclass(frozen=True)
class Reserved:
    """The reservations of one request."""

    tokens: Reservation
    money: Reservation


class Meter:
    """Counts the requests to one model for one subject: a proposal, or a cycle."""

    def __init__(self, spending: Spending, price: Price, subject: str) -> None:
        self._spending, self._price, self._subject = spending, price, subject

    def reserve(self, most: Usage) -> Reserved:
        """Reserve the most that a request can use. Raise BudgetSpent if the day's tokens or money do not suffice."""
        tokens = self._spending.reserve(Resource.TOKENS, most.tokens, self._subject)
        try:
            money = self._spending.reserve(Resource.MONEY, self._price.cost(most), self._subject)
        except BudgetSpent:
            self._spending.refund(tokens)
            raise
        return Reserved(tokens, money)

    def settle(self, reserved: Reserved, used: Usage) -> None:
        """Record what a request used, even if that is more than was reserved."""
        self._spending.settle(reserved.tokens, used.tokens)
        self._spending.settle(reserved.money, self._price.cost(used))

    def refund(self, reserved: Reserved) -> None:
        """Give back the reservation of a request that the provider did not answer and does not charge."""
        self._spending.refund(reserved.tokens)
        self._spending.refund(reserved.money)
