"""The approver for people. Any client records a person's decision in the ledger, where the gate finds it."""

from whet.domain.approval import Answer, Approval, Question, Tier
from whet.domain.clock import now
from whet.errors import Refused, UsageError
from whet.kit import Kit

KEY = "approval/{proposal}/{gate}/{digest}"
_SHORTEST_DIGEST = 8


class Person:
    """An approver that reads decisions of people from the ledger."""

    def __init__(self, kit: Kit) -> None:
        self._ledger = kit.ledger

    def answer(self, question: Question) -> Approval | None:
        """Return the recorded decision. Raise DamagedLedger if its entry was edited."""
        entry = self._ledger.find(decision_key(question))
        return entry.unedited().read(Approval) if entry else None


def decision_key(question: Question) -> str:
    """Return the ledger key of the decision on a question."""
    return KEY.format(proposal=question.proposal, gate=question.gate.value, digest=question.digest)


def decide(question: Question, answer: Answer, *, who: str, via: str, why: str, shown: str, override: bool) -> Approval:
    """Return a person's answer. Raise Refused or UsageError if it does not meet the question's tier.

    `shown` is the beginning of the digest that the person saw. An approval needs it from tier `approve` upwards, and at
    tier `require` also the reason `why`.
    """
    if now() >= question.expires_at:
        raise Refused(
            f"the {question.gate} gate of {question.proposal} closed at {question.expires_at:%Y-%m-%d %H:%M} UTC"
        )
    if shown and not (len(shown) >= _SHORTEST_DIGEST and question.digest.startswith(shown)):
        raise Refused(
            f"{shown} is not the digest of the open question, which is {question.digest[:12]}",
            f"look again: `whet show {question.proposal}`",
        )
    if answer is Answer.APPROVED:
        _require_tier(question, why, shown)
    return Approval(
        proposal=question.proposal,
        gate=question.gate,
        tier=question.tier,
        answer=answer,
        approver="person",
        who=who,
        via=via,
        digest=question.digest,
        decided_at=now(),
        why=why,
        override=override and answer is Answer.APPROVED,
    )


def _require_tier(question: Question, why: str, shown: str) -> None:
    """Raise UsageError that names everything the tier needs and the answer lacks."""
    missing = []
    if question.tier.rank >= Tier.APPROVE.rank and not shown:
        missing.append(("the digest you saw", f"--digest {question.digest[:12]}"))
    if question.tier is Tier.REQUIRE and not why.strip():
        missing.append(("a reason", '--why "..."'))
    if missing:
        repeated = f" --digest {shown}" if shown else ""
        options = " ".join(option for _, option in missing)
        raise UsageError(
            f"tier {question.tier} asks for {' and '.join(name for name, _ in missing)}",
            f"whet approve {question.proposal}{repeated} {options}",
        )
