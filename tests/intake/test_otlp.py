"""Exports of the OpenTelemetry SDK arrive; anything else is refused as the protocol asks."""

import gzip
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.exporter.otlp.proto.http import Compression

from tests.intake.streams import NOW
from whet.config import SourcesPolicy
from whet.domain.reported_event import EventKind, ReportedEvent
from whet.files import MB
from whet.intake.otlp import LARGEST_BODY, Receiver
from whet.store.events import Events

JSON = {"Content-Type": "application/json"}
PROTOBUF = {"Content-Type": "application/x-protobuf"}


class Served:
    """A receiver behind a real HTTP server on a free port."""

    def __init__(self, state: Path) -> None:
        receiver = Receiver(state, SourcesPolicy())

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status, headers, answer = receiver.receive(self.path, dict(self.headers), body)
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(answer))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    server = Served(tmp_path / ".whet")
    yield server
    server.close()


@pytest.fixture
def receiver(tmp_path: Path) -> Receiver:
    return Receiver(tmp_path / ".whet", SourcesPolicy())


def stored(folder: Path, kind: EventKind) -> list[ReportedEvent]:
    return list(Events(folder / ".whet").since("otlp", datetime.fromtimestamp(0, UTC), kind))


@pytest.mark.parametrize("compression", [Compression.Gzip, Compression.NoCompression])
def test_spans_of_the_sdk_arrive_with_their_exception(served: Served, tmp_path: Path, compression: Compression) -> None:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor

    provider = TracerProvider()
    exporter = OTLPSpanExporter(endpoint=f"{served.url}/v1/traces", compression=compression)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("t")
    with tracer.start_as_current_span("fine") as span:
        identity = span.get_span_context()
    with pytest.raises(ZeroDivisionError), tracer.start_as_current_span("work"):
        _ = 1 / 0
    provider.shutdown()
    fine, work = stored(tmp_path, EventKind.SPAN)
    assert (fine.subject, fine.failed) == ("fine", False)
    assert (work.subject, work.failed) == ("work", True)
    assert work.breakdown
    assert work.breakdown.exception == "ZeroDivisionError"
    assert work.breakdown.message == "division by zero"
    assert work.breakdown.frames[-1][1] == "test_spans_of_the_sdk_arrive_with_their_exception"
    # The same span as OTLP/JSON, with hexadecimal ids, is the same span.
    again = {"name": "fine", "traceId": f"{identity.trace_id:032X}", "spanId": f"{identity.span_id:016x}"}
    request = {"resourceSpans": [{"scopeSpans": [{"spans": [{**again, "startTimeUnixNano": _start_of(fine)}]}]}]}
    receiver = Receiver(tmp_path / ".whet", SourcesPolicy())
    assert receiver.receive("/v1/traces", JSON, json.dumps(request).encode())[0] == 200
    assert len(stored(tmp_path, EventKind.SPAN)) == 2


def _start_of(event: ReportedEvent) -> str:
    return str(round(event.at.timestamp() * 1e9))


def test_log_records_of_the_sdk_arrive_by_severity(served: Served, tmp_path: Path) -> None:
    from opentelemetry._logs import LogRecord, SeverityNumber
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor

    provider = LoggerProvider()
    provider.add_log_record_processor(SimpleLogRecordProcessor(OTLPLogExporter(endpoint=f"{served.url}/v1/logs")))
    logger = provider.get_logger("shop")
    for number, severity in enumerate((SeverityNumber.INFO, SeverityNumber.ERROR)):
        logger.emit(LogRecord(timestamp=int(NOW * 1e9) + number, severity_number=severity, body=f"card {number}"))
    provider.shutdown()
    info, error = stored(tmp_path, EventKind.LOG)
    assert (info.failed, error.failed) == (False, True)
    assert error.breakdown
    assert error.breakdown.message == "card 1"
    assert error.signature


def test_metrics_of_the_sdk_arrive_with_their_values(served: Served, tmp_path: Path) -> None:
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader

    exporter = OTLPMetricExporter(endpoint=f"{served.url}/v1/metrics")
    provider = MeterProvider([PeriodicExportingMetricReader(exporter, export_interval_millis=1e9)])
    meter = provider.get_meter("m")
    meter.create_counter("orders").add(3, {"shop": "a"})
    histogram = meter.create_histogram("wait")
    histogram.record(1.0)
    histogram.record(3.0)
    meter.create_gauge("load").set(0.5)
    provider.shutdown()
    values = {event.subject: event.value for event in stored(tmp_path, EventKind.METRIC)}
    assert values == {"orders{shop=a}": 3.0, "wait": 2.0, "load": 0.5}


def span(number: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "traceId": "ab" * 16,
        "spanId": f"{number:016x}",
        "name": "work",
        "startTimeUnixNano": str(int(NOW * 1e9)),
        **more,
    }


