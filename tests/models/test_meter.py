"""The meter reserves before a request, and settles or refunds after it."""

from dataclasses import replace
from decimal import Decimal

import pytest

from whet.config import ModelPolicy
from whet.domain.clock import now
from whet.domain.reservation import Reservation, ReservationState, Resource
from whet.errors import BudgetSpent
from whet.models.meter import Meter
from whet.models.prices import Price, Usage, price_of


class FakeBudgets:
    """Budgets in memory, with a limit per resource."""

    def __init__(self, tokens: int, money: int) -> None:
        self.left = {Resource.TOKENS: tokens, Resource.MONEY: money}

    def reserve(self, resource: Resource, amount: int, subject: str) -> Reservation:
        if amount > self.left[resource]:
            raise BudgetSpent(f"there is no room for {amount} {resource}")
        self.left[resource] -= amount
        return Reservation(
            resource=resource,
            amount=amount,
            subject=subject,
            id=f"{resource}-{amount}",
            settled=None,
            holder="",
            at=now(),
            state=ReservationState.OPEN,
        )

    def settle(self, reservation: Reservation, actual: int) -> Reservation:
        self.left[reservation.resource] += reservation.amount - actual
        return replace(reservation, settled=actual, state=ReservationState.SETTLED)

    def refund(self, reservation: Reservation) -> Reservation:
        return self.settle(reservation, 0)


PRICE = Price(input=Decimal(2), output=Decimal(10), source="settings")


def test_a_request_is_settled_with_what_it_used() -> None:
    budgets = FakeBudgets(tokens=10_000, money=100_000)
    meter = Meter(budgets, PRICE, "p-1")
    reserved = meter.reserve(Usage(input_tokens=1_000, output_tokens=2_000))
    assert budgets.left == {Resource.TOKENS: 7_000, Resource.MONEY: 100_000 - 22_000}
    meter.settle(reserved, Usage(input_tokens=1_000, output_tokens=10))
    assert budgets.left == {Resource.TOKENS: 8_990, Resource.MONEY: 100_000 - 2_100}


def test_a_request_that_money_does_not_cover_holds_no_tokens() -> None:
    budgets = FakeBudgets(tokens=10_000, money=1)
    with pytest.raises(BudgetSpent):
        Meter(budgets, PRICE, "p-1").reserve(Usage(input_tokens=1, output_tokens=1))
    assert budgets.left == {Resource.TOKENS: 10_000, Resource.MONEY: 1}


def test_a_refunded_request_costs_nothing() -> None:
    budgets = FakeBudgets(tokens=100, money=10_000)
    meter = Meter(budgets, PRICE, "p-1")
    meter.refund(meter.reserve(Usage(input_tokens=50, output_tokens=50)))
    assert budgets.left == {Resource.TOKENS: 100, Resource.MONEY: 10_000}


def test_a_price_is_rounded_up_to_the_smallest_unit() -> None:
    tiny = Price(input=Decimal("0.1"), output=Decimal(0), source="settings")
    assert tiny.cost(Usage(input_tokens=1, output_tokens=0)) == 1


@pytest.mark.parametrize(
    ("settings", "source"),
    [
        ({"name": "openai:gpt-5"}, "genai-prices"),
        ({"name": "openai:gpt-5", "price_input": "1", "price_output": "2"}, "settings"),
        ({"name": "openai:no-such-model"}, "ceiling"),
        ({"name": "openai:gpt-5", "base_url": "http://127.0.0.1:8080/v1"}, "ceiling"),
    ],
)
def test_the_price_comes_from_the_settings_then_the_published_list_then_the_ceiling(
    settings: dict[str, str], source: str
) -> None:
    assert price_of(ModelPolicy.model_validate(settings)).source == source
