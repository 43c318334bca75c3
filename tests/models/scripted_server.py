"""A scripted language model on loopback that speaks the wire protocols of OpenAI's chat completions and Anthropic's messages."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """One scripted reply. Without `raw`, `text` is wrapped as the protocol of the request asks.

    `cut` ends the connection after half of the body. `hold` keeps the request open until the server is closed.
    """

    text: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    finish: str = "stop"
    raw: bytes | None = None
    content_type: str = "application/json"
    cut: bool = False
    hold: bool = False
    usage: bool = True


Step = str | Reply | Callable[[str], "str | Reply"]


class ScriptedModel:
    """The server. It gives the steps of its script one after the other, and repeats the last one."""

    def __init__(self, script: Sequence[Step], key: str = "") -> None:
        self.script, self.key = list(script), key
        self.requests: list[dict[str, Any]] = []
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def root(self) -> str:
        return self.url.removesuffix("/v1")

    @property
    def prompts(self) -> list[str]:
        """Return the text of each request."""
        return [json.dumps(request, ensure_ascii=False) for request in self.requests]

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()

    def next_reply(self, request: dict[str, Any]) -> Reply:
        with self._lock:
            step = self.script[min(len(self.requests), len(self.script) - 1)]
            self.requests.append(request)
        if callable(step):
            step = step(_text_of(request))
        return Reply(step) if isinstance(step, str) else step

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                sent = self.headers.get("x-api-key") or self.headers.get("Authorization", "").removeprefix("Bearer ")
                if model.key and sent != model.key:
                    return self._answer(Reply(status=401, raw=b'{"error": {"message": "invalid api key"}}'))
                reply = model.next_reply(json.loads(body))
                if reply.hold:
                    model.closing.wait(60)
                    return None
                return self._answer(reply)

            def _answer(self, reply: Reply) -> None:
                anthropic = self.path.endswith("/messages")
                body = reply.raw if reply.raw is not None else _wrapped(reply, anthropic=anthropic)
                self.send_response(reply.status)
                for name, value in {"Content-Type": reply.content_type, **reply.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body[: len(body) // 2] if reply.cut else body)
                self.close_connection = True

            def log_message(self, format: str, *args: Any) -> None:
                return

        return Handler


@contextmanager
def scripted(*script: Step, key: str = "") -> Iterator[ScriptedModel]:
    model = ScriptedModel(script, key)
    try:
        yield model
    finally:
        model.close()


def _text_of(request: dict[str, Any]) -> str:
    """Return everything that a request says, in order."""
    texts = [request.get("system", "")]
    texts += [message["content"] for message in request.get("messages", ())]
    return "\n".join(_plain(text) for text in texts)


def _plain(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(part.get("text", "") for part in content)
    return str(content or "")


def _wrapped(reply: Reply, *, anthropic: bool) -> bytes:
    if anthropic:
        reasons = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
        body: dict[str, Any] = {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "scripted",
            "content": [{"type": "text", "text": reply.text}],
            "stop_reason": reasons[reply.finish], "stop_sequence": None,
            "usage": {"input_tokens": 100, "output_tokens": 50},
        }  # fmt: skip
        return json.dumps(body).encode()
    body = {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "scripted",
        "choices": [
            {"index": 0, "finish_reason": reply.finish, "message": {"role": "assistant", "content": reply.text}}
        ],
    }  # fmt: skip
    if reply.usage:
        body["usage"] = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
    return json.dumps(body).encode()
