"""A local server that speaks the wire protocols of two model providers and plays a model that makes given tool calls."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Call = tuple[str, dict[str, Any]]


class Model:
    """A model that makes its calls one after the other, and keeps the requests that it got."""

    def __init__(self, calls: list[Call]) -> None:
        self.calls = calls
        self.requests: list[dict[str, Any]] = []
        self.lock = threading.Lock()

    def next_call(self, request: dict[str, Any]) -> tuple[int, Call] | None:
        """Return the next call; None for requests without tools, such as that for a title, and after the last call."""
        with self.lock:
            self.requests.append(request)
            if not request.get("tools") or not self.calls:
                return None
            return len(self.requests), self.calls.pop(0)


@contextmanager
def serving(calls: list[Call]) -> Iterator[tuple[str, Model]]:
    """Serve the model on loopback. Yield the address and the model."""
    model = Model(calls)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
            if "count_tokens" in self.path:
                self._answer(b'{"input_tokens": 1}', "application/json")
                return
            for ending, events in PROTOCOLS.items():
                if self.path.partition("?")[0].endswith(ending):
                    self._answer(as_stream(events(model.next_call(request))), "text/event-stream")
                    return
            self._answer(b"{}", "application/json")

        def do_GET(self) -> None:
            self._answer(b'{"data": [], "models": []}', "application/json")

        def do_HEAD(self) -> None:
            self._answer(b"", "text/plain")

        def _answer(self, body: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def responses_events(call: tuple[int, Call] | None) -> Iterator[dict[str, Any]]:
    """Yield an answer in OpenAI's Responses API: a call of a tool, or a closing sentence."""
    if call is None:
        content = [{"type": "output_text", "text": "done", "annotations": []}]
        item: dict[str, Any] = {"type": "message", "id": "m", "role": "assistant", "content": content}
    else:
        number, (name, arguments) = call
        item = {"call_id": f"call_{number}", "name": name, "id": f"f{number}"}
        if set(arguments) == {"input"}:
            item |= {"type": "custom_tool_call", "input": arguments["input"]}
        else:
            item |= {"type": "function_call", "arguments": json.dumps(arguments)}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    yield {"type": "response.created", "response": {"id": "r"}}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    yield {"type": "response.completed", "response": {"id": "r", "output": [item], "usage": usage}}


def messages_events(call: tuple[int, Call] | None) -> Iterator[dict[str, Any]]:
    """Yield an answer in Anthropic's Messages API: a call of a tool, or a closing sentence."""
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "m", "type": "message", "role": "assistant", "model": "fake", "content": [], "usage": usage}
    yield {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None}}
    if call is None:
        block: dict[str, Any] = {"type": "text", "text": ""}
        delta: dict[str, Any] = {"type": "text_delta", "text": "done"}
    else:
        number, (name, arguments) = call
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    reason = "end_turn" if call is None else "tool_use"
    yield {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage}
    yield {"type": "message_stop"}


def generate_events(call: tuple[int, Call] | None) -> Iterator[dict[str, Any]]:
    """Yield an answer in Google's Gemini API: a call of a tool, or a closing sentence."""
    part: dict[str, Any] = {"text": "done"}
    if call is not None:
        _, (name, arguments) = call
        part = {"functionCall": {"name": name, "args": arguments}}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    yield {"candidates": [candidate], "usageMetadata": {"totalTokenCount": 2}}


def as_stream(events: Iterator[dict[str, Any]]) -> bytes:
    """Return events as a stream of server-sent events. Google's have no names."""
    return b"".join(_named(event) + f"data: {json.dumps(event)}\n\n".encode() for event in events)


def _named(event: dict[str, Any]) -> bytes:
    return f"event: {event['type']}\n".encode() if "type" in event else b""


PROTOCOLS = {
    "/responses": responses_events,
    "/messages": messages_events,
    ":streamGenerateContent": generate_events,
}
