"""Votes: whose they are, what they prove, and how they are counted."""

from dataclasses import fields, replace
from datetime import timedelta

import pytest

from tests.phases.approve.people import (
    Person,
    ballot,
    enrolled,
    question,
    touching,
    untouched,
    with_pin,
    word_of,
)
from whet.domain.approval import Tier, Vote
from whet.domain.approvers import Seats
from whet.domain.clock import now
from whet.domain.proof import ForgeProof, OsProof
from whet.domain.statement import ApprovalStatement
from whet.errors import Refused

ALICE, BOB, CAROL = (Person(f"{name}@example.com") for name in ("alice", "bob", "carol"))
TOUCH, PIN, LAX = touching("tess@example.com"), with_pin("pia@example.com"), untouched("lax@example.com")
EVERYBODY = (ALICE, BOB, CAROL, TOUCH, PIN, LAX)
TEAM = {
    "need": {"approve": "1 maintainer", "require": "2 maintainer, 1 owner"},
    "proof": {"require": "signature"},
    "roles": {"maintainer": [ALICE.name, BOB.name], "owner": [ALICE.name]},
}

COUNTS = [
    (Tier.CONFIRM, "os"), (Tier.CONFIRM, ALICE), (Tier.APPROVE, ALICE), (Tier.APPROVE, TOUCH), (Tier.REQUIRE, TOUCH),
    (Tier.REQUIRE, PIN),
]  # fmt: skip
DOES_NOT_COUNT = [
    (Tier.APPROVE, "os", "needs a signature by an enrolled key"),
    (Tier.REQUIRE, "os", "needs a signature by a security key"),
    (Tier.REQUIRE, ALICE, "needs a signature by a security key that was touched"),
    (Tier.APPROVE, LAX, "nobody touched"),
    (Tier.CONFIRM, LAX, "nobody touched"),
    (Tier.APPROVE, Person("mallory@example.com"), "may not sign for"),
    (Tier.APPROVE, Person(ALICE.name), "may not sign for"),
    (Tier.APPROVE, Person(BOB.name, ALICE.private), "may not sign for"),
]


@pytest.mark.parametrize(("tier", "who"), COUNTS)
def test_a_vote_that_its_tier_accepts_counts(tier: Tier, who: Person | str) -> None:
    asked = ballot(question(tier), enrolled(*EVERYBODY))
    vote = who.vote(asked) if isinstance(who, Person) else word_of("ann", asked)
    tally = asked.count([vote])
    assert tally.complete
    assert [voter.who for voter in tally.voters] == [who.name if isinstance(who, Person) else "ann"]
    assert str(tally.voters[0]).endswith("(unproven approver)") == (who == "os")


@pytest.mark.parametrize(("tier", "who", "why"), DOES_NOT_COUNT)
def test_a_vote_below_its_tier_or_of_another_key_does_not_count(tier: Tier, who: Person | str, why: str) -> None:
    asked = ballot(question(tier), enrolled(*EVERYBODY))
    vote = who.vote(asked) if isinstance(who, Person) else word_of("ann", asked)
    with pytest.raises(Refused, match=why):
        asked.voter(vote)
    assert not asked.count([vote]).complete


@pytest.mark.parametrize(
    "name", [field.name for field in fields(ApprovalStatement) if field.name not in ("who", "why")]
)
def test_a_signed_statement_that_differs_in_one_field_does_not_count(name: str) -> None:
    asked = ballot(question(), enrolled(ALICE))
    assert asked.count([ALICE.vote(asked)]).complete
    with pytest.raises(Refused, match="statement is not the one of the open question"):
        asked.voter(ALICE.vote(asked, **{name: "rejected" if name == "answer" else "other"}))


