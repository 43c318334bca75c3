"""Ten thousand hostile requests on raw sockets: the server answers or closes, never breaks, and records nothing."""

import contextlib
import random
import socket
from urllib.parse import quote, urlsplit

import httpx
import pytest

from tests.support import Repo
from tests.web.running import running_server, token_of
from whet.app.project import open_project

pytestmark = pytest.mark.long

REQUESTS = 10_000
METHODS = ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "get", "X" * 300, "G\x00T")
PATHS = (
    "/", "/p/p-2", "/p/p-2/approve", "/p/p-2/reject", "/p/p-2/rollback", "/ledger", "/ledger/1", "/findings", "/policy",
    "/invitation/x", "/enter", "/leave", "/static/x/whet.css", "/api/v1/status", "/api/v1/ledger", "/api/v1/proposals/p-2",
    "/api/v1/proposals/p-2/votes", "/api/v1/suggestions", "/api/v1/proofs", "/hooks/github", "/mcp", "//evil.example/",
)  # fmt: skip
PIECES = (
    "%00", "%ff%fe", "../../../../etc/passwd", "%2e%2e%2f", "'", '"', "<script>", "${7*7}", "{{7*7}}", "\\", "é", "😀",
    "%0d%0aSet-Cookie:x=1", "9" * 400, "-1", "NaN", ";", "%", "&", "=", "A" * 5000, "\x7f", "\t", "?", "#",
)  # fmt: skip
QUERIES = ("after", "limit", "before", "held", "page", "kind", "subject", "who", "why", "key", "q")
NAMES = (
    "Host", "Origin", "Cookie", "Authorization", "If-Match", "Last-Event-ID", "Content-Type", "Content-Length",
    "Transfer-Encoding", "Idempotency-Key", "Accept", "X-Forwarded-For", "X-Hub-Signature-256", "Range", "Expect",
)  # fmt: skip


def hostile_request(chance: random.Random, host: str, secret: str) -> tuple[bytes, bool]:
    """Return the bytes of a request that is nearly right, and if it is whole: else it is cut, flipped or lies about its size."""

    def noise(*, quoted: bool = False) -> str:
        text = "".join(chance.choice(PIECES) for _ in range(chance.randint(0, 3)))
        return quote(text, safe="%/&=;") if quoted and chance.random() < 0.9 else text

    path = chance.choice(PATHS) + noise(quoted=True) * chance.choice((0, 1))
    path += chance.choice(("", f"?{chance.choice(QUERIES)}={noise(quoted=True)}"))
    headers = [("Host", host), ("Connection", "close"), ("Accept", chance.choice(("text/html", "*/*")))]
    if chance.random() < 0.7:
        headers.append(("Authorization", f"Bearer {secret}"))
    strange = chance.random() < 0.3
    if strange:
        headers += [(chance.choice(NAMES), noise()) for _ in range(chance.randint(1, 3))]
    body = noise() * chance.randint(0, 3)
    lie = chance.choice((0, 0, 0, 1, -1, 10**9)) if body else 0
    headers.append(("Content-Length", str(max(0, len(body.encode()) + lie))))
    method = chance.choice(("GET", "GET", "GET", "POST", "POST", *METHODS))
    version = "1.1" if chance.random() < 0.9 else f"1.{chance.choice('07')}"
    lines = [f"{method} {path} HTTP/{version}", *(f"{name}: {value}" for name, value in headers), "", body]
    raw = bytearray("\r\n".join(lines).encode())
    flips = chance.choice((0, 0, 0, 1, 5))
    for _ in range(flips):
        raw[chance.randrange(len(raw))] = chance.randrange(256)
    if chance.random() < 0.05:
        return bytes(raw[: chance.randrange(len(raw))]), False
    endless = path.startswith("/mcp")  # a GET there opens a stream
    return bytes(raw), not (flips or lie or strange or endless)


def answer_to(address: tuple[str, int], raw: bytes, *, whole: bool) -> bytes:
    """Send the bytes and return what comes back until the server closes. After a request that is not whole, say that no
    more follows: the server would wait for the rest."""
    with socket.create_connection(address, timeout=20) as connection:
        answer = bytearray()
        with contextlib.suppress(ConnectionError):
            connection.sendall(raw)
            if not whole:
                connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(65536):
                answer += part
        return bytes(answer)


def test_ten_thousand_hostile_requests_break_nothing_and_decide_nothing(waiting: Repo) -> None:
    chance = random.Random(20)
    secret = token_of(waiting.root, "read")
    before = open_project(waiting.root).ledger.head()
    broken: list[tuple[bytes, bytes]] = []
    statuses: dict[str, int] = {}
    with running_server(waiting.root, requests_per_minute=10**7) as url:
        parts = urlsplit(url)
        address = (str(parts.hostname), int(parts.port or 0))
        for _ in range(REQUESTS):
            raw, whole = hostile_request(chance, parts.netloc, secret)
            answer = answer_to(address, raw, whole=whole)
            status = answer[9:12].decode(errors="replace")
            statuses[status] = statuses.get(status, 0) + 1
            if status.startswith("5") and status != "503":
                broken.append((raw[:500], answer[:500]))
            assert b"Set-Cookie: x=1" not in answer
        good = {"Authorization": f"Bearer {secret}"}
        assert httpx.get(f"{url}/api/v1/status", headers=good, timeout=60).status_code == 200
    assert broken == []
    assert set(statuses) >= {"200", "400", "401", "403", "404", "405", "421"}, statuses
    assert open_project(waiting.root).ledger.head() == before
