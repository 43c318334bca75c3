"""The requests that the proxy takes from an agent, by provider. Every other request is refused."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class WireKind(StrEnum):
    """The wire protocol of a request to a model."""

    CHAT = "chat completions"
    RESPONSES = "responses"
    MESSAGES = "messages"
    GENERATE = "generate content"


@dataclass(frozen=True)
class Endpoint:
    """A request to a model: `path` is matched on the agent's side, `suffix` is added to the provider's base URL."""

    kind: WireKind
    path: re.Pattern[str]
    suffix: str
    always_streams: bool = False

    def streams(self, body: Mapping[str, Any]) -> bool:
        return self.always_streams or body.get("stream") is True


OFFICIAL = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com/v1",
    "google": "https://generativelanguage.googleapis.com/v1beta",
}
KEY_VARIABLES = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY", "google": "GEMINI_API_KEY"}

_MODEL = "/v1beta/models/[^/:?]+"
_METERED = {
    "openai": (
        Endpoint(WireKind.CHAT, re.compile(r"/v1/chat/completions"), "/chat/completions"),
        Endpoint(WireKind.RESPONSES, re.compile(r"/v1/responses"), "/responses"),
    ),
    "anthropic": (Endpoint(WireKind.MESSAGES, re.compile(r"/v1/messages(\?beta=true)?"), "/messages"),),
    "google": (
        Endpoint(WireKind.GENERATE, re.compile(rf"{_MODEL}:generateContent"), "/models/{model}:generateContent"),
        Endpoint(
            WireKind.GENERATE,
            re.compile(rf"{_MODEL}:streamGenerateContent\?alt=sse"),
            "/models/{model}:streamGenerateContent?alt=sse",
            always_streams=True,
        ),
    ),
}
_MODELS = re.compile(r"/v1(beta)?/models(/[^/?]+)?(\?[^#]*)?")
_COUNTS = re.compile(rf"/v1/messages/count_tokens(\?beta=true)?|{_MODEL}:countTokens")


def endpoint(provider: str, method: str, target: str) -> Endpoint | None:
    """Return the endpoint of a request to a model; None if the provider has no such endpoint."""
    if method != "POST":
        return None
    return next((known for known in _METERED[provider] if known.path.fullmatch(target)), None)


def local_answer(provider: str, method: str, target: str, model: str, tokens: int) -> dict[str, Any] | None:
    """Return the proxy's own answer to a question about models or token counts; None for any other request.

    Such questions cost nothing, so they need not reach the provider, and the list names only the configured model.
    """
    if method == "GET" and _MODELS.fullmatch(target):
        if provider == "google":
            return {"models": [{"name": f"models/{model}", "supportedGenerationMethods": ["generateContent"]}]}
        return {"object": "list", "data": [{"id": model, "object": "model", "type": "model", "created": 0}]}
    if method == "POST" and _COUNTS.fullmatch(target):
        return {"totalTokens": tokens} if provider == "google" else {"input_tokens": tokens}
    return None


def error_body(provider: str, code: str, message: str) -> dict[str, Any]:
    """Return an error in the provider's own shape, so that the agent can show it."""
    if provider == "anthropic":
        return {"type": "error", "error": {"type": "permission_error", "message": message}}
    if provider == "google":
        return {"error": {"code": 403, "status": "PERMISSION_DENIED", "message": message}}
    return {"error": {"message": message, "type": "invalid_request_error", "code": code, "param": None}}