@pytest.mark.parametrize(
    "edit", [("why: read it", "why: trust me"), ("alice@", "bob@"), ("v1\n", "v1\nnote: x\n"), ("", "\n")]
)
def test_a_statement_that_was_edited_after_signing_does_not_count(edit: tuple[str, str]) -> None:
    asked = ballot(question(), enrolled(ALICE, BOB))
    signed = ALICE.vote(asked)
    text = signed.statement.replace(*edit, 1) if edit[0] else signed.statement + edit[1]
    for proof in (signed.proof, ALICE.proof(text)):
        forged = replace(signed, statement=text, proof=proof)
        if proof is signed.proof or edit[0] != "why: read it":  # signed again by alice, the new reason is hers
            with pytest.raises(Refused):
                asked.voter(forged)


def test_a_signature_for_another_use_of_the_key_does_not_count() -> None:
    asked = ballot(question(), enrolled(ALICE))
    vote = ALICE.vote(asked)
    git_signature = replace(ALICE.proof(vote.statement), signature=ALICE.sign(vote.statement, b"git"))
    with pytest.raises(Refused, match="is for 'git'"):
        asked.voter(replace(vote, proof=git_signature))


def test_a_proof_that_names_another_key_or_statement_than_it_was_made_with_does_not_count() -> None:
    asked = ballot(question(), enrolled(ALICE, BOB))
    vote = ALICE.vote(asked)
    good = ALICE.proof(vote.statement)
    for proof in (replace(good, public_key=BOB.key.text), replace(good, statement="something else")):
        with pytest.raises(Refused, match="names another"):
            asked.voter(replace(vote, proof=proof))


def test_a_vote_for_another_question_is_not_replayed() -> None:
    first, second = (ballot(question(nonce=nonce * 32), enrolled(ALICE)) for nonce in "ef")
    with pytest.raises(Refused, match="open question"):
        second.voter(ALICE.vote(first))


def test_a_vote_dies_with_the_approvers_that_it_names() -> None:
    before = ballot(question(), enrolled(ALICE, BOB))
    vote = ALICE.vote(before)
    assert before.count([vote]).complete
    assert not ballot(question(), enrolled(BOB)).count([vote]).complete, "alice was revoked"
    assert not ballot(question(), enrolled(ALICE, BOB, CAROL)).count([vote]).complete


def test_a_vote_after_the_deadline_does_not_count() -> None:
    asked = ballot(question(hours=1), enrolled(ALICE))
    late = replace(ALICE.vote(asked), at=now() + timedelta(hours=2))
    with pytest.raises(Refused, match="later than the end"):
        asked.voter(late)


def test_a_vote_before_its_question_does_not_count() -> None:
    asked = ballot(question(), enrolled(ALICE))
    with pytest.raises(Refused, match="earlier than its question"):
        asked.voter(replace(ALICE.vote(asked), at=now() - timedelta(hours=2)))


def test_a_key_outside_its_time_does_not_count() -> None:
    line = ALICE.line.replace("namespaces", 'valid-before="20270101Z",namespaces')
    in_force = replace(enrolled(ALICE), signers=line)
    asked = ballot(question(), in_force, at=now().replace(year=2028))
    with pytest.raises(Refused, match="may not sign for"):
        asked.voter(ALICE.vote(asked))


def test_two_keys_of_one_person_and_two_names_of_one_key_count_once() -> None:
    second_key, second_name = Person(ALICE.name), Person("alias@example.com", ALICE.private)
    other_case = Person("Alice@Example.com")
    in_force = enrolled(ALICE, second_key, second_name, other_case, policy={"need": {"approve": "2 person"}})
    asked = ballot(question(), in_force)
    for other in (second_key, second_name, other_case):
        tally = asked.count([ALICE.vote(asked), other.vote(asked), ALICE.vote(asked, why="again")])
        assert len(tally.voters) == 1
        assert tally.missing == (Seats(count=1, role="person"),)


