"""Notes of programs: objections to proposals, and questions to people. They decide nothing."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from whet.app.agent_notes.ask import ask_people, inquiry_state
from whet.app.agent_notes.bounded import MOST_CHARACTERS
from whet.app.agent_notes.objections import object_to
from whet.web.answers import answer
from whet.web.api.proposals import ProposalStart
from whet.web.security.callers import READING, Suggester
from whet.web.site import CurrentSite

router = APIRouter(tags=["notes"])


class NewObjection(BaseModel):
    """The reasons against a proposal."""

    model_config = ConfigDict(extra="forbid")
    why: str = Field(min_length=1, max_length=MOST_CHARACTERS, pattern=r"\S")


class NewInquiry(BaseModel):
    """A question to people, and the proposal that it is about."""

    model_config = ConfigDict(extra="forbid")
    text: str = Field(min_length=1, max_length=MOST_CHARACTERS, pattern=r"\S")
    proposal: str = Field(default="", max_length=80)


@router.post("/proposals/{proposal}/objections", status_code=201)
def add_objection(site: CurrentSite, caller: Suggester, proposal: ProposalStart, new: NewObjection) -> Response:
    """Record an objection under the name of the token. A person reads it at the gate; it decides nothing."""
    return answer(object_to(site.project, proposal, new.why, caller.name), status=201)


@router.post("/inquiries", status_code=201)
def add_inquiry(site: CurrentSite, caller: Suggester, new: NewInquiry) -> Response:
    """Put a question to people under the name of the token. The same question again gives the same one, with its state."""
    return answer(ask_people(site.project, new.text, caller.name, new.proposal), status=201)


@router.get("/inquiries/{inquiry}", dependencies=READING)
def read_inquiry(site: CurrentSite, inquiry: Annotated[str, Path(max_length=80)]) -> Response:
    """Return a question by its whole id: open, expired, or answered, with the reply."""
    return answer(inquiry_state(site.ledger, inquiry))
