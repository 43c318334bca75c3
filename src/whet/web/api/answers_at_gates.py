"""Answers at gates. A person's signature over the statement decides; a token or a session only carries it."""

from typing import Annotated

from fastapi import APIRouter, Header, Query
from pydantic import BaseModel, Field
from starlette.responses import PlainTextResponse, Response

from whet.app.approvals import decisions
from whet.app.approvals.approvers import proof_of
from whet.domain.approval import Answer, Question
from whet.domain.statement import field_of
from whet.errors import EvidenceChanged, MissingPrecondition
from whet.web.answers import answer
from whet.web.api.proposals import ProposalStart, view_of
from whet.web.security.callers import READING
from whet.web.site import CurrentSite

router = APIRouter(prefix="/proposals/{proposal}", tags=["answers"], dependencies=READING)
IfMatch = Annotated[str, Header(alias="If-Match", description="The digest that the statement is about, in quotes.")]


class SignedStatement(BaseModel):
    """A statement as `GET .../statement` gave it, and the SSH signature over it in the namespace whet-approval@v1."""

    statement: str = Field(min_length=1, max_length=20_000)
    signature: str = Field(min_length=1, max_length=20_000)


@router.get(
    "/statement",
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
def make_statement(
    site: CurrentSite,
    proposal: ProposalStart,
    who: Annotated[str, Query(min_length=1, max_length=200)],
    why: Annotated[str, Query(max_length=2000)] = "",
) -> Response:
    """Return the text that `who` signs to say yes at the open gate: ssh-keygen -Y sign -n whet-approval@v1."""
    project, identity = site.project, view_of(site, proposal).proposal.id
    question = decisions.open_question(project, identity)
    text = decisions.statement(project, identity, who, why)
    return Response(text, media_type="text/plain; charset=utf-8", headers={"ETag": f'"{question.digest}"'})


@router.post("/votes", status_code=201)
def cast_vote(site: CurrentSite, proposal: ProposalStart, signed: SignedStatement, if_match: IfMatch = "") -> Response:
    """Record a signed yes at the open gate. It counts if an approver's key made the signature over this very question.

    A vote under the same question by the same key is recorded once. `missing` lists the people whose votes are needed.
    """
    project, identity = site.project, view_of(site, proposal).proposal.id
    _refuse_other_evidence(decisions.open_question(project, identity), if_match)
    given = decisions.GivenAnswer(
        via="rest",
        why=field_of(signed.statement, "why"),
        who=field_of(signed.statement, "who"),
        proof=proof_of(signed.statement, signed.signature),
    )
    receipt = decisions.answer(project, identity, Answer.APPROVED, given)
    return answer(receipt, status=201, digest=receipt.question.digest)


def _refuse_other_evidence(question: Question, if_match: str) -> None:
    if not if_match:
        raise MissingPrecondition(
            "If-Match is missing", "send the ETag of the statement, so that you answer what you read"
        )
    if if_match.strip().strip('"') != question.digest:
        raise EvidenceChanged("the open question is about other evidence", "read the proposal again, and sign again")
