"""The MCP server as the inspector of the protocol's makers sees it, on its command line."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.mcp.test_server import READING, REQUESTING, waiting
from tests.support import Repo

pytestmark = [pytest.mark.needs_index, pytest.mark.long]

PACKAGE = "@modelcontextprotocol/inspector@0.15.0"
__all__ = ["waiting"]  # the fixture
Inspect = Callable[..., Any]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("inspector")
    options = ["--no-audit", "--no-fund", "--ignore-scripts", "--silent"]
    subprocess.run(["npm", "install", *options, PACKAGE], cwd=folder, check=True)
    return str(folder / "node_modules" / ".bin" / "mcp-inspector")


@pytest.fixture
def inspect(program: str, waiting: Repo) -> Inspect:
    def run(method: str, *options: str) -> Any:
        server = str(Path(sys.executable).with_name("whet"))
        command = [program, "--cli", server, "mcp", "--method", method, *options]
        done = subprocess.run(
            command, cwd=waiting.root, env=dict(os.environ), check=True, capture_output=True, text=True
        )
        return json.loads(done.stdout)

    return run


def test_the_inspector_lists_the_tools_the_resources_and_the_prompts(inspect: Inspect) -> None:
    assert {tool["name"] for tool in inspect("tools/list")["tools"]} == READING | REQUESTING
    assert "whet://policy" in {resource["uri"] for resource in inspect("resources/list")["resources"]}
    assert {prompt["name"] for prompt in inspect("prompts/list")["prompts"]} == {"review_proposal", "write_suggestion"}


def test_the_inspector_reads_a_proposal_and_cannot_decide_about_it(inspect: Inspect, waiting: Repo) -> None:
    listed = inspect("tools/call", "--tool-name", "list_proposals")
    [row] = listed["structuredContent"]["proposals"]
    assert not listed["isError"]
    policy = json.loads(inspect("resources/read", "--uri", "whet://policy")["contents"][0]["text"])
    assert policy["digest"] and policy["policy"]
    refused = inspect("tools/call", "--tool-name", "approve", "--tool-arg", f"proposal={row['proposal']}")
    assert refused["isError"] and refused["content"][0]["text"] == "Unknown tool: approve"
    assert waiting.whet("list", "--json").json[0]["status"].startswith("waiting_")
