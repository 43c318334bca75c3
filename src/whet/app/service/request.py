"""Record a request for a cycle. Any process may; the service answers it."""

import uuid

from whet.app.cycles.loop import actor
from whet.app.project import Project
from whet.domain.clock import now
from whet.domain.cycle_request import CycleRequest


def request_cycle(project: Project, reason: str, via: str, top: int = 0, finding: str = "") -> CycleRequest:
    """Record that somebody wants a cycle, and return the request. Refuse while the kill switch is on."""
    project.refuse_unless_permitted()
    request = CycleRequest(
        id=f"q-{uuid.uuid4().hex[:8]}", reason=reason, actor=actor(), via=via, at=now(), top=top, finding=finding
    )
    key = f"{request.id}/request"
    return project.ledger.append("observe", request, subject=request.id, key=key, actor=request.actor).read(
        CycleRequest
    )
