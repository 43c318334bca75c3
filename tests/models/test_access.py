"""Requests to a model over the wire: what is sent, what is understood, and the one sentence for everything that goes wrong."""

import json
import socket
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.models.scripted_server import Reply, ScriptedModel, Step, scripted
from whet.config import ModelPolicy
from whet.errors import ModelUnavailable
from whet.models.access import _bounded_client, ask, send
from whet.models.failures import RequestFailure
from whet.models.prices import Usage
from whet.models.providers import PROVIDERS, client_of, key_of, key_variable
from whet.models.request import Finish, ModelReply, ModelRequest

REQUEST = ModelRequest(rules="Be brief.", turns=("one", "two", "three"), temperature=0.0, max_tokens=64)
KEY = "sk-scripted-0123456789"


def policy(model: ScriptedModel, provider: str = "openai", **more: Any) -> ModelPolicy:
    address = model.root if provider == "anthropic" else model.url
    return ModelPolicy.model_validate(
        {"name": f"{provider}:scripted", "base_url": address, "timeout_seconds": 20, **more}
    )


def soon() -> float:
    return time.monotonic() + 60


def test_openai_chat_completions_are_understood() -> None:
    with scripted("fine") as model:
        reply = send(policy(model), REQUEST, 20)
    assert isinstance(reply, ModelReply)
    assert (reply.text, reply.finish) == ("fine", Finish.STOP)
    assert reply.usage == Usage(input_tokens=100, output_tokens=50)
    [sent] = model.requests
    assert [(message["role"], message["content"]) for message in sent["messages"]] == [
        ("system", "Be brief."), ("user", "one"), ("assistant", "two"), ("user", "three"),
    ]  # fmt: skip
    assert sent["temperature"] == 0.0
    assert sent["max_tokens"] == 64 and "max_completion_tokens" not in sent, "many servers know only the older name"


def test_anthropic_messages_are_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with scripted("fine", key=KEY) as model:
        reply = send(policy(model, "anthropic"), REQUEST, 20)
    assert isinstance(reply, ModelReply), reply
    assert (reply.text, reply.usage) == ("fine", Usage(input_tokens=100, output_tokens=50))
    assert model.requests[0]["max_tokens"] == 64


def wire(content: object, status: int = 200) -> Reply:
    return Reply(status=status, raw=json.dumps(content).encode())


def gemini(reason: str, *parts: str) -> Reply:
    """Return an answer of Google's generateContent."""
    content = {"role": "model", "parts": [{"text": part} for part in parts]}
    used = {"promptTokenCount": 100, "candidatesTokenCount": 20, "thoughtsTokenCount": 30, "totalTokenCount": 150}
    return wire({"candidates": [{"content": content, "finishReason": reason, "index": 0}], "usageMetadata": used})


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:invalid escape sequence")  # in the source of Google's library
def test_googles_generate_content_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", KEY)
    wrong_key = {"error": {"code": 400, "message": "API key not valid", "details": [{"reason": "API_KEY_INVALID"}]}}
    blocked = {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 100}}
    script = (gemini("STOP", "fi", "ne"), gemini("MAX_TOKENS", "fi"), wire(blocked), wire(wrong_key, 400))
    with scripted(*script) as model:
        fine, cut, refused, failure = (send(policy(model, "google", base_url=model.root), REQUEST, 20) for _ in script)
    assert isinstance(fine, ModelReply) and isinstance(cut, ModelReply) and isinstance(refused, ModelReply)
    assert (fine.text, fine.finish, fine.usage) == ("fine", Finish.STOP, Usage(input_tokens=100, output_tokens=50))
    assert (cut.finish, refused.finish) == (Finish.CUT, Finish.REFUSED)
    assert isinstance(failure, RequestFailure) and "does not accept the key in GOOGLE_API_KEY" in failure.sentence
    assert [turn["role"] for turn in model.requests[0]["contents"]] == ["user", "model", "user"]
    assert model.requests[0]["generationConfig"]["maxOutputTokens"] == 64


@pytest.mark.filterwarnings("error")
def test_the_client_waits_as_long_as_the_request_may_take() -> None:
    """Google's library gives up after 5 s, the default of the HTTP client, and warns of it."""
    assert _bounded_client(77.0).timeout.read == 77.0


def routed(finish: str, **more: object) -> Reply:
    """Return an answer of OpenRouter."""
    choice = {
        "index": 0,
        "finish_reason": finish,
        "native_finish_reason": finish,
        "message": {"role": "assistant", "content": "fi"},
    }
    used = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150, "cost": 0.1}
    body = {
        "id": "gen-1",
        "provider": "Acme",
        "model": "a/b",
        "object": "chat.completion",
        "created": 1,
        "choices": [choice],
        "usage": used,
    }
    return wire({**body, **more})


