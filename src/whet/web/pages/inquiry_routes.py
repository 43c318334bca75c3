"""The page on which a person answers the question of an agent."""

from typing import Annotated

from fastapi import APIRouter, Depends, Form
from starlette.responses import RedirectResponse, Response

from whet.app.agent_notes.ask import inquiry_state
from whet.app.agent_notes.reply import MOST_CHARACTERS, reply_to
from whet.errors import Refused
from whet.web.pages.routes import only_browsers, show
from whet.web.security.callers import READING
from whet.web.site import CurrentSite

router = APIRouter(include_in_schema=False, dependencies=READING)


@router.get("/inquiries/{identity}")
def inquiry(site: CurrentSite, identity: str) -> Response:
    project = site.project
    asked = inquiry_state(project.ledger, identity)
    may_reply = site.settings.is_loopback
    return show(site, project, "inquiry.html", "Queue", asked=asked, may_reply=may_reply, most=MOST_CHARACTERS)


@router.post("/inquiries/{identity}", dependencies=[Depends(only_browsers)])
def answer_inquiry(site: CurrentSite, identity: str, text: Annotated[str, Form()] = "") -> Response:
    """Record the answer in the name of the user of this process. It needs no signature: it permits nothing."""
    if not site.settings.is_loopback:
        raise Refused("this server is reached from other machines, so it cannot say who answers", "whet reply ID TEXT")
    asked = reply_to(site.project, inquiry_state(site.ledger, identity).id, text, via="web")
    return RedirectResponse(f"{site.root}/inquiries/{asked.id}", status_code=303)
