from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

from whet.config import ApprovePolicy
from whet.domain.approval import Answer, Approval, Gate, Question, Tier
from whet.domain.clock import now
from whet.phases.approve import Approver


def ask(proposal: str, gate: Gate, digest: str, tier: Tier, reasons: Sequence[str], policy: ApprovePolicy) -> Question:
    asked_at = now()
    return Question(
        proposal=proposal,
        gate=gate,
        tier=tier,
        reasons=tuple(reasons),
        digest=digest,
        asked_at=asked_at,
        expires_at=asked_at + timedelta(hours=policy.timeout_hours),
    )


def answer(question: Question, approvers: Mapping[str, Approver]) -> Approval | None:
    """The first answer that an approver has for this very digest, or None while there is none."""
    for approver in approvers.values():
        given = approver.answer(question)
        if given is not None and given.digest == question.digest:
            return given
    return expired(question) if now() >= question.expires_at else None


def expired(question: Question) -> Approval:
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
    """Durable: `receive` sleeps until someone knocks or the time is over, `look` reads what was answered."""
    knocks = 0
    while (given := look(knocks)) is None:
        left = (question.expires_at - now()).total_seconds()
        receive(topic(question), max(left, 0.0))
        knocks += 1
    return given


def topic(question: Question) -> str:
    return f"{question.gate.value}:{question.digest}"
