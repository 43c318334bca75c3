"""Event streams with many, slow and vanishing subscribers, and with the record in PostgreSQL."""

import asyncio
import contextlib
import socket
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.support import MakeRepo, Repo
from tests.web.running import running_server, token_of
from tests.web.test_events import events
from whet.app.project import open_project

pytestmark = pytest.mark.long

SUBSCRIBERS, SLOW, VANISHING, ROWS = 200, 20, 5, 100


def write_rows(root: Path, name: str, count: int) -> int:
    """Append rows as a cycle does, and return the number of the last."""
    ledger = open_project(root).ledger
    for number in range(count):
        ledger.append("observe", {"number": number}, subject=name, key=f"{name}/{number}", kind="Note")
    return ledger.head().seq


async def follow(client: httpx.AsyncClient, url: str, numbers: list[int]) -> None:
    async with client.stream("GET", url, timeout=None) as answer:
        async for line in answer.aiter_lines():
            if line.startswith("id: "):
                numbers.append(int(line.removeprefix("id: ")))


async def vanish(client: httpx.AsyncClient, url: str) -> None:
    while True:
        with contextlib.suppress(httpx.HTTPError):
            async with client.stream("GET", url, timeout=20) as answer:
                await anext(answer.aiter_lines())


def never_read(url: str, secret: str) -> socket.socket:
    """Ask for the whole record and read nothing of the answer."""
    parts = urlsplit(url)
    connection = socket.create_connection((str(parts.hostname), int(parts.port or 0)))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    lines = ("GET /api/v1/events?after=0 HTTP/1.1", f"Host: {parts.netloc}", f"Authorization: Bearer {secret}", "", "")
    connection.sendall("\r\n".join(lines).encode())
    return connection


async def watch_rows(url: str, secret: str, root: Path) -> tuple[int, list[list[int]]]:
    """Return the number of the last row, and the numbers that each of the steady subscribers got."""
    numbers: list[list[int]] = [[] for _ in range(SUBSCRIBERS)]
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {secret}"}, limits=limits) as client:
        stream = f"{url}/api/v1/events"
        steady = [asyncio.create_task(follow(client, stream, got)) for got in numbers]
        restless = [asyncio.create_task(vanish(client, stream)) for _ in range(VANISHING)]
        async with asyncio.timeout(120):
            while not all(numbers):
                await asyncio.sleep(0.05)
        last = await asyncio.to_thread(write_rows, root, "under-load", ROWS)
        async with asyncio.timeout(120):
            while any(got[-1] < last for got in numbers):
                await asyncio.sleep(0.05)
        status = await client.get(f"{url}/api/v1/status", timeout=60)
        assert status.status_code == 200
        for task in (*steady, *restless):
            task.cancel()
    return last, numbers


def test_two_hundred_subscribers_get_every_row_beside_slow_and_vanishing_ones(waiting: Repo) -> None:
    secret = token_of(waiting.root, "read")
    with running_server(waiting.root, requests_per_minute=10**7) as url:
        silent = [never_read(url, secret) for _ in range(SLOW)]
        last, numbers = asyncio.run(watch_rows(url, secret, waiting.root))
        for connection in silent:
            connection.close()
    expected = list(range(last - ROWS + 1, last + 1))
    assert all(got[-ROWS:] == expected for got in numbers)


def test_more_streams_than_the_limit_are_refused_in_a_sentence(waiting: Repo) -> None:
    secret = token_of(waiting.root, "read")
    with running_server(waiting.root, most_streams=2) as url:
        connections = [never_read(url, secret) for _ in range(2)]
        assert all(connection.recv(12) == b"HTTP/1.1 200" for connection in connections)
        answer = httpx.get(f"{url}/api/v1/events", headers={"Authorization": f"Bearer {secret}"}, timeout=60)
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_requests")
        for connection in connections:
            connection.close()


def test_two_servers_on_one_database_keep_their_records_apart(
    make_repo: MakeRepo, sample: Repo, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WHET_STORE_URL", postgres)
    roots = (make_repo({"a.py": "x = 1\n", "whet.toml": ""}).root, sample.root)
    for root in roots:
        write_rows(root, root.name, 3)
    with running_server(roots[0]) as first, running_server(roots[1]) as second:
        secrets = [token_of(root, "read") for root in roots]
        for url, secret, root in zip((first, second), secrets, roots, strict=True):
            assert {event[2]["subject"] for event in events(url, secret, most=4, query="?after=0")[1:]} == {root.name}
        assert (
            httpx.get(f"{second}/api/v1/status", headers={"Authorization": f"Bearer {secrets[0]}"}).status_code == 401
        )
        write_rows(roots[0], "only-first", 1)
        assert events(first, secrets[0], most=2, query="?after=3")[1][2]["subject"] == "only-first"
        answer = httpx.get(f"{second}/api/v1/ledger", headers={"Authorization": f"Bearer {secrets[1]}"}, timeout=60)
        assert {entry["subject"] for entry in answer.json()["entries"]} == {roots[1].name}
