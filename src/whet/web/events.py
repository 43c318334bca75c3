"""Server-sent events: one event for every new ledger entry."""

import contextlib
import json
from collections.abc import AsyncGenerator
from typing import Annotated, Any

from fastapi import APIRouter, Header
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.responses import Response

from whet.domain.canonical import to_plain
from whet.errors import TooManyRequests
from whet.web.api.paging import Word
from whet.web.api.problems import PROBLEMS
from whet.web.security.callers import READING
from whet.web.site import CurrentSite, Site

router = APIRouter(prefix="/api/v1", tags=["events"], dependencies=READING, responses=PROBLEMS)
_RETRY_MILLISECONDS = 2000
_SLOWEST_SEND_SECONDS = 30
_LAST_EVENT_ID = Header(alias="Last-Event-ID", description="The last sequence number that the client has seen.")


@router.get(
    "/events",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def stream_events(
    site: CurrentSite,
    subject: Word = "",
    phase: Word = "",
    kind: Word = "",
    after: Word = "",
    last_event_id: Annotated[str, _LAST_EVENT_ID] = "",
) -> Response:
    """Send an event for every ledger entry after `after` or Last-Event-ID; without them, for every new one.

    The id is the sequence number, the name is the kind, the data says what was recorded about which subject. An event
    `gap` says that the last id is unknown here: read the record again, the stream goes on with new entries.
    """
    if site.feed.subscribers >= site.settings.most_streams:
        raise TooManyRequests("the server has as many event streams as it can serve", "close one, or try again later")
    wanted = {name: value for name, value in (("subject", subject), ("phase", phase), ("kind", kind)) if value}
    return EventSourceResponse(
        _events(site, last_event_id or after, wanted),
        ping=site.settings.ping_seconds,
        send_timeout=_SLOWEST_SEND_SECONDS,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _events(site: Site, last: str, wanted: dict[str, str]) -> AsyncGenerator[ServerSentEvent]:
    head = await site.feed.head()
    known = last.isascii() and last.isdigit() and len(last) < 19 and int(last) <= head
    after = int(last) if known else head
    # The first event sets the cursor of a client that reconnects before anything was recorded.
    if last and not known:
        yield ServerSentEvent(json.dumps({"after": after}), event="gap", id=str(after), retry=_RETRY_MILLISECONDS)
    else:
        yield ServerSentEvent(json.dumps({"after": after}), event="open", id=str(after), retry=_RETRY_MILLISECONDS)
    async with contextlib.aclosing(site.feed.follow(after)) as lines:
        async for line in lines:
            if all(line[name] == value for name, value in wanted.items()):
                yield _event(line)


def _event(line: dict[str, Any]) -> ServerSentEvent:
    return ServerSentEvent(json.dumps(to_plain(line)), event=line["kind"], id=str(line["seq"]))
