"""The allowance of one run of an agent: its own limits, and the day's budgets through the meter."""

import threading
from dataclasses import dataclass
from decimal import Decimal

from whet.domain.plural import count
from whet.domain.reservation import Resource
from whet.errors import BudgetSpent
from whet.models.meter import Meter, Reserved
from whet.models.prices import Price, Usage

LEAST_OUTPUT = 64  # an answer that may be shorter than this is not worth a request


class Exhausted(Exception):
    """No further request may be sent; the message says which limit is reached."""


@dataclass(frozen=True, kw_only=True)
class RunLimits:
    """The limits of one run."""

    requests: int
    tokens: int
    money: Decimal
    max_tokens: int
    """The most tokens of one answer."""


@dataclass(frozen=True)
class Grant:
    """A permitted request: the most that it may use, and its reservations."""

    most: Usage
    reserved: Reserved


class Allowance:
    """Permits the requests of one run. The first refusal for want of budget is final: the run is over for the agent."""

    def __init__(self, meter: Meter, price: Price, limits: RunLimits) -> None:
        self._meter, self._price, self._limits = meter, price, limits
        self._lock = threading.Lock()
        self._held: dict[int, Usage] = {}
        self.used = Usage(input_tokens=0, output_tokens=0)
        self.money = 0
        self.requests = 0
        self.exhausted = ""

    def most_output(self, input_tokens: int, asked: int) -> int:
        """Return how long an answer may be: as asked, or what is left of the run's tokens; 0 if that is not worth a request."""
        with self._lock:
            left = self._limits.tokens - self._tokens(list(self._held.values())) - input_tokens
        wanted = min(asked, self._limits.max_tokens)
        return min(wanted, left) if left >= min(wanted, LEAST_OUTPUT) else 0

    def reserve(self, most: Usage) -> Grant:
        """Reserve the most that a request can use. Raise Exhausted if the run or the day has not enough left."""
        with self._lock:
            self._refuse_beyond_the_run(most)
            try:
                reserved = self._meter.reserve(most)
            except BudgetSpent as problem:
                raise self._exhaust(problem.message) from problem
            self.requests += 1
            grant = Grant(most, reserved)
            self._held[id(grant)] = most
            return grant

    def settle(self, grant: Grant, used: Usage | None) -> Usage:
        """Record the use of a request. If the provider did not report it, the whole reservation counts as used."""
        actual = used or grant.most
        with self._lock:
            self._held.pop(id(grant), None)
            self.used = Usage(
                input_tokens=self.used.input_tokens + actual.input_tokens,
                output_tokens=self.used.output_tokens + actual.output_tokens,
            )
            self.money += self._price.cost(actual)
            self._meter.settle(grant.reserved, actual)
        return actual

    def refund(self, grant: Grant) -> None:
        """Give back the reservation of a request that the provider refused or never saw."""
        with self._lock:
            self._held.pop(id(grant), None)
            self._meter.refund(grant.reserved)

    def cost(self, usage: Usage) -> int:
        return self._price.cost(usage)

    def _refuse_beyond_the_run(self, most: Usage) -> None:
        limits, held = self._limits, list(self._held.values())
        if self.exhausted:
            raise Exhausted(self.exhausted)
        if self.requests >= limits.requests:
            raise self._exhaust(f"the run has made its {count(limits.requests, 'request')} (agent.requests)")
        if not most.output_tokens or self._tokens(held) + most.tokens > limits.tokens:
            raise self._exhaust(f"the run's {limits.tokens:,} tokens are used up (agent.tokens)")
        money = self.money + sum(map(self._price.cost, held)) + self._price.cost(most)
        if money > int(limits.money * Resource.MONEY.units_in_one):
            raise self._exhaust(f"the run's money, {limits.money}, is used up (agent.money)")

    def _tokens(self, held: list[Usage]) -> int:
        return self.used.tokens + sum(usage.tokens for usage in held)

    def _exhaust(self, reason: str) -> Exhausted:
        self.exhausted = reason
        return Exhausted(reason)
