"""Votes by passkey: whose they are, what they prove, and copies of a key."""

from dataclasses import replace

import pytest

from tests.phases.approve.people import Person, ballot, enrolled, question
from tests.signing.software_passkey import PRESENT, SoftwarePasskey
from whet.domain.approval import Answer, Tier, Vote
from whet.domain.clock import now
from whet.domain.proof import Assurance, PasskeyProof
from whet.domain.statement import ApprovalStatement
from whet.errors import NotCounted, Refused
from whet.phases.approve.counters import cloned, refuse_cloned
from whet.phases.approve.enrolments import describe
from whet.phases.approve.votes import Ballot
from whet.signing import passkeys

ALICE, BOB = Person("alice@example.com"), SoftwarePasskey("bob@example.com")
APPROVERS = replace(enrolled(ALICE), passkeys=passkeys.canonical(BOB.line))
ENROLLED = passkeys.parse(BOB.line)
ASKED = ballot(question(Tier.REQUIRE), APPROVERS)


def text(asked: Ballot, who: str = BOB.who) -> str:
    return ApprovalStatement.about(asked.question, asked.approvers.digest, Answer.APPROVED, who, "read it").text


def vote(proof: PasskeyProof) -> Vote:
    return Vote(statement=proof.statement, proof=proof, via="web", at=now())


def test_a_passkey_suffices_for_the_highest_tier() -> None:
    tally = ASKED.count([vote(BOB.answer(text(ASKED)))])
    assert tally.complete
    [voter] = tally.voters
    assert (voter.who, voter.assurance, voter.means) == (BOB.who, Assurance.VERIFIED, "passkey")
    assert str(voter) == "bob@example.com (passkey, touched, PIN)"


def test_an_answer_cannot_be_used_for_another_question() -> None:
    replayed = BOB.answer(text(ASKED))
    later = ballot(replace(question(Tier.REQUIRE), nonce="f" * 32), APPROVERS)
    with pytest.raises(Refused, match="not the one of the open question"):
        later.voter(vote(replayed))
    with pytest.raises(Refused, match="does not hold"):
        later.voter(vote(replace(replayed, statement=text(later))))


@pytest.mark.parametrize(
    "proof",
    [
        BOB.answer(text(ASKED), flags=PRESENT),
        BOB.answer(text(ASKED), signs="whet approval v1\n"),
        SoftwarePasskey(BOB.who).answer(text(ASKED)),
        BOB.answer(text(ASKED, "alice@example.com")),
        BOB.answer(text(ASKED), origin="http://localhost:1"),
    ],
)
def test_a_proof_of_another_person_key_or_page_does_not_count(proof: PasskeyProof) -> None:
    assert not ASKED.count([vote(proof)]).complete


def test_a_passkey_that_is_not_enrolled_does_not_count() -> None:
    asked = ballot(question(Tier.REQUIRE), enrolled(ALICE))
    with pytest.raises(NotCounted, match="may not answer for"):
        asked.voter(vote(BOB.answer(text(asked))))


def test_the_statement_of_an_enrolment_names_the_passkey() -> None:
    [passkey] = passkeys.parse(BOB.line)
    assert describe(enrolled(ALICE), APPROVERS) == f"add passkey of {BOB.who} at {BOB.origin} {passkey.fingerprint}"


def test_a_counter_that_does_not_rise_shows_a_copy_of_the_key() -> None:
    first, second = (vote(BOB.answer(text(ASKED), counter=count)) for count in (5, 5))
    with pytest.raises(NotCounted, match="a copy of the key may be in use"):
        refuse_cloned(second.proof, [first], ENROLLED)
    refuse_cloned(first.proof, [first], ENROLLED)  # the same answer once more
    refuse_cloned(BOB.answer(text(ASKED), counter=6), [first], ENROLLED)
    refuse_cloned(SoftwarePasskey().answer(text(ASKED), counter=1), [first], ENROLLED)
    assert len(list(cloned([(1, first), (2, second)], ENROLLED))) == 1


def test_a_copy_is_noticed_after_the_passkey_answered_for_another_page() -> None:
    first = vote(BOB.answer(text(ASKED), counter=5, origin="http://localhost:9000"))
    with pytest.raises(NotCounted, match="a copy of the key may be in use"):
        refuse_cloned(BOB.answer(text(ASKED), counter=5), [first], ENROLLED)


@pytest.mark.parametrize("data", [passkeys.encode(b"\xff" * 37), "?"])
def test_a_forged_answer_with_a_high_counter_stops_nobody(data: str) -> None:
    made_up = vote(replace(BOB.answer(text(ASKED)), authenticator_data=data))
    other = vote(replace(SoftwarePasskey().answer(text(ASKED), counter=2**32 - 1), credential=BOB.credential))
    honest = vote(BOB.answer(text(ASKED), counter=6))
    refuse_cloned(honest.proof, [made_up, other], ENROLLED)
    assert not list(cloned([(1, made_up), (2, other), (3, honest)], ENROLLED))


def test_a_passkey_without_a_counter_always_counts() -> None:
    first, second = (vote(BOB.answer(text(ASKED), counter=0)) for _ in range(2))
    refuse_cloned(second.proof, [first], ENROLLED)
