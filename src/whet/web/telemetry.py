"""OTLP over HTTP: applications send what they trace, log and measure to the server of `whet serve`."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from whet.errors import NotOnRecord
from whet.intake.otlp import PATHS, Receiver
from whet.web.security.callers import WebCaller, sender
from whet.web.site import CurrentSite

SOURCE = "otlp"
router = APIRouter(include_in_schema=False)


class Telemetry:
    """The receiver of one server, made when the first export arrives."""

    def __init__(self) -> None:
        self._receiver: Receiver | None = None

    def receiver(self, site: CurrentSite) -> Receiver:
        """Return the receiver. Refuse if the policy does not name the source: nothing would ever read the events."""
        project = site.project
        if SOURCE not in project.policy.observe.sources:
            raise NotOnRecord(
                "this repository does not take in telemetry", f'add "{SOURCE}" to observe.sources in whet.toml'
            )
        self._receiver = self._receiver or Receiver(project.state, project.policy.sources)
        return self._receiver


async def take_export(request: Request, site: CurrentSite, sent_by: Annotated[WebCaller, Depends(sender)]) -> Response:
    """Store an export, and answer as the protocol asks."""
    del sent_by  # the dependency refuses callers without the scope
    body = await request.body()
    telemetry: Telemetry = request.app.state.telemetry
    receiver = await run_in_threadpool(telemetry.receiver, site)
    path = request.scope["route"].path  # the path of the URL also has the name of the repository, if there are several
    status, headers, content = await run_in_threadpool(receiver.receive, path, dict(request.headers), body)
    return Response(content, status, headers)


for path in PATHS:
    router.add_api_route(path, take_export, methods=["POST"])
