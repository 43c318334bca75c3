"""Approving with a passkey. A session alone approves nothing: the proof is the passkey's answer."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import RedirectResponse, Response

from whet.app.approvals import decisions
from whet.app.project import Project
from whet.app.views.proposal_view import resolve
from whet.domain.approval import Answer
from whet.domain.proof import PasskeyProof
from whet.domain.sanitize import one_line
from whet.domain.statement import field_of
from whet.signing import passkeys
from whet.web.pages.routes import asked, show
from whet.web.security.callers import READING
from whet.web.site import CurrentSite

router = APIRouter(include_in_schema=False, dependencies=READING)


@router.get("/p/{identity}/approve")
def approve_form(site: CurrentSite, identity: str, who: str = "", why: str = "") -> Response:
    """Show the ways to say yes, and the statement of `who` if they are named."""
    project, page = asked(site, identity)
    enrolled = page.standing.passkeys if page.standing else ()
    usable = [key for key in enrolled if key.who == who and key.origin == site.settings.url]
    statement = _statement(project, identity, who, why) if who and page.standing and not page.standing.problem else ""
    return show(
        site,
        project,
        "approve.html",
        "Queue",
        page=page,
        who=who,
        why=why,
        people=sorted({key.who for key in enrolled}),
        statement=statement,
        challenge=passkeys.encode(passkeys.challenge(statement)) if statement else "",
        credentials=[key.credential for key in usable],
        rp=usable[0].rp_id if usable else "",
    )


def _statement(project: Project, identity: str, who: str, why: str) -> str:
    return decisions.statement(project, identity, one_line(who.strip())[:255], one_line(why.strip())[:2000])


@router.post("/p/{identity}/approve")
def approve(
    site: CurrentSite,
    identity: str,
    statement: Annotated[str, Form()],
    credential: Annotated[str, Form()],
    client_data: Annotated[str, Form()],
    authenticator_data: Annotated[str, Form()],
    signature: Annotated[str, Form()],
) -> Response:
    """Record the vote that a passkey proves. The statement must be that of the open question, to the letter."""
    project = site.project
    proof = PasskeyProof(
        credential=credential,
        client_data=client_data,
        authenticator_data=authenticator_data,
        signature=signature,
        statement=statement.replace("\r\n", "\n"),
    )
    given = decisions.GivenAnswer(
        via="web", why=field_of(proof.statement, "why"), who=field_of(proof.statement, "who"), proof=proof
    )
    decisions.answer(project, resolve(project.ledger, identity), Answer.APPROVED, given)
    return RedirectResponse(f"{site.root}/p/{identity}", status_code=303)
