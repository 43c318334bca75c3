"""The providers of language models: the variable with the key, and the client that speaks the provider's protocol.

The packages of the extra `whet[models]` are imported when a request is made, because they take a second to load.
"""

import os
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from whet.config import ModelPolicy
from whet.errors import ModelUnavailable
from whet.models.addresses import refusal, unlisted_host

if TYPE_CHECKING:
    from httpx2 import AsyncClient
    from pydantic_ai.models import Model
    from pydantic_ai.profiles import ModelProfile

_OPENAI = "https://api.openai.com/v1"
_NEW_LIMIT = (".openai.com", ".azure.com")
_OLLAMA = "http://127.0.0.1:11434/v1"
_OPENROUTER = "https://openrouter.ai/api/v1"
_NO_KEY = "no-key"  # servers of the user's own mostly need none, and the clients insist on one


def key_variable(policy: ModelPolicy) -> str:
    """Return the environment variable that holds the key of a model; empty if the provider needs none."""
    if policy.key_variable:
        return policy.key_variable
    if policy.provider == "ollama" or (policy.base_url and policy.provider == "openai"):
        return ""
    return {"google": "GOOGLE_API_KEY"}.get(policy.provider, f"{policy.provider.upper().replace('-', '_')}_API_KEY")


def key_of(policy: ModelPolicy) -> str:
    """Return the key of a model from the environment.

    Raise ModelUnavailable if it is needed and missing, or if whet.toml names a server that the user has not listed.
    """
    if host := unlisted_host(policy.base_url):
        raise ModelUnavailable(*refusal(host))
    variable = key_variable(policy)
    if not variable:
        return _NO_KEY
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ModelUnavailable(
            f"there is no key for {policy.name}: the environment variable {variable} is empty or missing",
            f"export {variable}=..., or set `key_variable` of the model in whet.toml",
        )
    return key


def client_of(policy: ModelPolicy, http: "AsyncClient") -> "Model":
    """Return the client of a model, which sends its requests through `http`. Raise ModelUnavailable if there is none."""
    if find_spec("pydantic_ai") is None:
        raise ModelUnavailable(
            "the packages that speak to language models are not installed", "pip install 'whet[models]'"
        )
    make = _CLIENTS.get(policy.provider)
    if make is None:
        raise ModelUnavailable(
            f"{policy.name} names the unknown provider {policy.provider!r}: known are {', '.join(sorted(_CLIENTS))}",
            "for a server that speaks OpenAI's protocol, write openai:NAME and its base_url",
        )
    return make(policy, key_of(policy), http)


def _openai(policy: ModelPolicy, key: str, http: "AsyncClient") -> "Model":
    """Return the client of OpenAI's protocol. Only OpenAI itself, also at Azure, is sent `max_completion_tokens`."""
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(base_url=policy.base_url or None, api_key=key, http_client=http)
    host = urlsplit(policy.base_url or _OPENAI).hostname or ""
    profile = None if host.endswith(_NEW_LIMIT) else _with_max_tokens
    return OpenAIChatModel(policy.model, provider=provider, profile=profile)


def _with_max_tokens(profile: "ModelProfile") -> "ModelProfile":
    """Return the profile with the limit of an answer as `max_tokens`. Other servers ignore or refuse the new name."""
    from pydantic_ai.profiles import merge_profile
    from pydantic_ai.profiles.openai import OpenAIModelProfile

    return merge_profile(profile, OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False))


def _ollama(policy: ModelPolicy, key: str, http: "AsyncClient") -> "Model":
    from pydantic_ai.models.ollama import OllamaModel
    from pydantic_ai.providers.ollama import OllamaProvider

    provider = OllamaProvider(base_url=policy.base_url or _OLLAMA, api_key=key, http_client=http)
    return OllamaModel(policy.model, provider=provider, profile=_with_max_tokens)


def _openrouter(policy: ModelPolicy, key: str, http: "AsyncClient") -> "Model":
    """Return the client of OpenRouter, which sends errors with status 200."""
    from openai import AsyncOpenAI
    from pydantic_ai.models.openrouter import OpenRouterModel
    from pydantic_ai.providers.openrouter import OpenRouterProvider

    client = AsyncOpenAI(base_url=policy.base_url or _OPENROUTER, api_key=key, http_client=http)
    return OpenRouterModel(policy.model, provider=OpenRouterProvider(openai_client=client))


def _anthropic(policy: ModelPolicy, key: str, http: "AsyncClient") -> "Model":
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    provider = AnthropicProvider(api_key=key, base_url=policy.base_url or None, http_client=http)
    return AnthropicModel(policy.model, provider=provider)


def _google(policy: ModelPolicy, key: str, http: "AsyncClient") -> "Model":
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    provider = GoogleProvider(api_key=key, base_url=policy.base_url or None, http_client=http)
    return GoogleModel(policy.model, provider=provider)


_CLIENTS: dict[str, "Callable[[ModelPolicy, str, AsyncClient], Model]"] = {
    "openai": _openai,
    "ollama": _ollama,
    "openrouter": _openrouter,
    "anthropic": _anthropic,
    "google": _google,
}
PROVIDERS = tuple(sorted(_CLIENTS))
