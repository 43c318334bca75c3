"""Reading the answer of a reviewer model, and what it can demand."""

import pytest

from whet.config import parse
from whet.domain.approval import Gate, Tier
from whet.domain.category import Category
from whet.domain.proposal import ProposalKind
from whet.domain.review import Review, ReviewAnswer
from whet.domain.risk import Risk
from whet.domain.verdict import Verdict
from whet.guard.tier import tier
from whet.phases.validate import review as reviews

POLICY = parse(b'environment = "development"\n[approve]\napply = "auto"\nauto_kinds = ["behavior_fix"]\n')


def demanded(review: Review | None) -> tuple[Tier, tuple[str, ...]]:
    return tier(
        gate=Gate.APPLY,
        risk=Risk.LOW,
        kind=ProposalKind.BEHAVIOR_FIX,
        category=Category.BUG_FIX,
        verdict=Verdict.PASSED,
        findings=(),
        policy=POLICY,
        review=review,
    )


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("VERDICT: fine", ReviewAnswer.FINE),
        ("**Verdict:** Concern\n- a.py:1: wrong", ReviewAnswer.CONCERN),
        ("VERDICT: fine\nOn second thought:\nVERDICT: rework", ReviewAnswer.REWORK),
    ],
)
def test_the_worst_verdict_in_an_answer_counts(text: str, answer: ReviewAnswer) -> None:
    assert reviews._judge(text) == ("review", "")
    assert reviews._verdict(text) is answer


@pytest.mark.parametrize("text", ["", "It is fine.", "VERDICT: perfect", "the verdict is: fine for me"])
def test_an_answer_without_a_verdict_cannot_be_read(text: str) -> None:
    assert "no line" in reviews._judge(text)[1]


def test_remarks_are_single_lines_without_secrets_and_bounded() -> None:
    token = "ghp_" + "a1B2" * 9
    text = "VERDICT: concern\n" + "".join(f"- a.py:{line}: {token} \x1b[2J{'x' * 900}\n" for line in range(30))
    remarks = reviews._remarks(text)
    assert len(remarks) == 10
    assert all(len(remark) <= 400 and token not in remark and "\x1b" not in remark for remark in remarks)


@pytest.mark.parametrize(
    ("answer", "required", "tiers"),
    [
        (ReviewAnswer.FINE, True, Tier.AUTO),
        (ReviewAnswer.CONCERN, False, Tier.APPROVE),
        (ReviewAnswer.REWORK, False, Tier.APPROVE),
        (ReviewAnswer.NONE, False, Tier.AUTO),
        (ReviewAnswer.NONE, True, Tier.REQUIRE),
    ],
)
def test_a_review_raises_the_tier_and_never_lowers_it(answer: ReviewAnswer, required: bool, tiers: Tier) -> None:
    review = Review(evidence="e", answer=answer, remarks=("a.py:1: wrong",), model="m:n", why_not="", required=required)
    assert demanded(None)[0] is Tier.AUTO
    assert demanded(review)[0] is tiers
