"""Reviews on a forge as votes: whose counts, for which commit, and at which strength."""

from dataclasses import replace
from datetime import timedelta
from typing import cast

import pytest

from whet.config import parse
from whet.domain.approval import Answer, Gate, Question, Tier, Vote
from whet.domain.approvers import Approvers
from whet.domain.clock import now
from whet.domain.proof import Assurance, ForgeProof
from whet.domain.pull_request import ForgeReview, PullRequest, RequestState
from whet.domain.statement import ApprovalStatement
from whet.errors import NotCounted, UnprovenApproval
from whet.forge import Forge
from whet.phases.approve.reviews import refuse_vanished, votes_of
from whet.phases.approve.votes import Ballot

COMMIT, OTHER = "a" * 40, "b" * 40
POLICY = '[approve]\nforge_logins = { Alice-GH = "alice@example.com" }\n'
REQUEST = PullRequest(
    host="github.com", repository="a/b", number=1, url="https://github.com/a/b/pull/1", branch="whet/p-1", base="main",
    head=COMMIT, state=RequestState.OPEN, author="whet-bot",
)  # fmt: skip
QUESTION = Question(
    proposal="p-1", gate=Gate.MERGE, tier=Tier.CONFIRM, reasons=(), digest="d" * 64, asked_at=now(),
    expires_at=now() + timedelta(hours=1), nonce="1",
)  # fmt: skip


def approvers(policy: str = POLICY) -> Approvers:
    rules = parse(policy.encode()).approval_rules
    return Approvers(signers="", passkeys="", rules=rules, settings="")


def review(login: str = "alice-gh", commit: str = COMMIT, *, approved: bool = True) -> ForgeReview:
    return ForgeReview(id="7", login=login, commit=commit, approved=approved)


def votes(*reviews: ForgeReview, bot: str = "whet-bot", policy: str = POLICY) -> list[Vote]:
    return list(votes_of(reviews, REQUEST, QUESTION, approvers(policy), bot))


def ballot(policy: str = POLICY, commit: str = COMMIT, tier: Tier = Tier.CONFIRM) -> Ballot:
    return Ballot(replace(QUESTION, tier=tier), approvers(policy), frozenset(), now(), commit)


def test_a_mapped_login_votes_under_the_name_of_its_person() -> None:
    [vote] = votes(review("Alice-gh"))
    tally = ballot().count([vote])
    assert tally.complete
    assert [(voter.who, voter.assurance) for voter in tally.voters] == [("alice@example.com", Assurance.OS)]


@pytest.mark.parametrize("login", ["mallory", "alice", "whet-bot"])
def test_other_logins_have_no_vote(login: str) -> None:
    assert votes(review(login)) == []


def test_whets_own_account_has_no_vote_even_if_the_policy_maps_it() -> None:
    policy = '[approve]\nforge_logins = { whet-bot = "alice@example.com", other = "bob@example.com" }\n'
    assert votes(review("whet-bot"), policy=policy) == []
    assert votes(review("other"), bot="Other", policy=policy) == []


def test_a_review_that_asks_for_changes_is_no_vote() -> None:
    assert votes(review(approved=False)) == []


@pytest.mark.parametrize("commit", [OTHER, ""])
def test_an_approval_of_another_commit_does_not_count(commit: str) -> None:
    [vote] = votes(review(commit=OTHER))
    with pytest.raises(NotCounted, match="not the commit that was proved"):
        ballot(commit=COMMIT if commit else "").voter(vote)


def test_a_review_is_weaker_than_a_signature() -> None:
    [vote] = votes(review())
    with pytest.raises(NotCounted, match="needs a signature"):
        Ballot(replace(QUESTION, tier=Tier.CONFIRM), _signed(POLICY), frozenset(), now(), COMMIT).voter(
            replace(vote, statement=_again(vote, _signed(POLICY)))
        )


def _signed(policy: str) -> Approvers:
    """Return approvers whose tier `confirm` needs a signature."""
    return approvers(f"{policy}proof = {{ confirm = 'signature' }}\n")


def _again(vote: Vote, rules: Approvers) -> str:
    return vote.statement.replace(approvers().digest, rules.digest)


def test_a_review_counts_at_no_other_gate() -> None:
    [vote] = votes(review())
    question = replace(QUESTION, gate=Gate.APPLY)
    with pytest.raises(NotCounted):
        Ballot(question, approvers(), frozenset(), now(), COMMIT).voter(vote)
    about = ApprovalStatement.about(question, approvers().digest, Answer.APPROVED, "alice@example.com", "why").text
    with pytest.raises(NotCounted, match="merge gate only"):
        Ballot(question, approvers(), frozenset(), now(), COMMIT).voter(replace(vote, statement=about))


def test_a_proof_that_names_another_person_does_not_count() -> None:
    [vote] = votes(review())
    forged = replace(vote, proof=replace(cast(ForgeProof, vote.proof), login="mallory"))
    with pytest.raises(NotCounted, match="does not map mallory"):
        ballot().voter(forged)


class ShownReviews:
    """A forge that shows these reviews."""

    def __init__(self, *reviews: ForgeReview, login: str = "whet-bot") -> None:
        self._reviews, self._login = list(reviews), login

    def login(self) -> str:
        return self._login

    def reviews(self, number: int) -> list[ForgeReview]:
        return self._reviews


def test_a_counted_review_must_still_be_on_the_forge() -> None:
    counted = votes(review())
    refuse_vanished(counted, REQUEST, cast(Forge, ShownReviews(review())))
    for shown in (ShownReviews(), ShownReviews(review(commit=OTHER)), ShownReviews(review(approved=False)),
                  ShownReviews(review(), login="alice-gh")):  # fmt: skip
        with pytest.raises(UnprovenApproval, match="does not show it now"):
            refuse_vanished(counted, REQUEST, cast(Forge, shown))
    with pytest.raises(UnprovenApproval, match="no pull request"):
        refuse_vanished(counted, None, cast(Forge, ShownReviews(review())))


def test_rules_without_logins_keep_the_digest_that_they_had() -> None:
    from whet.domain.canonical import to_plain

    plain = to_plain(approvers("").rules)
    assert "forge_logins" not in plain
