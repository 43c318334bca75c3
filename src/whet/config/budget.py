"""`[budget]`: what may be spent in a day."""

from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator, Field

from whet.config.section import Section


def _exact(value: object) -> object:
    """Refuse a float, because it cannot hold most decimal fractions exactly."""
    if isinstance(value, bool | float):
        raise ValueError('write money in quotes, as "2.50", or as a whole number: a float is not exact')  # noqa: TRY004
    return value


class BudgetPolicy(Section):
    """`[budget]`: the amounts that may be spent in 24 hours. Money has no currency; it has the unit of the prices."""

    proposals_per_day: Annotated[int, Field(ge=0)] = 50
    cycles_per_day: Annotated[int, Field(ge=0)] = 50
    tokens_per_day: Annotated[int, Field(ge=0, le=10**15)] = 2_000_000
    money_per_day: Annotated[Decimal, BeforeValidator(_exact), Field(ge=0, le=10**9, decimal_places=6)] = Decimal(5)
    wall_seconds_per_day: Annotated[int, Field(ge=0, le=10**9)] = 28_800
    attempts_per_signature: Annotated[int, Field(ge=1)] = 3
    cooldown_seconds: Annotated[int, Field(ge=0)] = 0
    cycle_seconds: Annotated[int, Field(ge=1)] = 3600


Money = Annotated[Decimal, BeforeValidator(_exact), Field(ge=0, le=10**6, decimal_places=6)]
