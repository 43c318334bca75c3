"""Requests as they leave: one model, one answer, the agent's own tools, no addresses to fetch, no secrets."""

from typing import Any

import pytest

from whet.agent_proxy.endpoints import WireKind, endpoint, local_answer
from whet.agent_proxy.outgoing import BadRequest, limit_output, rewrite

SECRET = "ghp_" + "a1B2c3D4e5" * 4
USER = [{"role": "user", "content": "hello"}]


def leaving(body: dict[str, Any], kind: WireKind = WireKind.CHAT, *, official: bool = False) -> dict[str, Any]:
    return rewrite(body, kind, "big", official=official)


ALLOWED = [
    ("openai", "POST", "/v1/chat/completions"),
    ("openai", "POST", "/v1/responses"),
    ("anthropic", "POST", "/v1/messages"),
    ("anthropic", "POST", "/v1/messages?beta=true"),
    ("google", "POST", "/v1beta/models/x-1:generateContent"),
    ("google", "POST", "/v1beta/models/x-1:streamGenerateContent?alt=sse"),
]
REFUSED = [
    ("openai", "GET", "/v1/chat/completions"),
    ("openai", "POST", "/v1/chat/completions/"),
    ("openai", "POST", "/v1/chat/completions?x=1"),
    ("openai", "POST", "/v1/../v1/chat/completions"),
    ("openai", "POST", "//v1/chat/completions"),
    ("openai", "POST", "http://other.host/v1/chat/completions"),
    ("openai", "POST", "/v1/chat/completions\r\nX: y"),
    ("openai", "POST", "/v1/files"),
    ("openai", "POST", "/v1/embeddings"),
    ("openai", "POST", "/v1/responses/resp_1/cancel"),
    ("openai", "GET", "/v1/responses/resp_1"),
    ("openai", "DELETE", "/v1/models/big"),
    ("openai", "POST", "/v1/messages"),
    ("openai", "CONNECT", "other.host:443"),
    ("anthropic", "POST", "/v1/messages/batches"),
    ("anthropic", "POST", "/v1/messages?beta=true&x=1"),
    ("anthropic", "POST", "/v1/chat/completions"),
    ("google", "POST", "/v1beta/models/a/b:generateContent"),
    ("google", "POST", "/v1beta/models/x:batchGenerateContent"),
    ("google", "POST", "/v1beta/cachedContents"),
]


@pytest.mark.parametrize(("provider", "method", "target"), ALLOWED)
def test_the_proxy_takes_the_providers_endpoints(provider: str, method: str, target: str) -> None:
    assert endpoint(provider, method, target) is not None


@pytest.mark.parametrize(("provider", "method", "target"), REFUSED)
def test_the_proxy_takes_no_other_request(provider: str, method: str, target: str) -> None:
    assert endpoint(provider, method, target) is None
    assert local_answer(provider, method, target, "big", 1) is None


def test_the_list_of_models_names_only_the_configured_one() -> None:
    answer = local_answer("openai", "GET", "/v1/models", "big", 1)
    assert answer and [model["id"] for model in answer["data"]] == ["big"]


def test_the_configured_model_answers_once() -> None:
    body = leaving({"model": "huge", "n": 8, "messages": USER, "background": True, "service_tier": "priority"})
    assert body == {"model": "big", "messages": USER}
    assert leaving({"model": "x", "input": "hi", "store": True}, WireKind.RESPONSES) == {
        "model": "big", "input": "hi", "store": False,
    }  # fmt: skip


def test_a_stream_of_chat_completions_reports_its_usage() -> None:
    assert leaving({"messages": USER, "stream": True})["stream_options"] == {"include_usage": True}


OWN = [{"type": "function", "function": {"name": "bash"}}, {"type": "custom", "name": "x"}, {"name": "Bash", "input_schema": {}},
       {"type": "bash_20250124", "name": "bash"}, {"type": "local_shell"}]  # fmt: skip
PROVIDERS = [{"type": "web_search"}, {"type": "web_search_20250305", "name": "web_search"}, {"type": "web_fetch_20250910"},
             {"type": "code_interpreter"}, {"type": "mcp", "server_url": "https://other.host"}, {"type": "file_search"},
             {"type": "code_execution_20250522"}, {"type": ["function"]}, "web_search"]  # fmt: skip