def test_openrouters_errors_inside_an_answer_are_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", KEY)
    script = (
        routed("stop"),
        wire({"error": {"message": "x", "code": 502}}),
        routed("error"),
        wire({"error": {"message": "x"}}, 402),
    )
    with scripted(*script, key=KEY) as model:
        fine, fault, broken, credit = (
            send(policy(model, "openrouter", name="openrouter:a/b"), REQUEST, 20) for _ in script
        )
    assert isinstance(fine, ModelReply), fine
    assert fine.usage == Usage(input_tokens=100, output_tokens=50)
    for failure, words in (
        (fault, "fault of its own (HTTP 502)"),
        (broken, "broke the answer"),
        (credit, "no credit left"),
    ):
        assert isinstance(failure, RequestFailure) and words in failure.sentence, failure
    assert isinstance(broken, RequestFailure) and (broken.again, broken.free) == (True, False)


def test_a_name_that_the_provider_cannot_have_is_said_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", KEY)
    with scripted("fine") as model:
        failure = send(policy(model, "openrouter"), REQUEST, 20)
    assert isinstance(failure, RequestFailure) and failure.free and model.requests == []
    assert failure.sentence.startswith("openrouter:scripted cannot be asked: ") and "`name`" in failure.remedy


@pytest.mark.parametrize(
    ("base_url", "new"),
    [("", True), ("https://eu.api.openai.com/v1", True), ("https://a.openai.azure.com/openai/v1", True),
     ("https://api.mistral.ai/v1", False), ("https://openai.com.evil.example/v1", False)],
)  # fmt: skip
def test_only_openai_itself_is_sent_the_newer_name_of_the_limit(
    base_url: str, new: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from httpx2 import AsyncClient

    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("WHET_MODEL_HOSTS", urlsplit(base_url).hostname or "")
    client = client_of(ModelPolicy(name="openai:some", base_url=base_url), AsyncClient())
    assert client.profile.get("openai_chat_supports_max_completion_tokens", True) is new


def test_ollama_gets_the_limit_by_the_name_that_it_knows() -> None:
    with scripted("fine") as model:
        reply = send(policy(model, "ollama"), REQUEST, 20)
    assert isinstance(reply, ModelReply), reply
    assert model.requests[0]["max_tokens"] == 64 and "max_completion_tokens" not in model.requests[0]


@pytest.mark.parametrize(
    ("reply", "finish"),
    [(Reply("cut", finish="length"), Finish.CUT), (Reply("", finish="content_filter"), Finish.REFUSED)],
)
def test_the_reason_of_an_end_is_kept(reply: Reply, finish: Finish) -> None:
    with scripted(reply) as model:
        answer = send(policy(model), REQUEST, 20)
    assert isinstance(answer, ModelReply), answer
    assert answer.finish is finish


def test_a_server_that_reports_no_usage_has_none() -> None:
    with scripted(Reply("fine", usage=False)) as model:
        reply = send(policy(model), REQUEST, 20)
    assert isinstance(reply, ModelReply) and reply.usage is None


HTML = Reply(raw=b"<html>hello</html>", content_type="text/html")
FAILURES: dict[str, tuple[Step, str, bool, bool]] = {
    "a wrong key": (Reply(status=401, raw=b'{"error": {"message": "no"}}'), "does not accept", False, True),
    "a forbidden model": (Reply(status=403, raw=b"{}"), "does not accept", False, True),
    "an unknown model": (Reply(status=404, raw=b'{"error": {"message": "no"}}'), "there is no model 'scripted'", False, True),
    "too many requests": (Reply(status=429, raw=b"{}", headers={"Retry-After": "7"}), "refuses further requests", True, True),
    "a broken server": (Reply(status=503, raw=b"busy", content_type="text/plain"), "a fault of its own (HTTP 503)", True, True),
    "a request that it does not take": (Reply(status=400, raw=b'{"error": {"message": "bad"}}'), "does not take the request", False, True),
    "a cut connection": (Reply("x" * 1000, cut=True), "ended the connection", True, False),
    "a web page": (HTML, "something that is not an answer", False, False),
    "other JSON": (Reply(raw=b'{"hello": 1}'), "something that is not an answer", False, False),
    "broken JSON": (Reply(raw=b'{"choices": [', content_type="application/json"), "something that is not an answer", False, False),
    "10 MB": (Reply(raw=b" " * 10_000_000), "more than 4 MB", False, False),
}  # fmt: skip


@pytest.mark.parametrize(("step", "sentence", "again", "free"), FAILURES.values(), ids=FAILURES)
def test_a_failure_is_one_sentence_with_a_remedy(step: Step, sentence: str, again: bool, free: bool) -> None:
    with scripted(step) as model:
        failure = send(policy(model), REQUEST, 20)
    assert isinstance(failure, RequestFailure), failure
    assert sentence in failure.sentence
    assert failure.remedy
    assert (failure.again, failure.free) == (again, free)
    assert len(model.requests) == 1, "the client itself repeats nothing"


def test_a_slow_server_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted(Reply(hold=True)) as model:
        failure = send(policy(model, timeout_seconds=1), REQUEST, 20)
    assert isinstance(failure, RequestFailure)
    assert failure.sentence == "openai:scripted did not answer within 1 s"
    assert not failure.free


def test_a_dead_server_is_named() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        failure = send(ModelPolicy(name="openai:scripted", base_url=address), REQUEST, 20)
    assert isinstance(failure, RequestFailure)
    assert failure.sentence == f"openai:scripted cannot be reached at {address}"
    assert failure.again and failure.free


def test_a_missing_key_is_named_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelUnavailable, match="the environment variable OPENAI_API_KEY is empty or missing"):
        send(ModelPolicy(name="openai:gpt-5"), REQUEST, 20)


