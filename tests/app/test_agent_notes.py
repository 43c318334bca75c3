"""Objections and questions of agents: bounded, recorded once, and nothing that decides meets them."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.ledger.test_invariants import Scenario
from tests.web.pages import made
from whet.app.agent_notes import ask
from whet.app.agent_notes.ask import InquiryState, ask_people, inquiry_state, list_inquiries, open_inquiries
from whet.app.agent_notes.objections import MOST_PER_PROPOSAL, object_to
from whet.app.agent_notes.reply import reply_to
from whet.app.project import Project
from whet.app.service.status import service_status
from whet.app.views.proposal_view import view_proposal, view_proposals
from whet.domain.clock import now
from whet.domain.lesson import Ending, Lesson
from whet.errors import NotOnRecord, Refused, UsageError
from whet.ledger.invariants.check import check_invariants

SECRET = "ghp_" + "a1B2" * 9


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return made.open_made(tmp_path)


def waiting(project: Project, identity: str = "p-1") -> None:
    """Record a proposal that waits at the apply gate."""
    proposal = made.proposal(project, identity)
    made.record(project, proposal, made.diff_of("calculator.py", ["x = 1"]), made.evidence(proposal, made.check("t")))


def test_an_objection_is_recorded_once_with_the_evidence_that_it_is_about(project: Project) -> None:
    waiting(project)
    first = object_to(project, "p-", "line 3 drops zero", "agent:a")
    assert object_to(project, "p-1", " line 3 drops zero ", "agent:a") == first
    assert first.evidence == view_proposal(project.ledger, "p-1").evidence.digest  # type: ignore[union-attr]
    assert object_to(project, "p-1", "line 3 drops zero", "agent:b") != first
    assert len(project.ledger.entries(kind="Objection")) == 2


def test_an_objection_leaves_question_verdict_and_status_as_they_are(project: Project) -> None:
    waiting(project)
    before = view_proposal(project.ledger, "p-1")
    object_to(project, "p-1", "line 3 drops zero", "agent:a")
    ask_people(project, "may zero be dropped?", "agent:a", "p-1")
    after = view_proposal(project.ledger, "p-1")
    assert [each.why for each in after.objections] == ["line 3 drops zero"]
    assert [each.text for each in after.inquiries] == ["may zero be dropped?"]
    after.objections, after.inquiries = [], []
    assert after == before
    assert [view.objections for view in view_proposals(project.ledger)] == [
        view_proposal(project.ledger, "p-1").objections
    ]


def test_a_note_after_an_error_does_not_hide_that_the_lesson_is_missing(project: Project) -> None:
    """Invariant 8 looks at the last row of a proposal. A program must not be able to put a row behind it."""
    for row in (*Scenario().until_proposed(), *Scenario().until_applied()):
        project.ledger.append(row.phase, row.noun, subject=row.subject, key=row.key, kind=row.kind)
    error = {"code": "x", "message": "the end"}
    project.ledger.append("deploy", error, subject="p-1", key="p-1/deploy/error", kind="Error")
    before = check_invariants(project.ledger.entries())
    assert [result.number for result in before if not result.holds] == [8]
    object_to(project, "p-1", "line 3 drops zero", "agent:a")
    ask_people(project, "may zero be dropped?", "agent:a", "p-1")
    assert check_invariants(project.ledger.entries()) == before


def test_a_proposal_takes_no_more_objections_than_a_person_can_read(project: Project) -> None:
    waiting(project)
    for number in range(MOST_PER_PROPOSAL):
        object_to(project, "p-1", f"reason {number}", f"agent:{number}")
    with pytest.raises(Refused, match="20 objections"):
        object_to(project, "p-1", "one more", "agent:x")
    assert object_to(project, "p-1", "reason 3", "agent:3").why == "reason 3"
    assert len(project.ledger.entries(kind="Objection")) == MOST_PER_PROPOSAL


def test_a_proposal_that_has_ended_takes_no_objection(project: Project) -> None:
    waiting(project)
    lesson = Lesson(
        proposal="p-1", signature="5" * 16, engine="repair", ending=Ending.REJECTED, code="", summary="no", base="b",
        patch_digest="", learned_at=now(),
    )  # fmt: skip
    project.ledger.append("learn", lesson, subject="p-1", key="p-1/lesson")
    with pytest.raises(Refused, match="p-1 has ended: rejected"):
        object_to(project, "p-1", "too late", "agent:a")


@pytest.mark.parametrize("text", ["", " \n\t", "x" * 2_001])
def test_a_text_that_is_empty_or_too_long_is_refused_and_not_recorded(project: Project, text: str) -> None:
    waiting(project)
    head = project.ledger.head()
    for record in (
        lambda: object_to(project, "p-1", text, "agent:a"),
        lambda: ask_people(project, text, "agent:a"),
    ):
        with pytest.raises(UsageError):
            record()
    assert project.ledger.head() == head


def test_secrets_are_redacted_before_anything_is_recorded(project: Project) -> None:
    waiting(project)
    assert SECRET not in object_to(project, "p-1", f"it prints {SECRET}", "agent:a").why
    asked = ask_people(project, f"is {SECRET} yours?", "agent:a")
    assert SECRET not in reply_to(project, asked.id, f"yes, {SECRET}", "cli").reply.text  # type: ignore[union-attr]
    assert not [entry for entry in project.ledger.entries() if SECRET in entry.body]


@pytest.mark.parametrize("text", [*made.HOSTILE, "a\ud800b"])
def test_any_text_can_be_recorded_and_read_back(project: Project, text: str) -> None:
    asked = ask_people(project, text, "agent:a")
    assert ask_people(project, text, "agent:a") == asked
    assert inquiry_state(project.ledger, asked.id) == asked


def test_a_question_waits_in_the_status_until_a_person_answers_it_once(project: Project) -> None:
    asked = ask_people(project, "which calendar?", "agent:a")
    assert (asked.state, asked.reply) == ("open", None)
    assert service_status(project).inquiries == (asked,)
    answered = reply_to(project, asked.id[:5], "ours", "cli")
    assert (answered.state, answered.reply and answered.reply.text) == ("answered", "ours")
    assert service_status(project).inquiries == ()
    assert ask_people(project, "which calendar?", "agent:a") == answered == inquiry_state(project.ledger, asked.id)
    with pytest.raises(Refused, match=f"has answered {asked.id} already: ours"):
        reply_to(project, asked.id, "theirs", "web")
    assert list_inquiries(project.ledger) == [answered]


def test_the_question_of_another_program_or_about_another_proposal_is_another(project: Project) -> None:
    waiting(project)
    asked = {ask_people(project, "why?", by, about).id for by in ("agent:a", "agent:b") for about in ("", "p-1")}
    assert len(asked) == 4


def test_people_are_not_asked_more_than_they_can_answer(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [ask_people(project, f"question {number}", "agent:a") for number in range(ask.MOST_OPEN)]
    with pytest.raises(Refused, match="10 questions wait"):
        ask_people(project, "one more", "agent:b")
    reply_to(project, asked[0].id, "yes", "cli")
    monkeypatch.setattr(ask, "MOST_A_DAY", ask.MOST_OPEN)
    with pytest.raises(Refused, match="10 questions in the last 24 hours"):
        ask_people(project, "one more", "agent:b")
    assert len(list_inquiries(project.ledger)) == ask.MOST_OPEN


def test_a_question_that_nobody_answers_expires_and_can_still_be_answered(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ask, "LASTS", timedelta(0))
    asked: InquiryState = ask_people(project, "which calendar?", "agent:a")
    assert asked.state == "expired"
    assert open_inquiries(project.ledger) == []
    assert reply_to(project, asked.id, "ours", "cli").state == "answered"


def test_an_unknown_or_ambiguous_id_is_refused(project: Project) -> None:
    for number in range(3):
        ask_people(project, f"question {number}", "agent:a")
    with pytest.raises(NotOnRecord, match="no agent asked 'i-zz'"):
        reply_to(project, "i-zz", "yes", "cli")
    with pytest.raises(UsageError, match="could be"):
        reply_to(project, "i-", "yes", "cli")
    with pytest.raises(NotOnRecord):
        inquiry_state(project.ledger, "i-")