QUORUMS = [
    (Tier.APPROVE, (BOB,), ()),
    (Tier.APPROVE, (CAROL,), (Seats(count=1, role="maintainer"),)),
    (Tier.REQUIRE, (ALICE, BOB), ()),
    (Tier.REQUIRE, (ALICE,), (Seats(count=1, role="maintainer"),)),
    (Tier.REQUIRE, (BOB, CAROL), (Seats(count=1, role="maintainer"), Seats(count=1, role="owner"))),
]


@pytest.mark.parametrize(("tier", "people", "missing"), QUORUMS)
def test_a_quorum_is_counted_by_role(tier: Tier, people: tuple[Person, ...], missing: tuple[Seats, ...]) -> None:
    asked = ballot(question(tier), enrolled(ALICE, BOB, CAROL, policy=TEAM))
    assert asked.count([person.vote(asked) for person in people]).missing == missing


def test_whoever_supplied_the_change_does_not_count() -> None:
    asked = ballot(question(), enrolled(ALICE, BOB), suppliers=(ALICE.name,))
    with pytest.raises(Refused, match="supplied the change"):
        asked.voter(ALICE.vote(asked))
    assert asked.count([BOB.vote(asked)]).complete
    allowed = ballot(question(), enrolled(ALICE, policy={"supplier_counts": True}), suppliers=(ALICE.name,))
    assert allowed.count([ALICE.vote(allowed)]).complete


def test_a_software_key_that_was_exposed_does_not_count_and_a_touched_key_does() -> None:
    exposed = (ALICE.key.fingerprint, TOUCH.key.fingerprint)
    asked = ballot(question(exposed=exposed), enrolled(ALICE, TOUCH))
    with pytest.raises(Refused, match="any program of this user can sign"):
        asked.voter(ALICE.vote(asked))
    assert asked.count([TOUCH.vote(asked)]).complete


def test_tier_require_needs_a_reason() -> None:
    asked = ballot(question(Tier.REQUIRE), enrolled(TOUCH))
    for why in ("", "  ", "-"):
        with pytest.raises(Refused, match="reason"):
            asked.voter(TOUCH.vote(asked, why=why))


def test_the_word_of_a_user_whose_name_is_an_approvers_in_other_letters_does_not_count() -> None:
    asked = ballot(question(Tier.CONFIRM), enrolled(ALICE))
    with pytest.raises(Refused, match="must be signed"):
        asked.voter(word_of(ALICE.name.title(), asked))


def test_nobody_votes_under_another_name_of_the_operating_system() -> None:
    asked = ballot(question(Tier.CONFIRM), enrolled())
    forged = replace(word_of("root", asked), proof=OsProof(uid=1000, user="ann"))
    with pytest.raises(Refused, match="ran as ann"):
        asked.voter(forged)


def test_a_process_cannot_vote_under_the_name_of_a_signer() -> None:
    asked = ballot(question(Tier.CONFIRM), enrolled(ALICE))
    with pytest.raises(Refused, match="must be signed"):
        asked.voter(word_of(ALICE.name, asked))


@pytest.mark.parametrize("environment", ["development", "production"])
def test_without_a_signer_only_development_takes_a_word_for_a_high_tier(environment: str) -> None:
    for tier in (Tier.CONFIRM, Tier.APPROVE, Tier.REQUIRE):
        asked = ballot(question(tier), enrolled(environment=environment))
        expected = environment == "development" or tier is Tier.CONFIRM
        assert asked.count([word_of("ann", asked)]).complete is expected
    asked = ballot(question(Tier.APPROVE), enrolled(ALICE, environment=environment))
    assert not asked.count([word_of("ann", asked)]).complete, (
        "a signer is enrolled, so signatures are needed everywhere"
    )


def test_a_review_without_an_offered_commit_does_not_count() -> None:
    asked = ballot(question(Tier.CONFIRM), enrolled(ALICE))
    review = ForgeProof(host="h", review="1", commit="", login=ALICE.name)
    with pytest.raises(Refused, match="merge gate only"):
        asked.voter(Vote(statement=ALICE.vote(asked).statement, proof=review, via="test", at=now()))
