"""Questions of an evaluation to a language model: asked once, kept in the ledger, and answered from there ever after."""

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from whet.conversation.prompt import Prompt, PromptTurn
from whet.conversation.roles import model_in_role
from whet.domain.redact import redact
from whet.errors import EnvironmentProblem, ModelUnavailable
from whet.kit import Kit

LONGEST = 50_000
MOST = 2_000
_NO_MODEL = "no answer is recorded, and [models.evaluated] names no model"


@dataclass(frozen=True)
class CaseQuestion:
    """A question: the user's turn, and the system prompt if there is one."""

    user: str
    system: str = ""

    @property
    def plain(self) -> dict[str, str]:
        return {"system": self.system, "user": self.user}


Answers = Mapping[CaseQuestion, str]


def question_in(entry: Mapping[str, Any]) -> CaseQuestion | None:
    """Return the question of a printed or recorded line: `ask` is the user's turn, or an object with `system` and `user`."""
    ask = entry.get("ask")
    if isinstance(ask, str):
        ask = {"user": ask}
    if (
        not isinstance(ask, dict)
        or not set(ask) <= {"system", "user"}
        or not all(isinstance(text, str) for text in ask.values())
    ):
        return None
    user = ask.get("user", "")
    return CaseQuestion(user, ask.get("system", "")) if user and sum(map(len, ask.values())) <= LONGEST else None


def read_answers(name: str, content: bytes | None) -> dict[CaseQuestion, str]:
    """Return the answers of a file. Raise EnvironmentProblem if it is not a list of {"ask": ..., "answer": TEXT}."""
    try:
        rows = json.loads(content) if content is not None else []
        return {_checked(question_in(row)): str(row["answer"]) for row in rows}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as problem:
        raise EnvironmentProblem(
            f"the answers of the evaluation {name} cannot be read: {problem}",
            f"write them with `whet evaluate {name} --answers-to FILE`",
        ) from problem


def written_answers(answers: Answers) -> bytes:
    """Return the content of a file of answers, in the order of their questions, so that differences are readable."""
    rows = [
        {"ask": question.plain, "answer": answers[question]} for question in sorted(answers, key=lambda each: each.user)
    ]
    return (json.dumps(rows, indent=1, ensure_ascii=False) + "\n").encode()


def ask_model(name: str, questions: Iterable[CaseQuestion], kit: Kit) -> Iterator[tuple[CaseQuestion, str, str]]:
    """Yield (question, answer, why there is none). An answer on record is not asked for again, and needs no key.

    Raise Stopped if the kill switch is on or a budget is spent.
    """
    policy = kit.policy.models
    if policy.evaluated is None:
        yield from ((question, "", _NO_MODEL) for question in questions)
        return
    deadline = time.monotonic() + policy.seconds
    model = model_in_role(
        "evaluated", policy.evaluated, kit, phase="validate", subject=f"evaluation/{name}", deadline=deadline
    )
    unavailable = ""
    for question in questions:
        prompt = Prompt(rules=redact(question.system), turns=(PromptTurn(redact(question.user)),))
        try:
            answer = model.answer(prompt, 0.0, 0, 0, lambda _: ("answer", ""), only_recorded=bool(unavailable))
        except ModelUnavailable as problem:
            unavailable = unavailable or problem.message
            yield question, "", unavailable
        else:
            yield question, answer.edits, ""


def _checked(question: CaseQuestion | None) -> CaseQuestion:
    if question is None:
        raise ValueError('an entry has no "ask" that is a text')
    return question
