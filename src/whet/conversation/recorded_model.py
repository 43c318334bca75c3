"""Ask a model, and record each answer, so that a workflow that is resumed never pays for one twice."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from whet.conversation.prompt import Prompt
from whet.domain.canonical import digest
from whet.domain.model_answer import ModelAnswer
from whet.domain.model_query import ModelQuery
from whet.domain.progress import Progress
from whet.domain.redact import environment_secrets
from whet.errors import ModelUnavailable, Stopped
from whet.ledger.ledger import Ledger
from whet.models.metered import MeteredModel
from whet.models.prices import Price
from whet.state_folder import SWITCH


@dataclass(frozen=True, kw_only=True)
class RecordedModel:
    """A model that answers in one role (`author`, `reviewer`) about one subject: a proposal, or a cycle.

    `phase` is the phase of the ledger entries, `deadline` is on the monotonic clock.
    """

    role: str
    phase: str
    subject: str
    model: MeteredModel
    price: Price
    ledger: Ledger
    progress: Progress
    state: Path
    deadline: float

    def answer(
        self,
        prompt: Prompt,
        temperature: float,
        sample: int,
        number: int,
        judge: Callable[[str], tuple[str, str]],
        *,
        only_recorded: bool = False,
    ) -> ModelAnswer:
        """Return the recorded answer to a prompt; ask for it if there is none, unless `only_recorded`.

        `judge` returns the format of an answer, and why it cannot be used.
        Raise ModelUnavailable if the model does not answer, BudgetSpent if the day's budget does not suffice, and
        Stopped if the kill switch is on.
        """
        policy = self.model.policy
        asked = digest([prompt.digest, policy.name, policy.base_url, temperature, policy.max_tokens, sample])
        key = f"model/{asked}"
        if entry := self.ledger.find(key):
            return entry.read(ModelAnswer)
        if only_recorded:
            raise ModelUnavailable(
                f"no answer of {policy.name} is on record", "ask again when the model can be reached"
            )
        if os.path.lexists(self.state / SWITCH):
            raise Stopped("the kill switch is on", "`whet start` switches whet on again")
        self._record_query(prompt, temperature, sample, number, f"{self.subject}/{key}")
        reply, usage = self.model.ask(prompt.request(temperature, policy.max_tokens), self.deadline)
        text = _without_environment(reply.text)
        edit_format, failure = judge(text)
        answer = ModelAnswer(
            model=policy.name,
            role=self.role,
            prompt=prompt.digest,
            temperature=temperature,
            sample=sample,
            round=number,
            edits=text,
            finish=reply.finish.value,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cost=self.price.cost(usage),
            seconds=round(reply.seconds, 3),
            edit_format=edit_format,
            format_failure=failure,
        )
        entry = self.ledger.append(self.phase, answer, subject=self.subject, key=key)
        return entry.read(ModelAnswer)  # as recorded: a resumed workflow must see the same text

    def _record_query(self, prompt: Prompt, temperature: float, sample: int, number: int, key: str) -> None:
        """Record a request before it is sent. One that is on record without an answer was cut off, and is sent again."""
        policy = self.model.policy
        if self.ledger.find(key):
            self.progress.warn(
                f"a request to {policy.name} has no answer on record: it is sent again, and the budget counts both"
            )
            return
        query = ModelQuery(
            model=policy.name,
            role=self.role,
            prompt=prompt.digest,
            temperature=temperature,
            most_tokens=policy.max_tokens,
            sample=sample,
            round=number,
            tokens=prompt.tokens,
            left_out=prompt.left_out,
        )
        self.ledger.append(self.phase, query, subject=self.subject, key=key)


def _without_environment(text: str) -> str:
    """Remove this process's own secrets from an answer: a server may echo the key that it was sent."""
    for secret, kind in environment_secrets().items():
        text = text.replace(secret, f"[redacted: {kind}]")
    return text
