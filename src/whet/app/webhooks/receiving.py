"""Webhooks of forges. A genuine one is recorded as a request to look; its content is not believed."""

import os
import re
import time
from collections.abc import Mapping

from whet.app.project import Project
from whet.app.webhooks.signing import github_is_genuine, gitlab_is_genuine
from whet.domain.canonical import digest
from whet.domain.clock import now
from whet.domain.cycle_request import WEBHOOK, CycleRequest
from whet.errors import NotOnRecord, NotSignedIn, UsageError

VARIABLE = "WHET_WEBHOOK_SECRET"
_DELIVERY = {
    "github": ("x-github-delivery", "x-github-event"),
    "gitlab": ("x-gitlab-event-uuid", "x-gitlab-event"),
}
_NOT_A_WORD = re.compile(r"[^A-Za-z0-9 ._-]+")


def receive(project: Project, forge: str, headers: Mapping[str, str], body: bytes) -> CycleRequest:
    """Record a request to look, once for each delivery of the forge. Raise NotSignedIn unless the webhook is genuine.

    GitHub's signature has no time in it, so an old webhook can be sent again; a repeated delivery is found by its id.
    """
    secret = os.environ.get(VARIABLE, "")
    if not secret:
        raise NotOnRecord("this server takes no webhooks: it has no secret for them", f"set {VARIABLE}")
    genuine = (
        github_is_genuine(secret, headers, body)
        if forge == "github"
        else gitlab_is_genuine(secret, headers, body, time.time())
    )
    if not genuine:
        raise NotSignedIn("the signature of this webhook is missing or wrong", f"compare its secret with {VARIABLE}")
    identity_header, event_header = _DELIVERY[forge]
    delivery = headers.get(identity_header) or headers.get("webhook-id", "")
    if not delivery:
        raise UsageError(f"the webhook has no {identity_header}", "a forge sends it by itself")
    event = _NOT_A_WORD.sub("", headers.get(event_header, ""))[:60] or "event"
    # The id depends on the body too: GitHub does not sign the delivery id, so another id alone makes no new request.
    request = CycleRequest(
        id=f"q-{digest([forge, body.hex()])[:8]}",
        reason=f"{forge}: {event}",
        actor=f"webhook:{forge}",
        via=WEBHOOK,
        at=now(),
    )
    key = f"{request.id}/request"
    entry = project.ledger.append("observe", request, subject=request.id, key=key, actor=request.actor)
    return entry.read(CycleRequest)
