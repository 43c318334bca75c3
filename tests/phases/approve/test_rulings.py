"""Decisions of undecided calls: who may make them, and that they approve nothing."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.phases.approve.people import Person, ballot, enrolled, question
from whet.domain.approval import Answer, Approval, Question, Ruling, Tier, Vote, Voter
from whet.domain.approvers import Approvers
from whet.domain.clock import now
from whet.domain.proof import Assurance, OsProof, SshProof
from whet.domain.statement import RulingStatement
from whet.domain.undecided_call import UndecidedCall
from whet.errors import NotCounted, Refused, UnprovenApproval
from whet.phases.approve.rulings import author, decide, refuse_unproven_ruling

ALICE, BOB = Person("alice@example.com"), Person("bob@example.com")
CALL = UndecidedCall(call="key({'name': None})", function="key", path="customers.py", answers=())
ASKED = question(Tier.REQUIRE)


def vote_of(who: Person | str, in_force: Approvers, **changed: Any) -> Vote:
    name = who if isinstance(who, str) else who.name
    text = replace(RulingStatement.about(ASKED, CALL, "''", in_force.digest, name, "seen"), **changed).text
    proof: OsProof | SshProof = OsProof(uid=1, user=who) if isinstance(who, str) else who.proof(text)
    return Vote(statement=text, proof=proof, via="test", at=now())


def decided(who: Person | str, approvers: Approvers, **fields: Any) -> Approval:
    vote = vote_of(who, approvers)
    voter = author(vote, ASKED, CALL, "''", approvers)
    ruling = Ruling(
        undecided=CALL.id, call=CALL.call, function=CALL.function, path=CALL.path, answer="''", vote=vote, voter=voter
    )
    return decide(ASKED, replace(ruling, **fields))


@pytest.mark.parametrize(("who", "assurance"), [("ann", Assurance.OS), (ALICE, Assurance.SIGNATURE)])
def test_a_decision_names_its_author_and_the_strength_of_the_proof(who: Person | str, assurance: Assurance) -> None:
    approval = decided(who, enrolled(ALICE))
    assert approval.ruling
    assert approval.ruling.voter.assurance is assurance
    refuse_unproven_ruling(approval, ASKED, enrolled(ALICE))


def test_a_decision_is_no_yes() -> None:
    approvers = enrolled(ALICE)
    approval = decided(ALICE, approvers)
    assert (approval.answer, approval.granted, approval.override) == (Answer.DECIDED, False, False)
    assert approval.ruling
    for tier in Tier:
        votes = ballot(replace(ASKED, tier=tier), approvers)
        assert not votes.count([approval.ruling.vote]).voters


def test_a_signed_yes_is_no_decision() -> None:
    approvers = enrolled(ALICE)
    with pytest.raises(NotCounted, match="not the one of the open question"):
        author(ALICE.vote(ballot(ASKED, approvers)), ASKED, CALL, "''", approvers)


@pytest.mark.parametrize(
    "changed", ["call", "answer", "path", "evidence", "question", "proposal", "repository", "approvers"]
)
def test_a_signature_over_anything_else_does_not_count(changed: str) -> None:
    approvers = enrolled(ALICE)
    with pytest.raises(NotCounted):
        author(vote_of(ALICE, approvers, **{changed: "other"}), ASKED, CALL, "''", approvers)


def test_a_person_with_a_key_must_sign() -> None:
    approvers = enrolled(ALICE)
    with pytest.raises(NotCounted, match="must be signed"):
        author(vote_of(ALICE.name, approvers), ASKED, CALL, "''", approvers)


def test_a_stranger_cannot_sign_for_an_approver() -> None:
    approvers = enrolled(ALICE)
    with pytest.raises(Refused):
        author(vote_of(Person(ALICE.name), approvers), ASKED, CALL, "''", approvers)
    with pytest.raises(Refused):
        author(vote_of(BOB, approvers), ASKED, CALL, "''", approvers)


def test_the_proof_of_tier_confirm_is_needed() -> None:
    strict = enrolled(ALICE, policy={"proof": {"confirm": "signature"}})
    with pytest.raises(NotCounted, match="needs a signature") as refusal:
        author(vote_of("ann", strict), ASKED, CALL, "''", strict)
    assert refusal.value.remedy == "sign it: whet answer ID 1 --key FILE"
    assert author(vote_of(ALICE, strict), ASKED, CALL, "''", strict).proven


def test_an_answer_after_the_end_of_the_question_does_not_count() -> None:
    approvers = enrolled(ALICE)
    late: Question = replace(ASKED, expires_at=now() - timedelta(seconds=1))
    text = RulingStatement.about(late, CALL, "''", approvers.digest, ALICE.name, "").text
    vote = Vote(statement=text, proof=ALICE.proof(text), via="test", at=now())
    with pytest.raises(NotCounted, match="later than the end"):
        author(vote, late, CALL, "''", approvers)


def test_an_answer_before_its_question_does_not_count() -> None:
    approvers = enrolled(ALICE)
    early = replace(vote_of(ALICE, approvers), at=ASKED.asked_at - timedelta(days=1))
    with pytest.raises(NotCounted, match="earlier than its question"):
        author(early, ASKED, CALL, "''", approvers)


@pytest.mark.parametrize(
    "fields",
    [
        {"answer": "None"},
        {"call": "key(1)"},
        {"path": "other.py"},
        {"undecided": "q-00000000"},
        {"voter": Voter(who="bob", assurance=Assurance.VERIFIED)},
    ],
)
def test_an_edited_decision_is_refused(fields: dict[str, Any]) -> None:
    approvers = enrolled(ALICE)
    with pytest.raises(UnprovenApproval):
        refuse_unproven_ruling(decided(ALICE, approvers, **fields), ASKED, approvers)


def test_a_decision_without_a_call_is_refused() -> None:
    approvers = enrolled(ALICE)
    with pytest.raises(UnprovenApproval, match="names no call"):
        refuse_unproven_ruling(replace(decided(ALICE, approvers), ruling=None), ASKED, approvers)
