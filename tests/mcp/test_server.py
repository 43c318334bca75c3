"""The MCP server, asked by the SDK's own client in both eras of the protocol."""

import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client

from tests.support import Repo
from whet.app.project import open_project
from whet.app.setup.sample_repository import make_sample
from whet.app.views.proposal_report import brief, full
from whet.app.views.proposal_view import view_proposals
from whet.mcp.answers import plain
from whet.mcp.server import make_server

READING = {
    "audit", "budget", "explain_path", "get_diff", "judge_command", "list_findings", "list_proposals", "prove_result",
    "read_answer", "show_proposal",
}  # fmt: skip
REQUESTING = {"ask_a_person", "object", "prove", "stop", "suggest"}
FIX = """--- a/calculator.py
+++ b/calculator.py
@@ -29,3 +29,3 @@
     result = 1
-    for factor in range(2, n):
+    for factor in range(2, n + 1):
         result *= factor
"""


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A repository with one proposal that waits for a person. The tests read it, and add suggestions."""
    folder = tmp_path_factory.mktemp("mcp") / "calculator"
    folder.mkdir()
    make_sample(folder, bugs=["factorial"])
    repo = Repo(folder)
    repo.whet("run", "--json")
    return repo


def ask(root: Path, talk: Callable[[Any], Awaitable[Any]], mode: str = "auto") -> Any:
    """Connect a client to the server of a repository and let it talk."""

    async def connected() -> Any:
        async with Client(make_server(root), mode=mode) as client:
            return await talk(client)

    return asyncio.run(connected())


async def _called(client: Any, tool: str, arguments: dict[str, Any]) -> Any:
    result = await client.call_tool(tool, arguments)
    return result.content[0].text if result.is_error else result.structured_content


def call(root: Path, tool: str, **arguments: Any) -> Any:
    """Return what a tool answers; a refusal as its text."""
    return ask(root, lambda client: _called(client, tool, arguments))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_tools_are_these_and_none_of_them_decides(waiting: Repo, mode: str) -> None:
    async def talk(client: Any) -> Any:
        return (await client.list_tools()).tools

    tools = {tool.name: tool.annotations for tool in ask(waiting.root, talk, mode)}
    assert set(tools) == READING | REQUESTING
    assert {name for name, annotations in tools.items() if annotations.read_only_hint} == READING
    assert not any(tools[name].destructive_hint for name in REQUESTING)


def test_a_proposal_reads_as_in_the_command_line(waiting: Repo) -> None:
    [row] = call(waiting.root, "list_proposals")["proposals"]
    [view] = view_proposals(open_project(waiting.root).ledger)
    assert row == plain(brief(view))
    assert call(waiting.root, "show_proposal", proposal=row["proposal"]) == plain({**brief(view), **full(view)})
    assert "+    for factor in range(2, n + 1):" in call(waiting.root, "get_diff", proposal=row["proposal"])["diff"]
    assert call(waiting.root, "list_proposals", status="merged")["proposals"] == []


def test_findings_of_the_last_cycle_are_listed_without_running_anything(waiting: Repo) -> None:
    entries = len(open_project(waiting.root).ledger.entries())
    answer = call(waiting.root, "list_findings")
    assert ["factorial" in finding["title"] for finding in answer["findings"]] == [True]
    assert answer["looked_at"]
    assert len(open_project(waiting.root).ledger.entries()) == entries


def test_the_guard_and_the_record_answer(waiting: Repo) -> None:
    assert call(waiting.root, "explain_path", path="whet.toml")["decision"] == "refused"
    assert call(waiting.root, "explain_path", path="calculator.py")["decision"] == "allowed"
    assert call(waiting.root, "judge_command", command="rm -rf /")["answer"] == "refused"
    assert call(waiting.root, "judge_command", command="ls")["answer"] == "allowed"
    assert call(waiting.root, "budget")["budgets"]
    assert call(waiting.root, "audit")["ok"] is True


def test_a_suggestion_is_recorded_as_the_agents_and_changes_no_proposal(waiting: Repo) -> None:
    before = call(waiting.root, "list_proposals")
    suggestion = call(waiting.root, "suggest", text="mean of nothing should be 0", where="calculator.py")
    assert suggestion["by"].startswith("agent:")
    assert suggestion["email"] == ""
    assert call(waiting.root, "list_proposals") == before
    assert "usage" in call(waiting.root, "suggest", text="")


def test_an_objection_is_shown_to_the_person_and_changes_nothing_else(waiting: Repo) -> None:
    [before] = call(waiting.root, "list_proposals")["proposals"]
    why = "line 30: factorial(-1) now\x1b[2J answers 1"
    objection = call(waiting.root, "object", proposal=before["proposal"], why=why)
    assert objection["by"].startswith("agent:")
    assert objection["evidence"] == before["evidence_digest"]
    assert call(waiting.root, "object", proposal=before["proposal"], why=why) == objection
    assert call(waiting.root, "list_proposals")["proposals"] == [before]
    shown = call(waiting.root, "show_proposal", proposal=before["proposal"])["objections"]
    assert [each["why"] for each in shown] == ["line 30: factorial(-1) now\\x1b[2J answers 1"]
    on_screen = waiting.whet("show", before["proposal"]).out
    assert "objections" in on_screen
    assert "factorial(-1) now\\x1b[2J" in "".join(on_screen.split("\n"))
    assert call(waiting.root, "audit")["ok"] is True


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_person_answers_a_question_and_the_agent_reads_it_by_the_handle(waiting: Repo, mode: str) -> None:
    [row] = call(waiting.root, "list_proposals")["proposals"]
    question = {"question": f"Is factorial(-1) ever called? ({mode})", "proposal": row["proposal"]}
    asked = ask(waiting.root, lambda client: _called(client, "ask_a_person", question), mode)
    assert (asked["state"], asked["reply"], asked["page"]) == ("open", None, "")
    assert asked["id"] in waiting.whet("status").out
    assert [each["id"] for each in waiting.whet("reply", "--json").json] == [asked["id"]]
    assert waiting.whet("reply", asked["id"], "no, token=ghp_" + "a" * 36).code == 0
    state = ask(waiting.root, lambda client: _called(client, "read_answer", {"handle": asked["id"]}), mode)
    assert state["state"] == "answered"
    assert state["reply"]["text"].startswith("no, ")
    assert "ghp_" not in state["reply"]["text"]
    assert ask(waiting.root, lambda client: _called(client, "ask_a_person", question), mode) == state
    assert waiting.whet("reply").out == "no question is open\n"
    assert call(waiting.root, "list_proposals")["proposals"] == [row]


def test_a_patch_is_proved_once_and_nothing_is_deployed(waiting: Repo) -> None:
    head = waiting.head

    async def talk(client: Any) -> Any:
        first = await _called(client, "prove", {"patch": FIX})
        again = await _called(client, "prove", {"patch": FIX})
        assert again["handle"] == first["handle"]
        end = time.monotonic() + 120
        while (state := await _called(client, "prove_result", {"handle": first["handle"]}))["state"] != "done":
            assert time.monotonic() < end, state
            await asyncio.sleep(0.1)
        return state

    assert ask(waiting.root, talk)["verdict"] == "passed"
    assert waiting.head == head


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("prove", {}, "name one change"),
        ("prove", {"patch": FIX, "branch": "main"}, "name one change"),
        ("prove", {"patch": "no diff"}, "there is no diff in it"),
        ("prove", {"patch": "x" * 2_000_001}, "larger than"),
        ("prove", {"branch": "nowhere"}, "nowhere"),
        ("prove_result", {"handle": "nothing"}, "no proof"),
        ("show_proposal", {"proposal": "p-none"}, "no proposal"),
        ("explain_path", {"path": "../elsewhere"}, "is not inside"),
        ("object", {"proposal": "p-none", "why": "wrong"}, "no proposal"),
        ("object", {"proposal": "p-", "why": " "}, "the objection is empty"),
        ("object", {"proposal": "p-", "why": "x" * 2_001}, "2,000 are the most"),
        ("ask_a_person", {"question": ""}, "the question is empty"),
        ("ask_a_person", {"question": "why?", "proposal": "p-none"}, "no proposal"),
        ("read_answer", {"handle": "i-none"}, "no agent asked"),
    ],
)
def test_bad_input_gets_a_sentence(waiting: Repo, tool: str, arguments: dict[str, str], words: str) -> None:
    assert words in call(waiting.root, tool, **arguments)


def test_resources_and_prompts_read_the_same_record(waiting: Repo) -> None:
    [row] = call(waiting.root, "list_proposals")["proposals"]
    identity = row["proposal"]

    async def talk(client: Any) -> Any:
        async def read(uri: str) -> Any:
            return json.loads((await client.read_resource(uri)).contents[0].text)

        assert (await read("whet://proposals"))["proposals"][0]["proposal"] == identity
        assert (await read(f"whet://proposal/{identity}"))["status"] == row["status"]
        assert (await read(f"whet://proposal/{identity}/evidence"))["digest"] == row["evidence_digest"]
        assert "factor" in (await read(f"whet://proposal/{identity}/diff"))["diff"]
        assert (await read("whet://ledger/1"))["seq"] == 1
        assert (await read("whet://policy"))["digest"] == open_project(waiting.root).policy.digest
        prompt = await client.get_prompt("review_proposal", {"proposal": identity})
        return prompt.messages[0].content.text

    assert "a person reads your review and decides" in ask(waiting.root, talk)


def test_hidden_characters_from_the_repository_arrive_as_escapes() -> None:
    assert plain({"name": "test_\u202etxet", "rows": ["a\u200bb"]}) == {
        "name": "test_\\u202etxet",
        "rows": ["a\\u200bb"],
    }


def test_an_agent_can_stop_whet_and_not_start_it(sample: Repo) -> None:
    assert call(sample.root, "stop", why="something is wrong") == {"stopped": True}
    assert "stopped" in call(sample.root, "prove", branch="main") or "handle" in call(
        sample.root, "prove", branch="main"
    )
    assert "Unknown tool" in call(sample.root, "start")


def test_the_command_speaks_the_protocol_on_its_standard_streams(waiting: Repo) -> None:
    program = str(Path(sys.executable).with_name("whet"))
    server = StdioServerParameters(command=program, args=["mcp"], cwd=waiting.root, env=dict(os.environ))

    async def connected() -> Any:
        async with Client(stdio_client(server)) as client:
            return await _called(client, "list_proposals", {})

    assert len(asyncio.run(connected())["proposals"]) == 1
