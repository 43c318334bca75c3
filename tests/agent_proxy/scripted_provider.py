"""A model provider on loopback that follows a script. It speaks chat completions, responses, messages and generate content,
whole and as a stream."""

import contextlib
import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-the-real-key-0123456789abcdefghij"
TOKENS_IN, TOKENS_OUT = 120, 30


@dataclass(frozen=True)
class Say:
    """An answer in words."""

    text: str


@dataclass(frozen=True)
class Use:
    """An answer that calls a tool of the agent."""

    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Fail:
    """A refusal, or anything else that is not an answer."""

    status: int
    body: str = '{"error": {"message": "no"}}'
    headers: dict[str, str] = field(default_factory=dict)


Action = Say | Use | Fail
Event = tuple[str, dict[str, Any]]


@dataclass
class Received:
    """A request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class ScriptedProvider:
    """The server and its script; the last action is repeated. `before` is called before each answer."""

    script: Sequence[Action]
    base_url: str = ""
    received: list[Received] = field(default_factory=list)
    before: Callable[[int], None] = lambda number: None
    lock: threading.Lock = field(default_factory=threading.Lock)
    step: int = 0

    def take(self, request: Received) -> Action:
        """Return the next action. A request that does not offer the tool of the next action gets words, and takes no step:
        agents ask for titles and the like beside their work."""
        with self.lock:
            self.received.append(request)
            number = len(self.received)
            action = self.script[min(self.step, len(self.script) - 1)]
            if isinstance(action, Use) and f'"{action.tool}"' not in json.dumps(request.body):
                action = Say("ok")
            else:
                self.step += 1
        self.before(number)
        return action


@contextlib.contextmanager
def scripted_provider(*script: Action, version: str = "/v1") -> Iterator[ScriptedProvider]:
    """Serve the script on a free port."""
    provider = ScriptedProvider(script)

    class Handler(_Handler):
        scripted = provider

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    provider.base_url = f"http://127.0.0.1:{server.server_address[1]}{version}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    scripted: ScriptedProvider
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.close_connection = True
        content = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        body = json.loads(content) if content else None
        headers = {name.lower(): value for name, value in self.headers.items()}
        action = self.scripted.take(Received(self.command, self.path, headers, body))
        if isinstance(action, Fail):
            self._send(action.status, "application/json", action.body.encode(), action.headers)
            return
        whole, events = _render(self.path, action)
        if body and (body.get("stream") or "streamGenerateContent" in self.path):
            self._send(200, "text/event-stream", b"".join(map(_event, events)))
        else:
            self._send(200, "application/json", json.dumps(whole).encode())

    do_GET = do_POST  # noqa: N815 - names of the base class

    def _send(self, status: int, kind: str, content: bytes, headers: dict[str, str] | None = None) -> None:
        with contextlib.suppress(OSError):
            self.send_response(status)
            for name, value in {"Content-Type": kind, "Content-Length": str(len(content)), **(headers or {})}.items():
                self.send_header(name, value)
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


def _event(event: Event) -> bytes:
    name, data = event
    begin = f"event: {name}\n" if name and name != "done" else ""
    text = "[DONE]" if name == "done" else json.dumps(data)
    return f"{begin}data: {text}\n\n".encode()


def _render(path: str, action: Say | Use) -> tuple[dict[str, Any], list[Event]]:
    if "chat/completions" in path:
        return _chat(action)
    if "responses" in path:
        return _responses(action)
    if "messages" in path:
        return _messages(action)
    return _generate(action)


def _chat(action: Say | Use) -> tuple[dict[str, Any], list[Event]]:
    usage = {"prompt_tokens": TOKENS_IN, "completion_tokens": TOKENS_OUT, "total_tokens": TOKENS_IN + TOKENS_OUT}
    about = {"id": "chat-1", "created": 1, "model": "scripted"}
    if isinstance(action, Say):
        message: dict[str, Any] = {"role": "assistant", "content": action.text}
        end = "stop"
    else:
        function = {"name": action.tool, "arguments": json.dumps(action.arguments)}
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "call-1", "index": 0, "type": "function", "function": function}],
        }
        end = "tool_calls"
    whole = {
        **about,
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": end}],
        "usage": usage,
    }
    chunk = {**about, "object": "chat.completion.chunk"}
    events: list[Event] = [
        ("", {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]}),
        ("", {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": end}]}),
        ("", {**chunk, "choices": [], "usage": usage}),
        ("done", {}),
    ]
    return whole, events


def _responses(action: Say | Use) -> tuple[dict[str, Any], list[Event]]:
    if isinstance(action, Say):
        item: dict[str, Any] = {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": action.text, "annotations": []}],
        }
    else:
        item = {
            "type": "function_call",
            "id": "fc_1",
            "call_id": "call_1",
            "name": action.tool,
            "arguments": json.dumps(action.arguments),
            "status": "completed",
        }
    usage = {
        "input_tokens": TOKENS_IN,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": TOKENS_OUT,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": TOKENS_IN + TOKENS_OUT,
    }
    whole = {"id": "resp_1", "object": "response", "status": "completed", "output": [item], "usage": usage}
    started = {"id": "resp_1", "object": "response", "status": "in_progress", "output": []}
    events: list[Event] = [
        ("response.created", {"type": "response.created", "response": started}),
        ("response.output_item.added", {"type": "response.output_item.added", "output_index": 0, "item": item}),
        ("response.output_item.done", {"type": "response.output_item.done", "output_index": 0, "item": item}),
        ("response.completed", {"type": "response.completed", "response": whole}),
    ]
    return whole, events


def _messages(action: Say | Use) -> tuple[dict[str, Any], list[Event]]:
    block: dict[str, Any]
    if isinstance(action, Say):
        block, end = {"type": "text", "text": action.text}, "end_turn"
        empty: dict[str, Any] = {"type": "text", "text": ""}
        delta: dict[str, Any] = {"type": "text_delta", "text": action.text}
    else:
        block = {"type": "tool_use", "id": "toolu_1", "name": action.tool, "input": action.arguments}
        end, empty = "tool_use", {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(action.arguments)}
    about = {"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "stop_sequence": None}
    usage = {"input_tokens": TOKENS_IN, "output_tokens": TOKENS_OUT}
    whole = {**about, "content": [block], "stop_reason": end, "usage": usage}
    start: dict[str, Any] = {**about, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    ending = {"stop_reason": end, "stop_sequence": None}
    events: list[Event] = [
        ("message_start", {"type": "message_start", "message": start}),
        ("content_block_start", {"type": "content_block_start", "index": 0, "content_block": empty}),
        ("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}),
        ("content_block_stop", {"type": "content_block_stop", "index": 0}),
        ("message_delta", {"type": "message_delta", "delta": ending, "usage": {"output_tokens": TOKENS_OUT}}),
        ("message_stop", {"type": "message_stop"}),
    ]
    return whole, events


def _generate(action: Say | Use) -> tuple[dict[str, Any], list[Event]]:
    if isinstance(action, Say):
        part: dict[str, Any] = {"text": action.text}
    else:
        part = {"functionCall": {"name": action.tool, "args": action.arguments}}
    whole = {
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {
            "promptTokenCount": TOKENS_IN,
            "candidatesTokenCount": TOKENS_OUT - 10,
            "thoughtsTokenCount": 10,
        },
        "modelVersion": "scripted",
    }
    return whole, [("", whole)]


def texts(body: Any) -> str:
    """Return a request's body as one text, to search in."""
    return re.sub(r"\\n", "\n", json.dumps(body))
