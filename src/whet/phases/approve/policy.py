"""The approver that answers for the policy when the tier needs no person. Its answers are recorded like a person's."""

from whet.domain.approval import Answer, Approval, Question
from whet.domain.clock import now
from whet.kit import Kit


class Policy:
    """An approver that says yes to every question whose tier needs no person."""

    def __init__(self, kit: Kit) -> None:
        self._digest = kit.policy.digest

    def answer(self, question: Question) -> Approval | None:
        if question.tier.needs_person:
            return None
        return Approval(
            proposal=question.proposal,
            gate=question.gate,
            tier=question.tier,
            answer=Answer.APPROVED,
            approver="policy",
            who=f"policy {self._digest[:12]}",
            via="whet.toml",
            digest=question.digest,
            decided_at=now(),
            why="; ".join(question.reasons),
        )
