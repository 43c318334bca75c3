"""The prompt: fixed rules first, then sections of text that whet did not write, each between random markers.

The markers are made for each request, so that no text of the repository can contain them. The digest of a prompt is taken
without them, so that the same question has the same digest.
"""

import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace

from whet.domain.canonical import digest
from whet.domain.redact import redact
from whet.domain.sanitize import one_line, sanitize
from whet.models.metered import tokens_of
from whet.models.request import ModelRequest

_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")


@dataclass(frozen=True)
class Quotation:
    """A piece of text from outside with its heading. The text is redacted, and hidden characters are shown."""

    heading: str
    text: str

    @classmethod
    def of(cls, heading: str, text: str) -> "Quotation":
        """Make the quotation safe to send: secrets replaced, hidden characters visible, memory addresses made equal."""
        return cls(one_line(redact(heading)), sanitize(redact(_ADDRESS.sub("0x...", text))))

    @property
    def tokens(self) -> int:
        return tokens_of(self.heading) + tokens_of(self.text) + 30

    def rendered(self, marker: str) -> str:
        return f"{self.heading}\nBEGIN {marker}\n{self.text.rstrip()}\nEND {marker}\n"


@dataclass(frozen=True)
class PromptTurn:
    """A turn of the conversation: whet's words, then quotations from outside. The model's own turns have only words."""

    words: str
    quotations: tuple[Quotation, ...] = ()

    def rendered(self, marker: str) -> str:
        return "\n".join([self.words, *(quotation.rendered(marker) for quotation in self.quotations)])


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """A conversation up to a question to the model. `background` is quoted after the rules; `left_out` names the text
    that did not fit."""

    rules: str
    turns: tuple[PromptTurn, ...]
    background: tuple[Quotation, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        return digest([self._system(""), *(turn.rendered("") for turn in self.turns)])

    @property
    def tokens(self) -> int:
        return sum(map(tokens_of, (self._system(""), *(turn.rendered("") for turn in self.turns))))

    def _system(self, marker: str) -> str:
        return "\n".join([self.rules, *(quotation.rendered(marker) for quotation in self.background)])

    def answered(self, answer: str, feedback: PromptTurn) -> "Prompt":
        """Return the conversation with the model's answer and whet's feedback on it."""
        return replace(self, turns=(*self.turns, PromptTurn(answer), feedback))

    def request(self, temperature: float, max_tokens: int) -> ModelRequest:
        """Return the request with markers that nobody can have known before."""
        marker = secrets.token_hex(12)
        turns = tuple(turn.rendered(marker) for turn in self.turns)
        return ModelRequest(rules=self._system(marker), turns=turns, temperature=temperature, max_tokens=max_tokens)


def fit(quotations: Iterable[Quotation], most_tokens: int) -> tuple[tuple[Quotation, ...], tuple[str, ...]]:
    """Return the quotations that fit, in their order, and the headings of those that do not."""
    taken: list[Quotation] = []
    left_out: list[str] = []
    for quotation in quotations:
        if quotation.tokens <= most_tokens:
            taken.append(quotation)
            most_tokens -= quotation.tokens
        else:
            left_out.append(quotation.heading)
    return tuple(taken), tuple(left_out)


def cut(text: str, most_lines: int) -> str:
    """Return the first and last lines of a long text, and say how many are missing between them."""
    lines = text.split("\n")
    if len(lines) <= most_lines:
        return text
    half = most_lines // 2
    missing = len(lines) - 2 * half
    return "\n".join([*lines[:half], f"[{missing} lines left out]", *lines[-half:]])
