"""MCP over HTTP, asked by the SDK's own client through a real server."""

import asyncio
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.support import Repo
from tests.web.running import running_server, token_of

READING = {
    "audit", "budget", "explain_path", "get_diff", "judge_command", "list_findings", "list_proposals", "show_proposal",
}  # fmt: skip

NOTING = {"ask_a_person", "object", "read_answer", "stop", "suggest"}


def ask(url: str, secret: str, mode: str = "auto") -> tuple[set[str], Any]:
    """Return the names of the tools that a token sees, and the proposals."""

    async def talk() -> tuple[set[str], Any]:
        headers = {"Authorization": f"Bearer {secret}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
        ):
            names = {tool.name for tool in (await client.list_tools()).tools}
            listed = await client.call_tool("list_proposals", {"status": "waiting_apply"})
            return names, listed.structured_content

    return asyncio.run(talk())


def test_an_agent_sees_the_tools_of_its_scopes_and_no_others(waiting: Repo) -> None:
    with running_server(waiting.root) as url:
        reads = token_of(waiting.root, "read")
        names, listed = ask(url, reads)
        assert names == READING
        assert [row["proposal"] for row in listed["proposals"]] == ["p-2"]
        assert ask(url, reads, "legacy") == (names, listed)
        assert ask(url, token_of(waiting.root, "read", "suggest"))[0] == READING | NOTING
        assert ask(url, token_of(waiting.root, "read", "prove"))[0] == READING | {"prove", "prove_result"}
        for headers in ({}, {"Authorization": "Bearer whet_no"}):
            assert httpx2.post(f"{url}/mcp", json={}, headers=headers).status_code == 401
        with pytest.raises(BaseException):  # noqa: B017 - the client wraps the refusal in a group
            ask(url, "whet_no")
