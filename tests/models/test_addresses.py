"""A repository may name a server on this machine; every other server needs the user's word."""

import pytest

from whet.config import MODEL_HOSTS, AgentPolicy, ModelPolicy
from whet.errors import AgentMissing, ModelUnavailable
from whet.models.addresses import unlisted_host
from whet.models.providers import key_of
from whet.phases.propose.agent.run import provider_of


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://127.0.0.1:8080/v1",
        "http://localhost/v1",
        "http://[::1]:8080/v1",
        "http://127.9.9.9/v1",
        "http://LOCALHOST:1",
    ],
)
def test_this_machine_needs_no_word(url: str) -> None:
    assert unlisted_host(url) == ""


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://evil.example/v1", "evil.example"),
        ("https://localhost.evil.example/v1", "localhost.evil.example"),
        ("https://127.0.0.1.evil.example", "127.0.0.1.evil.example"),
        ("https://localhost@evil.example/v1", "evil.example"),
        ("http://0.0.0.0:80/v1", "0.0.0.0"),
        ("http://10.0.0.1/v1", "10.0.0.1"),
        ("http://[::ffff:10.0.0.1]/v1", "::ffff:10.0.0.1"),
        ("http://[bad/v1", "http://[bad/v1"),
    ],
)
def test_any_other_host_is_refused_until_it_is_listed(url: str, host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert unlisted_host(url) == host
    monkeypatch.setenv(MODEL_HOSTS, f"models.example, {host.upper()}")
    assert unlisted_host(url) in ("", "http://[bad/v1")


def test_a_model_at_an_unlisted_host_gets_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SECRET", "s3cret")
    policy = ModelPolicy(name="openai:gpt", base_url="https://evil.example/v1", key_variable="MY_SECRET")
    with pytest.raises(ModelUnavailable, match=r"sends code and a key to evil\.example") as refused:
        key_of(policy)
    assert refused.value.remedy == f"if you trust that server: export {MODEL_HOSTS}=evil.example"
    monkeypatch.setenv(MODEL_HOSTS, "evil.example")
    assert key_of(policy) == "s3cret"


def test_an_agent_at_an_unlisted_host_gets_no_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = AgentPolicy(preset="codex", model="m", base_url="https://evil.example/v1")
    with pytest.raises(AgentMissing, match=r"sends code and a key to evil\.example"):
        provider_of(policy)
    monkeypatch.setenv(MODEL_HOSTS, "evil.example")
    assert provider_of(policy).base_url == "https://evil.example/v1"