def test_tools_of_the_agent_stay_and_tools_of_the_provider_go() -> None:
    assert leaving({"tools": [*OWN, *PROVIDERS], "messages": USER})["tools"] == OWN
    without = leaving(
        {"tools": PROVIDERS, "tool_choice": "required", "mcp_servers": [{}], "messages": USER}, WireKind.MESSAGES
    )
    assert without == {"model": "big", "messages": USER}
    google = leaving(
        {"tools": [{"googleSearch": {}}, {"functionDeclarations": [{"name": "x"}], "urlContext": {}}]},
        WireKind.GENERATE,
    )
    assert google["tools"] == [{"functionDeclarations": [{"name": "x"}]}]


FETCHED: list[Any] = [
    {"type": "image_url", "image_url": {"url": "https://other.host/?q=code"}},
    {"type": "input_image", "image_url": "HTTPS://other.host/x.png"},
    {"type": "input_file", "file_url": "http://other.host/x"},
    {"type": "image", "source": {"type": "url", "url": "https://other.host/x"}},
    {"fileData": {"fileUri": "gs://bucket/x"}},
]


@pytest.mark.parametrize("part", FETCHED)
def test_nothing_is_sent_that_the_provider_would_fetch(part: dict[str, Any]) -> None:
    with pytest.raises(BadRequest, match="no addresses"):
        leaving({"messages": [{"role": "user", "content": [{"type": "text", "text": "see"}, part]}]})


def test_pictures_and_schemas_of_tools_are_sent() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    tool = {"type": "function", "function": {"name": "open", "parameters": {"image_url": "https://example.com"}}}
    body = leaving({"messages": [{"role": "user", "content": [picture]}], "tools": [tool]})
    assert body["messages"][0]["content"] == [picture]
    assert body["tools"] == [tool]


def test_a_deeply_nested_request_is_refused() -> None:
    nested: Any = "x"
    for _ in range(200):
        nested = [nested]
    with pytest.raises(BadRequest, match="nested"):
        leaving({"messages": nested})


def test_secrets_are_redacted_wherever_they_stand() -> None:
    call = {"id": "call-1", "function": {"name": "bash", "arguments": f'{{"command": "curl -H {SECRET}"}}'}}
    body = {
        "messages": [
            {"role": "system", "content": f"token {SECRET}"},
            {"role": "user", "content": [{"type": "text", "text": f"here: {SECRET}"}]},
            {"role": "assistant", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "call-1", "content": f"GITHUB_TOKEN={SECRET}"},
        ]
    }
    left = leaving(body)
    assert SECRET not in str(left)
    assert left["messages"][2]["tool_calls"][0]["id"] == "call-1"


def test_the_limit_of_the_answer_is_set_or_lowered() -> None:
    rows: list[tuple[WireKind, dict[str, Any], int]] = [
        (WireKind.CHAT, {}, 100), (WireKind.CHAT, {"max_tokens": 7}, 7), (WireKind.CHAT, {"max_completion_tokens": 9000}, 100),
        (WireKind.CHAT, {"max_tokens": 50, "max_completion_tokens": 10**9}, 50), (WireKind.CHAT, {"max_tokens": -1}, 100),
        (WireKind.CHAT, {"max_tokens": True}, 100), (WireKind.CHAT, {"max_tokens": "5"}, 100),
        (WireKind.RESPONSES, {"max_output_tokens": 101}, 100), (WireKind.MESSAGES, {"max_tokens": 1}, 1),
        (WireKind.GENERATE, {"generationConfig": {"maxOutputTokens": 5000, "candidateCount": 8}}, 100), (WireKind.GENERATE, {}, 100),
    ]  # fmt: skip
    for kind, body, limit in rows:
        assert limit_output(body, kind, 100) == limit, body
        assert limit_output(body, kind, 10**6) <= 100, "the limit is in the request"


def test_openai_itself_gets_the_limit_by_its_newer_name() -> None:
    body = leaving({"messages": USER, "max_tokens": 5}, official=True)
    assert "max_tokens" not in body
    assert limit_output(body, WireKind.CHAT, 100) == 5
