"""Webhooks: signed and in order to the outside; from the outside only with a valid signature, once."""

import hashlib
import hmac
import json
import time
from pathlib import Path

import pytest

from tests.receivers import http_receiver
from tests.support import Repo
from whet.app.project import Project, open_project
from whet.app.webhooks.endpoints import add_endpoint, editing, read_endpoints
from whet.app.webhooks.receiving import VARIABLE, receive
from whet.app.webhooks.sending import send_events
from whet.app.webhooks.signing import gitlab_is_genuine, sign
from whet.domain.notice import Delivery
from whet.errors import NotOnRecord, NotSignedIn, UsageError


def note(project: Project, *names: str) -> None:
    for name in names:
        project.ledger.append("observe", {"note": name}, subject=name, key=f"test/{name}", kind="Note")


def test_a_signature_is_that_of_the_standards_own_example() -> None:
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    signature = sign(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_entries_are_sent_in_order_signed_and_once(sample: Repo) -> None:
    project = open_project(sample.root)
    with http_receiver() as receiver:
        note(project, "before")
        endpoint = add_endpoint(
            project.state,
            f"http://127.0.0.1:{receiver.port}/hook/hidden?key=hidden",
            ("Note",),
            project.ledger.head().seq,
        )
        note(project, "one", "two")
        [delivery] = send_events(project)
        assert send_events(project) == []
    assert [json.loads(body)["data"]["subject"] for _, _, body in receiver.requests] == ["one", "two"]
    for _, headers, body in receiver.requests:
        expected = sign(endpoint.secret, headers["webhook-id"], int(headers["webhook-timestamp"]), body)
        assert headers["webhook-signature"] == expected
    assert delivery.error == ""
    assert "hidden" not in delivery.channel
    assert project.ledger.latest("Delivery", subject="webhooks")


@pytest.mark.parametrize("status", [500, 302])
def test_a_failing_receiver_is_tried_again_and_loses_nothing(sample: Repo, status: int) -> None:
    project = open_project(sample.root)
    with http_receiver() as receiver:
        add_endpoint(project.state, f"http://127.0.0.1:{receiver.port}/hook", ("Note",), 0)
        note(project, "one", "two")
        receiver.status = status
        [failed] = send_events(project)
        assert failed.error == f"status {status}"
        assert send_events(project) == []
        receiver.status = 200
        with editing(project.state) as endpoints:
            endpoints[0].next_at = ""
        send_events(project)
    assert [json.loads(body)["data"]["subject"] for _, _, body in receiver.requests] == ["one", "one", "two"]
    recorded = [entry.read(Delivery) for entry in project.ledger.entries(kind="Delivery")]
    assert [bool(delivery.error) for delivery in recorded] == [True, False]


@pytest.mark.parametrize(
    "url", ["http://example.com/x", "ftp://example.com", "https://", "file:///etc/passwd", "x", "https://a:b"]
)
def test_an_address_without_tls_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(UsageError):
        add_endpoint(tmp_path / ".whet", url, (), 0)
    assert not (tmp_path / ".whet").exists() or read_endpoints(tmp_path / ".whet") == []


def github(body: bytes, secret: str = "s3cret") -> dict[str, str]:
    signature = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return {"x-hub-signature-256": f"sha256={signature}", "x-github-delivery": "d-1", "x-github-event": "push"}


def test_a_genuine_webhook_is_one_request_to_look_however_often_it_comes(
    sample: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, body = open_project(sample.root), b'{"ref": "refs/heads/main"}'
    with pytest.raises(NotOnRecord):
        receive(project, "github", github(body), body)
    monkeypatch.setenv(VARIABLE, "s3cret")
    first = receive(project, "github", github(body), body)
    assert (first.reason, first.via, first.actor) == ("github: push", "webhook", "webhook:github")
    assert receive(project, "github", {**github(body), "x-github-delivery": "d-2"}, body) == first
    assert len(project.ledger.entries(kind="CycleRequest")) == 1
    for headers, content in (
        (github(body), body + b" "),
        (github(body, "other"), body),
        ({**github(body), "x-hub-signature-256": ""}, body),
        ({"x-github-delivery": "d-3"}, body),
    ):
        with pytest.raises(NotSignedIn):
            receive(project, "github", headers, content)
    with pytest.raises(UsageError):
        receive(project, "github", {"x-hub-signature-256": github(body)["x-hub-signature-256"]}, body)


def test_gitlab_signs_or_sends_its_token() -> None:
    at, body, secret = time.time(), b"{}", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    signed = {
        "webhook-id": "m",
        "webhook-timestamp": str(int(at)),
        "webhook-signature": sign(secret, "m", int(at), body),
    }
    assert gitlab_is_genuine(secret, signed, body, at)
    assert not gitlab_is_genuine(secret, signed, b"{ }", at)
    assert not gitlab_is_genuine(secret, signed, body, at + 301)
    assert not gitlab_is_genuine(secret, {**signed, "webhook-timestamp": "x"}, body, at)
    assert gitlab_is_genuine("s3cret", {"x-gitlab-token": "s3cret"}, body, at)
    assert not gitlab_is_genuine("s3cret", {"x-gitlab-token": "other"}, body, at)
    assert not gitlab_is_genuine("s3cret", {}, body, at)
