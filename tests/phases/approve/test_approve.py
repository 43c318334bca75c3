"""Answers at gates: the tier, the digest and the deadline."""

from datetime import timedelta

import pytest

from whet.domain.approval import Answer, Approval, Gate, Question, Tier
from whet.domain.clock import now
from whet.errors import Refused, UsageError, WhetError
from whet.phases.approve.person import decide
from whet.phases.approve.step import answer, wait_for

DIGEST = "9c1d22aa" * 8


def question(tier: Tier = Tier.CONFIRM, hours: float = 1.0) -> Question:
    asked_at = now()
    return Question(
        proposal="p-1",
        gate=Gate.APPLY,
        tier=tier,
        reasons=("because",),
        digest=DIGEST,
        asked_at=asked_at,
        expires_at=asked_at + timedelta(hours=hours),
    )


def decided(
    tier: Tier, *, why: str = "", shown: str = "", hours: float = 1.0, answered: Answer = Answer.APPROVED
) -> Approval:
    return decide(question(tier, hours), answered, who="ada", via="test", why=why, shown=shown, override=False)


MUST_ALLOW = [
    (Tier.CONFIRM, "", ""),
    (Tier.CONFIRM, "", DIGEST[:8]),
    (Tier.APPROVE, "", DIGEST[:8]),
    (Tier.APPROVE, "", DIGEST),
    (Tier.REQUIRE, "I read it", DIGEST[:12]),
]
MUST_REFUSE = [
    (Tier.CONFIRM, "", "deadbeef"),
    (Tier.CONFIRM, "", DIGEST[:7]),
    (Tier.CONFIRM, "", DIGEST[1:12]),
    (Tier.APPROVE, "", ""),
    (Tier.APPROVE, "I read it", ""),
    (Tier.REQUIRE, "", DIGEST[:12]),
    (Tier.REQUIRE, "   ", DIGEST[:12]),
    (Tier.REQUIRE, "I read it", ""),
    (Tier.REQUIRE, "I read it", DIGEST.upper()[:12]),
]


@pytest.mark.parametrize(("tier", "why", "shown"), MUST_ALLOW)
def test_an_answer_that_meets_its_tier_is_accepted(tier: Tier, why: str, shown: str) -> None:
    approval = decided(tier, why=why, shown=shown)
    assert approval.granted
    assert (approval.digest, approval.who, approval.approver) == (DIGEST, "ada", "person")


@pytest.mark.parametrize(("tier", "why", "shown"), MUST_REFUSE)
def test_an_answer_below_its_tier_is_refused(tier: Tier, why: str, shown: str) -> None:
    with pytest.raises(WhetError):
        decided(tier, why=why, shown=shown)


def test_an_expired_gate_refuses_answers() -> None:
    with pytest.raises(Refused, match="closed"):
        decided(Tier.CONFIRM, hours=-1)


def test_a_rejection_needs_neither_digest_nor_reason() -> None:
    assert not decided(Tier.REQUIRE, answered=Answer.REJECTED).granted


def test_the_refusal_names_the_missing_option() -> None:
    with pytest.raises(UsageError) as refused:
        decided(Tier.APPROVE)
    assert f"--digest {DIGEST[:12]}" in refused.value.remedy


class Fixed:
    """An approver that has one answer ready."""

    def __init__(self, approval: Approval | None) -> None:
        self._given = approval

    def answer(self, question: Question) -> Approval | None:
        return self._given


def test_an_answer_for_another_digest_is_ignored() -> None:
    other = decide(
        Question(**{**question().__dict__, "digest": "0" * 64}),
        Answer.APPROVED, who="ada", via="test", why="", shown="", override=False,
    )  # fmt: skip
    assert answer(question(), {"person": Fixed(other)}) is None


def test_an_unanswered_question_expires_without_approval() -> None:
    late = answer(question(hours=-1), {"person": Fixed(None)})
    assert late is not None
    assert late.answer is Answer.EXPIRED
    assert not late.granted


def test_waiting_looks_again_after_every_notification() -> None:
    timeouts: list[float] = []
    looks = iter([None, None, decided(Tier.CONFIRM)])

    def receive(topic: str, seconds: float) -> bool:
        assert topic == f"apply:{DIGEST}"
        timeouts.append(seconds)
        return True

    approval = wait_for(question(), receive, lambda _: next(looks))
    assert approval.granted
    assert len(timeouts) == 2
    assert all(0 < seconds <= 3600 for seconds in timeouts)
