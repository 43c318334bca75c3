"""Send new ledger entries to the endpoints, in order, with retries."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from datetime import datetime, timedelta
from http.client import HTTPException
from typing import Any

from whet.app.project import Project
from whet.app.views.ledger_row import ledger_line
from whet.app.webhooks.endpoints import WebhookEndpoint, editing, read_endpoints
from whet.app.webhooks.signing import sign
from whet.domain.canonical import to_plain
from whet.domain.clock import now
from whet.domain.notice import Delivery
from whet.errors import WhetError
from whet.ledger.entry import Entry

_BATCH, _MOST_BATCHES = 25, 8
_MOST_FAILURES = 12
_TIMEOUT_SECONDS = 10
_OWN_KIND = "Delivery"  # recording a delivery must not cause the next one


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Follow no redirect: the signature is for the configured address alone."""


def send_events(project: Project) -> list[Delivery]:
    """Send what each endpoint has not got yet. An endpoint that fails keeps its place and is tried again, later each
    time; after twelve failures the entry is skipped. Returns the deliveries.

    A batch is sent, then recorded, then the endpoint's place moves. After a crash in between the batch is sent once more under
    the same ids, by which receivers drop repeats.
    """
    deliveries: list[Delivery] = []
    for endpoint in read_endpoints(project.state):
        for _ in range(_MOST_BATCHES):
            delivery, more = _send_batch(project, endpoint.name)
            deliveries += [delivery] if delivery else []
            if not more:
                break
    return deliveries


def _send_batch(project: Project, name: str) -> tuple[Delivery | None, bool]:
    """Send the next entries to an endpoint. Return the delivery, if there was any, and if more entries may wait."""
    with editing(project.state) as endpoints:
        endpoint = next((endpoint for endpoint in endpoints if endpoint.name == name), None)
        if endpoint is None or (endpoint.next_at and datetime.fromisoformat(endpoint.next_at) > now()):
            return None, False
        entries = project.ledger.entries(after=endpoint.after, most=_BATCH)
        delivery = _send_to(endpoint, entries)
        if delivery:
            _record(project, delivery)
    return delivery, len(entries) == _BATCH and not (delivery and delivery.error)


def _record(project: Project, delivery: Delivery) -> None:
    """Record a delivery. A ledger that cannot be written keeps no event from being sent."""
    key = f"delivery/{delivery.at.isoformat()}/{delivery.channel}"
    try:
        project.ledger.append("observe", delivery, subject="webhooks", key=key)
    except WhetError as problem:
        project.progress.warn(f"a delivery could not be recorded: {problem.message}")


def _send_to(endpoint: WebhookEndpoint, entries: Sequence[Entry]) -> Delivery | None:
    sent, error = [], ""
    for entry in entries:
        wanted = entry.kind != _OWN_KIND and (not endpoint.kinds or entry.kind in endpoint.kinds)
        error = _post(endpoint, entry) if wanted else ""
        if error and endpoint.failures + 1 < _MOST_FAILURES:
            endpoint.failures += 1
            endpoint.next_at = (now() + timedelta(seconds=min(3600, 5 * 2**endpoint.failures))).isoformat()
            break
        endpoint.after, endpoint.failures, endpoint.next_at = entry.seq, 0, ""
        if wanted and not error:
            sent.append(str(entry.seq))
        if error:
            break
    if not (sent or error):
        return None
    title = f"{len(sent)} sent to {endpoint.name}"
    return Delivery(channel=endpoint.shown_url, notices=tuple(sent), title=title, error=error, at=now())


def _post(endpoint: WebhookEndpoint, entry: Entry) -> str:
    """Send one entry. Return the problem; empty if the endpoint answered with a success."""
    line = to_plain(ledger_line(entry))
    body = json.dumps({"type": f"whet.{entry.kind}", "timestamp": line["at"], "data": line}).encode()
    identity, at = f"{entry.seq}-{entry.hash[:16]}", int(time.time())
    headers = {
        "content-type": "application/json",
        "user-agent": "whet",
        "webhook-id": identity,
        "webhook-timestamp": str(at),
        "webhook-signature": sign(endpoint.secret, identity, at, body),
    }
    request = urllib.request.Request(endpoint.url, body, headers)  # noqa: S310 - `add_endpoint` checked the scheme
    try:
        with urllib.request.build_opener(_NoRedirects).open(request, timeout=_TIMEOUT_SECONDS) as answer:
            return "" if 200 <= answer.status < 300 else f"status {answer.status}"
    except urllib.error.HTTPError as problem:
        problem.close()
        return f"status {problem.code}"
    except (OSError, ValueError, HTTPException) as problem:
        return type(problem).__name__
