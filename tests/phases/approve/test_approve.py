"""Answers at gates: the digest and the deadline, waiting, and recorded decisions that the gate believes or not."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.phases.approve.people import DIGEST, Person, ballot, enrolled, question, word_of
from whet.domain.approval import Answer, Approval, Question, Tier, Voter
from whet.domain.clock import now
from whet.domain.proof import Assurance
from whet.errors import Refused, UnprovenApproval
from whet.phases.approve.person import grant, refuse, refuse_closed, refuse_unproven
from whet.phases.approve.step import answer, wait_for

ALICE, BOB = Person("alice@example.com"), Person("bob@example.com")
PAIR = enrolled(ALICE, BOB, policy={"need": {"approve": "2 person"}})


def granted(asked: Question) -> Approval:
    here = ballot(asked, enrolled(environment="development"))
    return grant(asked, here.count([word_of("ada", here)]), override=False)


@pytest.mark.parametrize("shown", ["", DIGEST[:8], DIGEST])
def test_the_beginning_of_the_right_digest_is_accepted(shown: str) -> None:
    refuse_closed(question(), shown)


@pytest.mark.parametrize("shown", ["deadbeef", DIGEST[:7], DIGEST[1:12], DIGEST.upper()[:12]])
def test_another_digest_is_refused_without_naming_the_right_one(shown: str) -> None:
    with pytest.raises(Refused) as refused:
        refuse_closed(question(), shown)
    assert DIGEST[:8] not in f"{refused.value.message.replace(shown, '')} {refused.value.remedy}"


def test_an_expired_gate_refuses_answers() -> None:
    with pytest.raises(Refused, match="closed"):
        refuse_closed(question(hours=-1), "")


def test_a_rejection_needs_no_proof() -> None:
    no = refuse(question(Tier.REQUIRE), Answer.REJECTED, who="ada", via="test", why="")
    assert not no.granted


def test_a_part_of_a_quorum_grants_nothing() -> None:
    here = ballot(question(), PAIR)
    with pytest.raises(Refused, match="missing: 1 person"):
        grant(here.question, here.count([ALICE.vote(here)]), override=False)


def test_an_approval_holds_everything_that_proves_it() -> None:
    here = ballot(question(), PAIR)
    approval = grant(here.question, here.count([ALICE.vote(here), BOB.vote(here)]), override=False)
    assert approval.people == "alice@example.com (ssh), bob@example.com (ssh)"
    refuse_unproven(approval, here)


def forged() -> dict[str, Approval]:
    here = ballot(question(), PAIR)
    both = grant(here.question, here.count([ALICE.vote(here), BOB.vote(here)]), override=False)
    word = replace(both, votes=(word_of("root", here),), voters=both.voters)
    return {
        "no votes": replace(both, votes=()),
        "one vote of two": replace(both, votes=both.votes[:1]),
        "the same vote twice": replace(both, votes=both.votes[:1] * 2),
        "a word instead of a signature": word,
        "voters who did not vote": replace(both, voters=both.voters[:1]),
        "a lower tier": replace(both, tier=Tier.CONFIRM),
        "another proposal": replace(both, proposal="p-2"),
        "another digest": replace(both, digest="0" * 64),
        "the policy's name on it": replace(both, approver="policy"),
        "after the deadline": replace(both, decided_at=now() + timedelta(days=30)),
    }


@pytest.mark.parametrize("name", forged())
def test_a_recorded_yes_that_its_votes_do_not_prove_is_not_believed(name: str) -> None:
    with pytest.raises(UnprovenApproval):
        refuse_unproven(forged()[name], ballot(question(), PAIR))


def test_an_expired_key_does_not_count_in_a_yes_that_is_dated_back() -> None:
    """A writer of the ledger chooses the time of a yes; a question's random number did not exist before it."""
    asked, long_ago = question(), now() - timedelta(days=30)
    line = ALICE.line.replace("namespaces", f'valid-before="{now() - timedelta(days=9):%Y%m%d}Z",namespaces')
    in_force = replace(enrolled(ALICE), signers=line)
    then = ballot(asked, in_force, at=long_ago)
    for at in (long_ago, now()):
        vote = replace(ALICE.vote(then), at=at)
        voter = Voter(who=ALICE.name, assurance=Assurance.SIGNATURE, key=ALICE.key.fingerprint, means="ssh")
        yes = replace(granted(asked), decided_at=long_ago, votes=(vote,), voters=(voter,), who=ALICE.name)
        with pytest.raises(UnprovenApproval, match="earlier than its question"):
            refuse_unproven(yes, then)


class Fixed:
    """An approver that has one answer ready."""

    def __init__(self, approval: Approval | None) -> None:
        self._given = approval

    def answer(self, question: Question) -> Approval | None:
        return self._given


def test_an_answer_for_another_digest_is_ignored() -> None:
    other = granted(question(Tier.CONFIRM, digest="0" * 64))
    assert answer(question(), {"person": Fixed(other)}) is None


def test_an_unanswered_question_expires_without_approval() -> None:
    late = answer(question(hours=-1), {"person": Fixed(None)})
    assert late is not None
    assert late.answer is Answer.EXPIRED
    assert not late.granted


def test_waiting_looks_again_after_every_notification() -> None:
    timeouts: list[float] = []
    looks = iter([None, None, granted(question(Tier.CONFIRM))])

    def receive(topic: str, seconds: float) -> bool:
        assert topic == f"apply:{DIGEST}"
        timeouts.append(seconds)
        return True

    approval = wait_for(question(), receive, lambda _: next(looks))
    assert approval.granted
    assert len(timeouts) == 2
    assert all(0 < seconds <= 3600 for seconds in timeouts)
