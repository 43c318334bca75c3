"""The price of a request to a model, in the unit of `budget.money_per_day`."""

from dataclasses import dataclass
from decimal import ROUND_UP, Decimal

from whet.config import ModelPolicy
from whet.domain.reservation import Resource

_PER_MILLION = Decimal(1_000_000)


@dataclass(frozen=True, kw_only=True)
class Usage:
    """The tokens of one request, as reserved before it or as the provider reported them."""

    input_tokens: int
    output_tokens: int

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, kw_only=True)
class Price:
    """The price of a million input tokens and a million output tokens, and where it comes from."""

    input: Decimal
    output: Decimal
    source: str
    """`settings`, `genai-prices`, or `ceiling` if the price is unknown and the configured ceiling counts."""

    def cost(self, usage: Usage) -> int:
        """Return the cost in smallest units of money, rounded up."""
        money = (usage.input_tokens * self.input + usage.output_tokens * self.output) / _PER_MILLION
        return int((money * Resource.MONEY.units_in_one).to_integral_value(ROUND_UP))


def price_of(model: ModelPolicy) -> Price:
    """Return the price of a model: from the settings, else from the published prices, else the configured ceiling."""
    if model.price_input is not None and model.price_output is not None:
        return Price(input=model.price_input, output=model.price_output, source="settings")
    return _published(model) or Price(input=model.price_ceiling, output=model.price_ceiling, source="ceiling")


def _published(model: ModelPolicy) -> Price | None:
    """Return the published price; None if the model is unknown, if a server of the user's own answers for it, or without
    the package of prices."""
    if model.base_url:
        return None
    try:
        from genai_prices import Usage as PricedUsage  # deferred: loads all published prices
        from genai_prices import calc_price
    except ImportError:
        return None
    try:
        prices = [
            calc_price(usage, model_ref=model.model, provider_id=model.provider).total_price
            for usage in (PricedUsage(input_tokens=1_000_000), PricedUsage(output_tokens=1_000_000))
        ]
    except LookupError:
        return None
    return Price(input=prices[0], output=prices[1], source="genai-prices")
