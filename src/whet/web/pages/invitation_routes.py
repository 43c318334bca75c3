"""The page of an invitation: an invited person makes a passkey. Its link is the only way in, and it works once.

The page needs no session, because the invited person may have none. It shows nothing of the repository but its name, and it
enrols nobody: the approvers sign the new key.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Form
from starlette.responses import HTMLResponse, Response

from whet.app.approvals.invitations import find_invitation, use_invitation
from whet.domain.invitation import Invitation
from whet.domain.statement import field_of
from whet.signing import passkeys
from whet.web.pages import static_files
from whet.web.pages.registration import new_passkey
from whet.web.pages.template import render
from whet.web.site import CurrentSite, Site


def limited(site: CurrentSite) -> None:
    """Count a request of somebody who is not signed in."""
    site.rates.take("invitation")


router = APIRouter(include_in_schema=False, dependencies=[Depends(limited)])


@router.get("/invitation/{secret}")
def invitation_form(site: CurrentSite, secret: str) -> Response:
    """Show the invitation. Opening the page uses nothing up."""
    invitation = find_invitation(site.project, secret, site.settings.url)
    return _page(site, invitation)


@router.post("/invitation/{secret}")
def make_passkey(
    site: CurrentSite,
    secret: str,
    credential: Annotated[str, Form()],
    client_data: Annotated[str, Form()],
    attestation: Annotated[str, Form()],
) -> Response:
    """Check the browser's answer, record the new passkey once, and show what an approver does next."""
    project = site.project
    invitation = find_invitation(project, secret, site.settings.url)
    made = new_passkey(invitation, credential, client_data, attestation)
    use_invitation(project, secret, made)
    return _page(site, invitation, made)


def _page(site: Site, invitation: Invitation, made: passkeys.Passkey | None = None) -> Response:
    html = render(
        "invitation.html",
        root=site.root,
        tab="",
        standalone=False,
        strip=None,
        static=static_files.address,
        integrity=static_files.integrity,
        repository=site.name,
        invitation=invitation,
        by=field_of(invitation.vote.statement, "who"),
        made=made,
        rp=passkeys.Passkey(who=invitation.invited, origin=invitation.origin, credential="", public_key="").rp_id,
        challenge=passkeys.encode(passkeys.challenge(invitation.vote.statement)),
    )
    return HTMLResponse(html)
