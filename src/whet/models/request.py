"""A request to a language model, and its reply."""

from dataclasses import dataclass
from enum import StrEnum

from whet.models.prices import Usage


class Finish(StrEnum):
    """The reason why a reply ended."""

    STOP = "stop"
    CUT = "cut at max_tokens"
    REFUSED = "refused"


@dataclass(frozen=True, kw_only=True)
class ModelRequest:
    """The rules, then what the user and the model said in turn; the first turn and the last are the user's."""

    rules: str
    turns: tuple[str, ...]
    temperature: float
    max_tokens: int


@dataclass(frozen=True, kw_only=True)
class ModelReply:
    """The text of a reply, what it used, and why it ended. `usage` is None if the provider did not report it."""

    text: str
    usage: Usage | None
    finish: Finish
    seconds: float = 0.0
