"""Every place where whet shows or stores text about a repository, read as a person or a program would read it."""

import asyncio
import contextlib
import json
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mcp import Client
from starlette.testclient import TestClient

from tests.receivers import http_receiver
from tests.support import Repo
from tests.web.conftest import app_of
from tests.web.running import running_server, token_of
from tests.web.test_events import events
from whet.app.notify.channels import Channel
from whet.app.notify.notifier import Notifier
from whet.app.project import open_project
from whet.app.webhooks.endpoints import add_endpoint
from whet.app.webhooks.sending import send_events
from whet.mcp.server import make_server

COMMANDS = (
    ("show", "{id}"), ("show", "{id}", "--all"), ("show", "{id}", "--json"), ("diff", "{id}", "--json"), ("list",), ("list", "--json"),
    ("status",), ("status", "--json"), ("ledger",), ("ledger", "--json"), ("audit",), ("audit", "--json"), ("suggest", "--list"),
    ("history", "{file}"), ("history", "{file}", "--json"), ("budget", "--json"),
)  # fmt: skip
PAGES = (
    "/",
    "/findings",
    "/ledger",
    "/policy",
    "/p/{id}",
    "/p/{id}/json",
    "/p/{id}/markdown",
    "/p/{id}/export",
    "/p/{id}/reject",
)
ROUTES = (
    "findings", "ledger", "ledger/latest?kind=Evidence", "policy", "budget", "models", "status", "proposals", "proposals/{id}",
    "proposals/{id}/evidence", "proposals/{id}/diff", "proposals/{id}/report",
)  # fmt: skip
TOOLS = {
    "list_findings": {}, "list_proposals": {}, "show_proposal": {"proposal": "{id}"}, "get_diff": {"proposal": "{id}"}, "audit": {},
    "budget": {}, "explain_path": {"path": "{file}"},
}  # fmt: skip


def every_outlet(repo: Repo, proposal: str, file: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield (name, text) of each outlet. `folder` is for files that are written on the way."""
    yield from _commands(repo, proposal, file, folder)
    yield from _web(repo, proposal)
    yield from _mcp(repo, proposal, file)
    yield from _messages(repo)
    yield from tables(repo.root / ".whet")
    for path in (repo.root / ".whet").rglob("*"):
        if path.is_file():
            yield f"file {path.name}", _content(path)
    yield "commits", repo.sh("git", "log", "--format=%B", "--glob=refs/whet/*", "--branches", "--grep=Whet-")


def _content(path: Path) -> str:
    """Read a file in another process. Closing a database's file here would drop the locks that SQLite holds in this process."""
    return subprocess.run(["cat", path], capture_output=True, check=True).stdout.decode(errors="replace")


def tables(state: Path) -> Iterator[tuple[str, str]]:
    """Yield every table of every database, because a long value in a file is in pieces."""
    for file in sorted([*state.glob("*.sqlite"), *state.glob("*.db")]):
        with contextlib.closing(sqlite3.connect(file)) as connection:
            connection.text_factory = lambda data: data.decode(errors="replace")
            for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                for number, row in enumerate(connection.execute(f'SELECT * FROM "{table}"')):
                    yield f"{file.name} {table} {number}", "\n".join(map(_text, row))


def _text(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _commands(repo: Repo, proposal: str, file: str, folder: Path) -> Iterator[tuple[str, str]]:
    for command in COMMANDS:
        words = [word.format(id=proposal, file=file) for word in command]
        result = repo.whet(*words)
        assert result.code != 2 and result.code != 70, (words, result.err)
        yield " ".join(command), result.out + result.err
    page = folder / "page.html"
    assert repo.whet("show", proposal, "--html", str(page)).code == 0
    yield "show --html", page.read_text()


def _web(repo: Repo, proposal: str) -> Iterator[tuple[str, str]]:
    token = token_of(repo.root, "read")
    client = TestClient(
        app_of(repo.root), base_url="http://localhost:8787", headers={"Authorization": f"Bearer {token}"}
    )
    rows = open_project(repo.root).ledger.head().seq
    numbers = [f"/api/v1/ledger/{seq}" for seq in range(1, rows + 1)]
    for route in [f"/api/v1/{route}" for route in ROUTES] + numbers:
        answer = client.get(route.format(id=proposal))
        assert answer.status_code == 200, (route, answer.text)
        yield f"GET {route}", answer.text
    with running_server(repo.root) as url:
        stream = events(url, token, most=rows + 1, query="?after=0")
    yield "event stream", json.dumps(stream, ensure_ascii=False)
    yield from _pages(repo, proposal, numbers)


def _pages(repo: Repo, proposal: str, numbers: list[str]) -> Iterator[tuple[str, str]]:
    from whet.web.server import entry_link

    app = app_of(repo.root)
    browser = TestClient(app, base_url="http://localhost:8787")
    assert browser.get(entry_link(app)).status_code == 200
    for route in (*PAGES, *(number.removeprefix("/api/v1") for number in numbers)):
        answer = browser.get(route.format(id=proposal))
        assert answer.status_code in (200, 403), (route, answer.text)
        yield f"page {route}", answer.text


def _mcp(repo: Repo, proposal: str, file: str) -> Iterator[tuple[str, str]]:
    async def ask() -> list[tuple[str, str]]:
        async with Client(make_server(repo.root)) as client:
            answers = []
            for tool, arguments in TOOLS.items():
                filled = {name: value.format(id=proposal, file=file) for name, value in arguments.items()}
                answers.append((f"MCP {tool}", str((await client.call_tool(tool, filled)).content)))
            return answers

    yield from asyncio.run(ask())


def _messages(repo: Repo) -> Iterator[tuple[str, str]]:
    project = open_project(repo.root)
    with http_receiver() as receiver:
        add_endpoint(project.state, f"http://127.0.0.1:{receiver.port}/hook", (), 0)
        send_events(project)
        yield from (("webhook", body.decode()) for _, _, body in receiver.requests)
        assert len(receiver.requests) > 5
    with http_receiver() as receiver:
        Notifier("http://localhost:8787").look(
            open_project(repo.root), [Channel(f"json://127.0.0.1:{receiver.port}/hook")]
        )
        yield from (("notification", body.decode()) for _, _, body in receiver.requests)
        assert receiver.requests
