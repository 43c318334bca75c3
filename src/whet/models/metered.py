"""Ask a language model within the budgets: each attempt is reserved before it is sent, and settled after it."""

from dataclasses import dataclass

from whet.config import ModelPolicy
from whet.models.access import ask, send
from whet.models.failures import RequestFailure
from whet.models.meter import Meter
from whet.models.prices import Usage
from whet.models.request import ModelReply, ModelRequest

_BYTES_PER_TOKEN = 3  # program text has three to four bytes per token; the provider's own count is settled later


def tokens_of(text: str) -> int:
    """Estimate the tokens of a text, rather too many than too few."""
    return -(-len(text.encode()) // _BYTES_PER_TOKEN)


@dataclass(frozen=True)
class MeteredModel:
    """One model, and the meter of its requests."""

    policy: ModelPolicy
    meter: Meter

    def ask(self, request: ModelRequest, deadline: float) -> tuple[ModelReply, Usage]:
        """Return the reply and what it used. Raise ModelUnavailable without one, BudgetSpent before it costs too much."""
        outcome = ask(self.policy, request, deadline, self._attempt)
        if isinstance(outcome, RequestFailure):
            raise outcome.error()
        return outcome, outcome.usage or self._most(request)

    def _attempt(self, policy: ModelPolicy, request: ModelRequest, seconds: float) -> ModelReply | RequestFailure:
        most = self._most(request)
        reserved = self.meter.reserve(most)
        outcome = send(policy, request, seconds)
        if isinstance(outcome, RequestFailure) and outcome.free:
            self.meter.refund(reserved)
        elif isinstance(outcome, RequestFailure):
            self.meter.settle(reserved, most)  # nobody knows whether it was charged
        else:
            self.meter.settle(reserved, outcome.usage or most)
        return outcome

    def _most(self, request: ModelRequest) -> Usage:
        texts = (request.rules, *request.turns)
        return Usage(input_tokens=sum(map(tokens_of, texts)), output_tokens=request.max_tokens)
