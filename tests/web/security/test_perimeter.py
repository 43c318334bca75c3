"""Requests that must not reach a handler: under other names, from other pages, too large."""

import pytest
from starlette.testclient import TestClient

from whet.errors import Refused
from whet.web.security.headers import HEADERS
from whet.web.settings import WebSettings, refuse_public


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8787", "localhost:80", "localhost", "localhost:8787.evil.example", ""]
)
def test_a_request_for_another_name_gets_nothing(browser: TestClient, host: str) -> None:
    answer = browser.get("/api/v1/status", headers={"Host": host})
    assert answer.status_code == 421
    assert answer.json()["code"] == "other_origin"


@pytest.mark.parametrize("host", ["localhost:8787", "127.0.0.1:8787", "LOCALHOST:8787", "[::1]:8787"])
def test_the_servers_own_names_are_answered(stranger: TestClient, host: str) -> None:
    assert stranger.get("/api/v1/status", headers={"Host": host}).status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9999"},
        {"Origin": "https://localhost:8787"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_page_of_another_site_cannot_post(browser: TestClient, headers: dict[str, str]) -> None:
    assert browser.post("/leave", headers=headers).status_code == 403
    assert browser.get("/api/v1/status").status_code == 200


def test_the_servers_own_page_can_post(browser: TestClient) -> None:
    own = {"Origin": "http://localhost:8787", "Sec-Fetch-Site": "same-origin"}
    assert browser.post("/leave", headers=own).status_code == 204
    assert browser.get("/api/v1/status").status_code == 401


def test_a_body_that_is_too_large_is_refused_by_its_length_and_by_its_size(browser: TestClient) -> None:
    assert browser.post("/leave", content=b"x" * 4_000_001).status_code == 413
    assert browser.post("/leave", headers={"Content-Length": "-1"}, content=b"").status_code == 413


@pytest.mark.parametrize("path", ["/api/v1/status", "/nowhere", "/enter?key=x"])
def test_every_answer_has_the_security_headers(stranger: TestClient, path: str) -> None:
    answer = stranger.get(path)
    assert answer.status_code in (401, 404)
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert answer.headers["cache-control"] == "no-store"


def public(**more: object) -> WebSettings:
    return WebSettings(host="0.0.0.0", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("settings", "enrolled", "words"),
    [
        (public(), 1, "no TLS"),
        (public(certificate="c"), 1, "no TLS"),
        (public(certificate="c", private_key="k"), 1, "its own name"),
        (public(certificate="c", private_key="k", names=("whet.example",)), 0, "no approver"),
        (WebSettings(host="::"), 1, "no TLS"),
        (WebSettings(host="example.com"), 1, "no TLS"),
    ],
)
def test_a_public_address_needs_tls_a_name_and_approvers(settings: WebSettings, enrolled: int, words: str) -> None:
    with pytest.raises(Refused, match=words):
        refuse_public(settings, enrolled=enrolled)


def test_loopback_and_a_complete_public_server_are_accepted() -> None:
    for host in ("127.0.0.1", "localhost", "::1", "127.9.9.9"):
        refuse_public(WebSettings(host=host), enrolled=0)
    complete = public(certificate="c", private_key="k", names=("whet.example",), port=443)
    refuse_public(complete, enrolled=1)
    assert complete.allowed_hosts == {"whet.example", "whet.example:443"}
