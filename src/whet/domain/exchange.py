"""One request of a coding agent to a model, with its answer."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """A request that the proxy of a coding agent took, and its outcome.

    `request` and `answer` are the digests of the redacted texts, which are files of the state folder (`exchanges/<digest>`);
    an empty digest means that there was no text, or that the run has kept as much text as it may. `cost` is in smallest
    units of money.
    """

    number: int
    at: datetime
    endpoint: str
    model: str
    status: int
    request: str
    answer: str
    input_tokens: int
    output_tokens: int
    cost: int
    reported: bool
    """True if the provider reported the tokens; otherwise the whole reservation counts, or nothing if it was refunded."""
    seconds: float
    refused: str = ""
    """The reason for which the proxy or the provider did not answer; empty if the agent got an answer."""
