"""Receive OTLP over HTTP: traces, logs and metrics, as protobuf or JSON, plain or compressed with gzip.

`Receiver.receive` knows no web framework. It answers as the protocol asks: 200 with an empty response, 400 for a request that
must not be repeated, 413 for one that is too large, 415 for an unknown form, 503 if the sender should try again later.
"""

import base64
import json
import threading
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from whet.config import SourcesPolicy
from whet.domain.clock import now
from whet.errors import StateUnusable
from whet.files import MB
from whet.intake.look import placed
from whet.intake.otlp_events import otlp_events
from whet.intake.skips import Skips
from whet.statistics.drain import Drain
from whet.store.events import Events

PATHS = ("/v1/traces", "/v1/logs", "/v1/metrics")
LARGEST_BODY = 16 * MB
LARGEST_CONTENT = 64 * MB
_PRUNE_EVERY = 20_000
_MESSAGES = {
    "/v1/traces": ("trace", "ExportTraceServiceRequest"),
    "/v1/logs": ("logs", "ExportLogsServiceRequest"),
    "/v1/metrics": ("metrics", "ExportMetricsServiceRequest"),
}
_IDS = frozenset({"traceId", "spanId", "parentSpanId"})
_PROTOBUF, _JSON = "application/x-protobuf", "application/json"
Reply = tuple[int, dict[str, str], bytes]


class _Refusal(Exception):
    """A request that cannot be taken, with its status."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Receiver:
    """Stores what senders export. One instance may serve several threads."""

    def __init__(self, state: Path, policy: SourcesPolicy) -> None:
        self._events, self._policy = Events(state), policy
        self._templates: Drain | None = None
        self._events.hold()
        self._lock = threading.Lock()
        self._until_prune = 0

    def receive(self, path: str, headers: Mapping[str, str], body: bytes) -> Reply:
        """Take in one export request and return status, headers and body of the answer. Never raises for bad input."""
        named = {name.lower(): value for name, value in headers.items()}
        form = named.get("content-type", "").partition(";")[0].strip().lower()
        try:
            request = _decoded(path, form, _content(named.get("content-encoding", ""), body))
            rejected = self._take(request)
        except _Refusal as refusal:
            return _answer(refusal.status, form, str(refusal))
        except StateUnusable as problem:
            return _answer(503, form, problem.message)
        return _success(path, form, rejected)

    def _take(self, request: Mapping[str, Any]) -> int:
        """Store the events of a request and return how many of its items were left out."""
        skips = Skips()
        with self._lock:
            if self._templates is None:
                self._templates = Drain()
                self._templates.restore(self._events.templates())
            known = self._templates.number
            events = list(placed(otlp_events(request, self._templates, skips), now(), skips))
            self._events.take("otlp", events)
            if self._templates.number != known:
                self._events.keep_templates(self._templates.pairs())
            self._until_prune -= len(events)
            if self._until_prune <= 0:
                self._events.prune("otlp", now(), self._policy.most_events)
                self._until_prune = _PRUNE_EVERY
        return skips.total("item") + skips.total("event")


def _content(encoding: str, body: bytes) -> bytes:
    """Return the body, decompressed. A small body may expand to much, so the result is limited too."""
    if len(body) > LARGEST_BODY:
        raise _Refusal(413, f"a request may have {LARGEST_BODY // MB} MB")
    if encoding.strip().lower() in ("", "identity"):
        return body
    if encoding.strip().lower() not in ("gzip", "x-gzip"):
        raise _Refusal(415, f"the content encoding {encoding[:40]!r} is not known: use gzip or none")
    unzip = zlib.decompressobj(wbits=31)
    try:
        content = unzip.decompress(body, LARGEST_CONTENT)
    except zlib.error:
        raise _Refusal(400, "the body is not gzip") from None
    if unzip.unconsumed_tail:
        raise _Refusal(413, f"a request may expand to {LARGEST_CONTENT // MB} MB")
    if not unzip.eof:
        raise _Refusal(400, "the gzip body ends too early")
    return content


def _decoded(path: str, form: str, content: bytes) -> Mapping[str, Any]:
    if path not in PATHS:
        raise _Refusal(404, f"the paths are {', '.join(PATHS)}")
    if form == _JSON:
        try:
            request = json.loads(content)
        except (ValueError, RecursionError):
            raise _Refusal(400, "the body is not JSON") from None
        if not isinstance(request, dict):
            raise _Refusal(400, "the body is not a JSON object")
        return request
    if form == _PROTOBUF:
        return _from_protobuf(path, content)
    raise _Refusal(415, f"the content type must be {_PROTOBUF} or {_JSON}")


def _from_protobuf(path: str, content: bytes) -> Mapping[str, Any]:
    """Return the request in its JSON form. protobuf's own JSON has ids in base64; OTLP's has them in hexadecimal."""
    try:
        from google.protobuf.json_format import MessageToDict
        from google.protobuf.message import DecodeError
    except ImportError:
        raise _Refusal(415, "protobuf needs `pip install 'whet[service]'`; JSON works without") from None
    message = _message(path)
    try:
        message.ParseFromString(content)
        plain: dict[str, Any] = MessageToDict(message)
    except (DecodeError, ValueError, RecursionError, UnicodeDecodeError):
        raise _Refusal(400, "the body is not the protobuf message of this path") from None
    _ids_to_hex(plain)
    return plain


def _message(path: str) -> Any:
    """Return an empty request message of a path. The modules take 0.1 s to load, so only a first request loads them."""
    from importlib import import_module

    package, name = _MESSAGES[path]
    module = import_module(f"opentelemetry.proto.collector.{package}.v1.{package}_service_pb2")
    return getattr(module, name)()


def _ids_to_hex(value: Any) -> None:
    if isinstance(value, list):
        for item in value:
            _ids_to_hex(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in _IDS and isinstance(item, str):
                value[key] = base64.b64decode(item).hex()
            elif isinstance(item, dict | list):
                _ids_to_hex(item)


def _success(path: str, form: str, rejected: int) -> Reply:
    """Return the answer of the protocol: empty if everything was taken, else with the number of rejected items."""
    if form == _JSON:
        field = {"/v1/traces": "rejectedSpans", "/v1/logs": "rejectedLogRecords"}.get(path, "rejectedDataPoints")
        partial = {"partialSuccess": {field: str(rejected), "errorMessage": "no usable time or value"}}
        return 200, {"content-type": _JSON}, json.dumps(partial if rejected else {}).encode()
    partial_success = b"\x08" + _varint(rejected)
    body = b"\x0a" + _varint(len(partial_success)) + partial_success if rejected else b""
    return 200, {"content-type": _PROTOBUF}, body


def _answer(status: int, form: str, why: str) -> Reply:
    """Return an error as the protocol asks: a google.rpc.Status in the form of the request."""
    headers = {"retry-after": "5"} if status == 503 else {}
    if form == _PROTOBUF:
        text = why.encode()
        return status, {"content-type": _PROTOBUF, **headers}, b"\x12" + _varint(len(text)) + text
    return status, {"content-type": _JSON, **headers}, json.dumps({"message": why}).encode()


def _varint(number: int) -> bytes:
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*encoded, number])
