"""The approver that a person is: decisions come in by any client and lie in the ledger until the gate looks."""

from whet.domain.approval import Answer, Approval, Question, Tier
from whet.domain.clock import now
from whet.errors import Refused, UsageError
from whet.kit import Kit

KEY = "approval/{proposal}/{gate}/{digest}"
_SHORTEST = 8


class Person:
    def __init__(self, kit: Kit) -> None:
        self._ledger = kit.ledger

    def answer(self, question: Question) -> Approval | None:
        entry = self._ledger.find(decision_key(question))
        return entry.unedited().read(Approval) if entry else None


def decision_key(question: Question) -> str:
    return KEY.format(proposal=question.proposal, gate=question.gate.value, digest=question.digest)


def decide(question: Question, answer: Answer, *, who: str, via: str, why: str, shown: str, override: bool) -> Approval:
    """A person's answer, if it is one that this tier accepts.

    `shown` is the start of the digest that the person says they saw: from `approve` upwards it must be given, at
    `require` a reason too.
    """
    if now() >= question.expires_at:
        raise Refused(
            f"the {question.gate} gate of {question.proposal} closed at {question.expires_at:%Y-%m-%d %H:%M} UTC"
        )
    if shown and not (len(shown) >= _SHORTEST and question.digest.startswith(shown)):
        raise Refused(
            f"{shown} is not what is asked about: the open question is about {question.digest[:12]}",
            f"look again: `whet show {question.proposal}`",
        )
    if answer is Answer.APPROVED:
        _meet_the_tier(question, why, shown)
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


def _meet_the_tier(question: Question, why: str, shown: str) -> None:
    """Everything that is missing is asked for at once."""
    missing = []
    if question.tier.rank >= Tier.APPROVE.rank and not shown:
        missing.append(("the digest you saw", f"--digest {question.digest[:12]}"))
    if question.tier is Tier.REQUIRE and not why.strip():
        missing.append(("a reason", '--why "..."'))
    if missing:
        given = f" --digest {shown}" if shown else ""
        options = " ".join(option for _, option in missing)
        raise UsageError(
            f"tier {question.tier} asks for {' and '.join(what for what, _ in missing)}",
            f"whet approve {question.proposal}{given} {options}",
        )
