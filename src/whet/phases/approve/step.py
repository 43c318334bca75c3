"""Ask a question at a gate and wait for its answer."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from whet.config import ApprovePolicy
from whet.domain.approval import Answer, Approval, Gate, Question, Tier
from whet.domain.clock import now
from whet.phases.approve import Approver


@dataclass(frozen=True, kw_only=True)
class QuestionSubject:
    """The thing that a question is about. `exposed` are approval keys that any program of this user can sign with."""

    proposal: str
    gate: Gate
    digest: str
    repository: str = ""
    base: str = ""
    policy: str = ""
    verdict: str = ""
    exposed: tuple[str, ...] = ()


def ask(subject: QuestionSubject, tier: Tier, reasons: Sequence[str], policy: ApprovePolicy) -> Question:
    """Return a new question that expires after `approve.timeout_hours`."""
    asked_at = now()
    return Question(
        **subject.__dict__,
        tier=tier,
        reasons=tuple(reasons),
        asked_at=asked_at,
        expires_at=asked_at + timedelta(hours=policy.timeout_hours),
        nonce=secrets.token_hex(16),
    )


def answer(question: Question, approvers: Mapping[str, Approver]) -> Approval | None:
    """Return the first approver's answer for this digest; `expired` after the deadline; None before."""
    for approver in approvers.values():
        approval = approver.answer(question)
        if approval is not None and approval.digest == question.digest:
            return approval
    return expired(question) if now() >= question.expires_at else None


def expired(question: Question) -> Approval:
    """Return the answer to a question that nobody answered in time."""
    return Approval(
        proposal=question.proposal,
        gate=question.gate,
        tier=question.tier,
        answer=Answer.EXPIRED,
        approver="clock",
        who="nobody",
        via="timeout",
        digest=question.digest,
        decided_at=now(),
        why=f"no answer until {question.expires_at:%Y-%m-%d %H:%M} UTC",
    )


def wait_for(
    question: Question, receive: Callable[[str, float], bool], look: Callable[[int], Approval | None]
) -> Approval:
    """Wait until the question is answered or expires.

    `look(n)` checks for an answer, n being the number of earlier checks. `receive` sleeps until a notification or the
    timeout. Both are durable steps, so a resumed workflow repeats the same sequence.
    """
    looks = 0
    while True:
        approval = look(looks)
        if approval is not None:
            return approval
        left = (question.expires_at - now()).total_seconds()
        receive(topic(question), max(left, 0.0))
        looks += 1


def topic(question: Question) -> str:
    """Return the notification topic of a question."""
    return f"{question.gate.value}:{question.digest}"
