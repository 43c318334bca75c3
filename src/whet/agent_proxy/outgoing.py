"""Rewrite a request of an agent before it leaves: one model, one answer, no tools that the provider runs, no secrets."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from whet.agent_proxy.endpoints import WireKind
from whet.domain.redact import redact

Json = dict[str, Any]

# The provider would act on these itself: keep the request, run it later, ask other servers, or answer several times.
_DROPPED = frozenset({
    "background", "best_of", "container", "conversation", "mcp_servers", "metadata", "modalities", "n",
    "previous_response_id", "prompt", "service_tier", "web_search_options",
})  # fmt: skip
_OUTPUT_KEYS = {
    WireKind.CHAT: ("max_completion_tokens", "max_tokens"),
    WireKind.RESPONSES: ("max_output_tokens",),
    WireKind.MESSAGES: ("max_tokens",),
}
# Types of tools that the agent itself runs. A provider's own tools (web search, code interpreter, remote MCP servers) could
# reach other hosts, so a tool of any other type is left out.
_OWN_TOOLS = frozenset({"function", "custom", "local_shell", "shell", "apply_patch", "namespace"})
_OWN_TOOL_PREFIXES = ("bash_", "text_editor_", "memory_")
_ADDRESSES = frozenset({"image_url", "file_url", "fileUri", "file_uri"})
_REMOTE = ("http:", "https:", "gs:", "ftp:")
# Values that must come back to the provider unchanged: identifiers, signed or encrypted reasoning, and inline media.
_KEPT = frozenset({
    "id", "call_id", "tool_call_id", "tool_use_id", "item_id", "signature", "thoughtSignature", "encrypted_content", "data",
    "model", "name", "role", "type", "status",
})  # fmt: skip
_DEEPEST = 60


class BadRequest(Exception):
    """A request that the proxy cannot send; the message says why."""


def rewrite(body: Json, kind: WireKind, model: str, *, official: bool) -> Json:
    """Return the request as it may leave. Raise BadRequest if it asks the provider to fetch something."""
    refuse_remote_media(body)
    kept = {name: value for name, value in body.items() if name not in _DROPPED}
    if kind is not WireKind.GENERATE:
        kept["model"] = model
    if kind is WireKind.RESPONSES:
        kept["store"] = False
    if kind is WireKind.CHAT and kept.get("stream") is True:
        kept["stream_options"] = {"include_usage": True}
    if "tools" in kept:
        kept["tools"] = _own_tools(kept["tools"], kind)
        if not kept["tools"]:
            del kept["tools"]
            kept.pop("tool_choice", None)
    if kind is WireKind.CHAT and official and "max_completion_tokens" not in kept:
        kept["max_completion_tokens"] = kept.pop("max_tokens", None)
    redacted: Json = _map_texts(kept, redact)
    return redacted


def limit_output(body: Json, kind: WireKind, most: int) -> int:
    """Set or lower the limit of the answer's tokens, and return it."""
    if kind is WireKind.GENERATE:
        settings = body.get("generationConfig")
        body["generationConfig"] = settings = dict(settings) if isinstance(settings, dict) else {}
        settings["candidateCount"] = 1
        return _lowered(settings, "maxOutputTokens", most)
    names = [name for name in _OUTPUT_KEYS[kind] if name in body] or [_OUTPUT_KEYS[kind][-1]]
    return min(_lowered(body, name, most) for name in names)


def refuse_remote_media(body: Mapping[str, Any]) -> None:
    """Raise BadRequest for a picture or file that the provider would fetch: its address could carry data out."""
    content = {name: value for name, value in body.items() if name != "tools"}
    for name, value in _pairs(content, 0):
        if name in _ADDRESSES and _remote_address(value):
            raise BadRequest("the proxy sends no addresses of pictures or files; send their content")
        if name == "source" and isinstance(value, dict) and value.get("type") == "url":
            raise BadRequest("the proxy sends no addresses of pictures or files; send their content")


def _remote_address(value: object) -> bool:
    address = value.get("url") if isinstance(value, dict) else value
    return isinstance(address, str) and address.strip().lower().startswith(_REMOTE)


def _pairs(value: object, depth: int) -> Iterator[tuple[str, object]]:
    """Yield the names and values of all objects in a value."""
    if depth > _DEEPEST:
        raise BadRequest("the request is nested too deeply")
    if isinstance(value, dict):
        yield from value.items()
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _pairs(item, depth + 1)


def _own_tools(tools: object, kind: WireKind) -> list[Json]:
    """Return the tools that the agent runs itself."""
    listed = [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    if kind is WireKind.GENERATE:
        return [
            {"functionDeclarations": tool["functionDeclarations"]} for tool in listed if "functionDeclarations" in tool
        ]
    return [tool for tool in listed if _is_own(tool)]


def _is_own(tool: Json) -> bool:
    kind = tool.get("type", "custom")
    return isinstance(kind, str) and (kind in _OWN_TOOLS or kind.startswith(_OWN_TOOL_PREFIXES))


def _lowered(settings: Json, name: str, most: int) -> int:
    asked = settings.get(name)
    settings[name] = min(asked, most) if type(asked) is int and asked > 0 else most
    limit: int = settings[name]
    return limit


def _map_texts(value: Any, change: Callable[[str], str], name: str = "") -> Any:
    """Return the value with every text replaced by `change`, except those that must stay as they are."""
    if isinstance(value, str):
        return value if name in _KEPT else change(value)
    if isinstance(value, list):
        return [_map_texts(item, change, name) for item in value]
    if isinstance(value, dict):
        return {key: _map_texts(item, change, key) for key, item in value.items()}
    return value
