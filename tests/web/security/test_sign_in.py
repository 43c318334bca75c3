"""Sessions of browsers and tokens of programs: what lets a request in."""

from collections.abc import Callable

from fastapi import FastAPI
from starlette.testclient import TestClient

from tests.support import Repo
from whet.app.tokens import list_tokens, revoke_token
from whet.web.security.sessions import Sessions
from whet.web.server import entry_link


def test_the_link_signs_in_once_and_its_cookie_is_strict(app: FastAPI, stranger: TestClient) -> None:
    link = entry_link(app)
    answer = stranger.get(link)
    cookie = answer.headers["set-cookie"].lower()
    assert answer.status_code == 303
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert stranger.get("/api/v1/status").status_code == 200
    stranger.cookies.clear()
    assert stranger.get(link).status_code == 401
    assert stranger.get("/api/v1/status").status_code == 401


def test_keys_and_sessions_end() -> None:
    time = 0.0
    sessions = Sessions(hours=1, clock=lambda: time)
    old, key = sessions.make_key(), sessions.make_key()
    secret = sessions.enter(key)
    assert secret
    assert sessions.knows(secret)
    assert not sessions.knows("")
    time = 16 * 60
    assert sessions.enter(old) is None
    time = 3601
    assert not sessions.knows(secret)


def test_a_token_reads_until_it_is_revoked(program: Callable[..., TestClient], waiting: Repo) -> None:
    client = program("read")
    assert client.get("/api/v1/status").status_code == 200
    revoke_token(waiting.root / ".whet", list_tokens(waiting.root / ".whet")[-1].name)
    answer = client.get("/api/v1/status")
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "not_signed_in"


def test_secrets_of_tokens_are_not_stored(waiting: Repo) -> None:
    result = waiting.whet("tokens", "create", "ci", "--scope", "prove", "--days", "1", "--json")
    secret = result.json["secret"]
    file = waiting.root / ".whet" / "tokens.json"
    assert secret.startswith("whet_")
    assert secret not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    assert "ci" in waiting.whet("tokens", "list").out
    assert waiting.whet("tokens", "create", "ci").code == 2
    assert waiting.whet("tokens", "create", "x", "--scope", "approve").code == 2
    assert waiting.whet("tokens", "revoke", "ci").code == 0
    assert waiting.whet("tokens", "revoke", "ci").code == 2
