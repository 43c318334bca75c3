"""A request to a language model, as the ledger records it before the request is sent."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ModelQuery:
    """A request that is about to be sent. The text is not kept, only its digest and what was left out of it.

    `sample` counts the independent answers to one prompt, `round` the answers to feedback within a sample. `tokens` is
    whet's estimate of the prompt, `most_tokens` the limit of the answer.
    """

    model: str
    role: str
    prompt: str
    temperature: float
    most_tokens: int
    sample: int
    round: int
    tokens: int
    left_out: tuple[str, ...] = ()