def request(*spans: object) -> bytes:
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}).encode()


def test_a_repeated_request_is_answered_alike_and_stored_once(receiver: Receiver, tmp_path: Path) -> None:
    for _ in range(3):
        assert receiver.receive("/v1/traces", JSON, request(span(1), span(2)))[0] == 200
    assert len(stored(tmp_path, EventKind.SPAN)) == 2


def test_records_that_cannot_be_used_are_reported_to_the_sender(receiver: Receiver) -> None:
    old = span(3, startTimeUnixNano="1")
    status, _, body = receiver.receive("/v1/traces", JSON, request(span(1), {"name": "no time"}, old))
    assert status == 200
    assert json.loads(body)["partialSuccess"]["rejectedSpans"] == "2"


BOMB = gzip.compress(b" " * (65 * MB))


@pytest.mark.parametrize(
    ("path", "headers", "body", "status"),
    [
        ("/v1/traces", JSON, b"{", 400),
        ("/v1/traces", JSON, b"[" * 100_000, 400),
        ("/v1/traces", JSON, b"[]", 400),
        ("/v1/traces", JSON, b'{"resourceSpans": 1}', 200),
        ("/v1/traces", JSON, b'{"resourceSpans": [1, {"scopeSpans": [{"spans": [{"attributes": 3}]}]}]}', 200),
        ("/v1/traces", PROTOBUF, b"\xff\xff\xff", 400),
        ("/v1/logs", PROTOBUF, b"", 200),
        ("/v1/traces", {"Content-Type": "text/plain"}, b"", 415),
        ("/v1/traces", {}, b"", 415),
        ("/v1/traces", {**JSON, "Content-Encoding": "br"}, b"", 415),
        ("/v1/traces", {**JSON, "content-encoding": "gzip"}, b"no gzip", 400),
        ("/v1/traces", {**JSON, "content-encoding": "gzip"}, gzip.compress(b"{}" * 100)[:20], 400),
        ("/v1/traces", {**JSON, "content-encoding": "gzip"}, BOMB, 413),
        ("/v1/traces", JSON, b" " * (LARGEST_BODY + 1), 413),
        ("/v1/other", JSON, b"{}", 404),
    ],
    ids=range(15),
)
def test_a_request_is_refused_as_the_protocol_asks(
    receiver: Receiver, path: str, headers: dict[str, str], body: bytes, status: int
) -> None:
    answered, answer_headers, answer = receiver.receive(path, headers, body)
    assert answered == status
    if status != 200:
        if headers == PROTOBUF:
            assert answer[:1] == b"\x12"
            assert answer_headers["content-type"] == "application/x-protobuf"
        else:
            assert json.loads(answer)["message"]


def test_a_store_that_cannot_be_written_asks_the_sender_to_try_again(tmp_path: Path) -> None:
    (tmp_path / ".whet").write_text("a file where the folder should be")
    status, headers, _ = Receiver(tmp_path / ".whet", SourcesPolicy()).receive("/v1/traces", JSON, request(span()))
    assert (status, headers["retry-after"]) == (503, "5")


def test_a_store_that_was_deleted_is_begun_anew_by_the_receiver_that_had_it_open(
    receiver: Receiver, tmp_path: Path
) -> None:
    assert receiver.receive("/v1/traces", JSON, request(span(1)))[0] == 200
    for file in (tmp_path / ".whet").glob("events.sqlite*"):
        file.unlink()
    assert receiver.receive("/v1/traces", JSON, request(span(2), span(3)))[0] == 200
    assert len(stored(tmp_path, EventKind.SPAN)) == 2


def test_a_link_in_place_of_the_open_store_is_refused_and_nothing_is_written_behind_it(
    receiver: Receiver, tmp_path: Path
) -> None:
    assert receiver.receive("/v1/traces", JSON, request(span(1)))[0] == 200
    for file in (tmp_path / ".whet").glob("events.sqlite*"):
        file.unlink()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"")
    (tmp_path / ".whet/events.sqlite").symlink_to(elsewhere)
    assert receiver.receive("/v1/traces", JSON, request(span(2)))[0] == 503
    assert elsewhere.read_bytes() == b""


def test_several_senders_at_once_lose_nothing(served: Served, tmp_path: Path) -> None:
    import urllib.request

    def send(first: int) -> None:
        for number in range(first, first + 20):
            body = gzip.compress(request(*(span(number * 10 + each) for each in range(10))))
            headers = {**JSON, "Content-Encoding": "gzip"}
            urllib.request.urlopen(urllib.request.Request(f"{served.url}/v1/traces", body, headers), timeout=60).close()

    threads = [threading.Thread(target=send, args=(first,)) for first in (0, 20, 40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stored(tmp_path, EventKind.SPAN)) == 600