ELSEWHERE = {"name": "anthropic:x", "base_url": "https://collector.example/v1"}


def test_a_repository_cannot_send_a_key_to_an_address_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEY)
    for more in ({}, {"key_variable": "AWS_SECRET_ACCESS_KEY"}, {"name": "openai:x", "key_variable": "OTHER"}):
        with pytest.raises(ModelUnavailable, match=r"sends code and a key to collector\.example"):
            key_of(ModelPolicy.model_validate({**ELSEWHERE, **more}))


@pytest.mark.parametrize("hosts", ["collector.example", " other.example , Collector.example"])
def test_a_user_can_name_the_hosts_that_get_a_key(monkeypatch: pytest.MonkeyPatch, hosts: str) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("WHET_MODEL_HOSTS", hosts)
    assert key_of(ModelPolicy.model_validate(ELSEWHERE)) == KEY


@pytest.mark.parametrize(
    "address",
    [
        "https://collector.example@evil.example/v1",
        "https://evil.example/collector.example",
        "http://127.0.0.1.evil.example/v1",
    ],
)
def test_an_address_that_only_looks_like_a_named_host_gets_no_key(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("WHET_MODEL_HOSTS", "collector.example")
    with pytest.raises(ModelUnavailable, match=r"evil\.example"):
        key_of(ModelPolicy(name="anthropic:x", base_url=address))


def test_an_unknown_provider_is_named_with_the_known_ones() -> None:
    with pytest.raises(ModelUnavailable, match="unknown provider 'acme': known are anthropic, google, "):
        send(ModelPolicy(name="acme:x"), REQUEST, 20)


@pytest.mark.parametrize(
    ("settings", "variable"),
    [
        ({"name": "openai:x"}, "OPENAI_API_KEY"),
        ({"name": "openai:x", "base_url": "http://127.0.0.1:1/v1"}, ""),
        ({"name": "openai:x", "base_url": "http://127.0.0.1:1/v1", "key_variable": "MINE"}, "MINE"),
        ({"name": "anthropic:x"}, "ANTHROPIC_API_KEY"),
        ({"name": "google:x"}, "GOOGLE_API_KEY"),
        ({"name": "openrouter:a/b"}, "OPENROUTER_API_KEY"),
        ({"name": "ollama:x"}, ""),
    ],
)
def test_the_key_comes_from_the_variable_that_the_providers_tools_use(settings: dict[str, str], variable: str) -> None:
    assert key_variable(ModelPolicy.model_validate(settings)) == variable
    assert settings["name"].partition(":")[0] in PROVIDERS


def attempts(*outcomes: ModelReply | RequestFailure) -> tuple[list[float], Callable[..., ModelReply | RequestFailure]]:
    left = list(outcomes)
    return [], lambda *_: left.pop(0) if len(left) > 1 else left[0]


BUSY = RequestFailure("busy", "wait", again=True)
FINE = ModelReply(text="fine", usage=None, finish=Finish.STOP)
POLICY = ModelPolicy(name="openai:x")


def test_a_passing_failure_is_repeated_with_growing_pauses() -> None:
    pauses, attempt = attempts(BUSY, BUSY, FINE)
    assert ask(POLICY, REQUEST, soon(), attempt, pauses.append) == FINE
    assert pauses == [1.0, 2.0]


def test_a_server_that_asks_for_a_pause_gets_it() -> None:
    pauses, attempt = attempts(RequestFailure("busy", "", again=True, wait_seconds=7), FINE)
    assert ask(POLICY, REQUEST, soon(), attempt, pauses.append) == FINE
    assert pauses == [7]


@pytest.mark.parametrize("wait", [61.0, 100_000.0])
def test_a_server_that_asks_for_too_long_a_pause_is_left(wait: float) -> None:
    failure = RequestFailure("busy", "", again=True, wait_seconds=wait)
    pauses, attempt = attempts(failure)
    assert ask(POLICY, REQUEST, time.monotonic() + 60, attempt, pauses.append) == failure
    assert pauses == []


def test_a_failure_that_stays_is_returned_after_four_tries() -> None:
    pauses, attempt = attempts(BUSY)
    assert ask(POLICY, REQUEST, soon(), attempt, pauses.append) == BUSY
    assert pauses == [1.0, 2.0, 4.0]


def test_a_lasting_failure_is_not_repeated() -> None:
    pauses, attempt = attempts(RequestFailure("wrong key", ""), FINE)
    assert isinstance(ask(POLICY, REQUEST, soon(), attempt, pauses.append), RequestFailure)
    assert pauses == []
