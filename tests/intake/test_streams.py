"""Traces and structured logs of common tools become events; broken lines are counted, and never stop a look."""

import io
import resource
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.intake.streams import NOW, Streams, stack_of_a_failure
from whet.config import SourcesPolicy
from whet.domain.reported_event import EventKind
from whet.intake.fields import FieldMap, time_of
from whet.store.events import Events

TRACE = stack_of_a_failure()
ISO = datetime.fromtimestamp(NOW, UTC).isoformat()
END = datetime.fromtimestamp(NOW + 0.5, UTC).isoformat()
RAISED = {"exception.type": "ZeroDivisionError", "exception.message": "division by zero", "exception.stacktrace": TRACE}
SHAPES: dict[str, dict[str, Any]] = {
    "whet": {
        "at": NOW, "name": "work", "status": "error", "seconds": 0.5,
        "error": {"type": "ZeroDivisionError", "message": "division by zero", "stack": TRACE},
    },
    "langsmith": {
        "id": "r1", "name": "work", "run_type": "tool", "start_time": ISO, "end_time": END, "status": "error",
        "error": f"ZeroDivisionError('division by zero'){TRACE}",
    },
    "langfuse": {
        "id": "o1", "type": "SPAN", "name": "work", "startTime": ISO, "endTime": END, "level": "ERROR",
        "statusMessage": "division by zero", "metadata": {}, "exception": {"type": "ZeroDivisionError"}, "traceback": TRACE,
    },
    "openinference": {
        "name": "work", "span_kind": "TOOL", "start_time": ISO, "end_time": END, "status_code": "ERROR",
        "context.span_id": "a1", "events": [{"name": "exception", "timestamp": ISO, "attributes": RAISED}],
    },
    "weave": {
        "id": "c1", "op_name": "work", "started_at": ISO, "ended_at": END, "exception": TRACE,
    },
    "otlp": {
        "resourceSpans": [{"scopeSpans": [{"spans": [{
            "traceId": "5b8efff798038103d269b633813fc60c", "spanId": "eee19b7ec3c1b174", "name": "work",
            "startTimeUnixNano": str(int(NOW * 1e9)), "endTimeUnixNano": str(int(NOW * 1e9) + 500_000_000),
            "status": {"code": 2},
            "events": [{"name": "exception", "attributes": [
                {"key": key, "value": {"stringValue": value}} for key, value in RAISED.items()
            ]}],
        }]}]}],
    },
}  # fmt: skip


@pytest.fixture
def streams(tmp_path: Path) -> Streams:
    return Streams(tmp_path)


@pytest.mark.parametrize("tool", SHAPES)
def test_a_failed_operation_is_read_from_the_shape_of(tool: str, streams: Streams) -> None:
    streams.write(SHAPES[tool])
    assert streams.look() == ()
    event = streams.event
    assert (event.kind, event.subject, event.failed) == (EventKind.SPAN, "work", True)
    assert event.seconds == pytest.approx(0.5, abs=0.001)
    assert event.breakdown
    assert event.breakdown.exception == "ZeroDivisionError"
    assert event.breakdown.message == "division by zero"
    assert [function for _, function, _ in event.breakdown.frames] == ["stack_of_a_failure", "_divide"]


def test_one_failure_has_one_signature_in_every_shape(streams: Streams) -> None:
    streams.write(*SHAPES.values())
    streams.look()
    assert len({event.signature for event in streams.events}) == 1
    assert streams.events[0].signature.startswith("v1-")


def test_spans_that_the_opentelemetry_sdk_prints_are_read(streams: Streams) -> None:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor

    out = io.StringIO()
    provider = TracerProvider()
    exporter = ConsoleSpanExporter(out=out, formatter=lambda span: span.to_json(indent=None) + "\n")
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("t")
    with tracer.start_as_current_span("fine"):
        pass
    with pytest.raises(ZeroDivisionError), tracer.start_as_current_span("work"):
        raise ZeroDivisionError("division by zero")
    provider.shutdown()
    streams.write(*out.getvalue().encode().splitlines())
    assert streams.look() == ()
    fine, work = sorted(streams.events, key=lambda event: event.subject)
    assert not fine.failed
    assert work.failed
    assert work.breakdown
    assert work.breakdown.exception == "ZeroDivisionError"


def test_structured_logs_are_grouped_by_the_template_of_their_message(streams: Streams) -> None:
    for number in range(5):
        streams.write(
            {"timestamp": ISO, "level": "ERROR", "logger": "pay", "event": f"card {number} declined by 10.0.0.{number}"}
        )
    streams.write({"timestamp": ISO, "level": "ERROR", "logger": "pay", "event": "no connection to the bank"})
    streams.write({"timestamp": ISO, "level": "INFO", "logger": "pay", "event": "card 1 accepted"})
    streams.look()
    failures = [event.signature for event in streams.events if event.failed]
    assert len(failures) == 6
    assert len(set(failures)) == 2


def test_the_signature_of_a_message_stays_when_its_template_is_learned_later(streams: Streams) -> None:
    def log(text: str) -> None:
        streams.write({"at": NOW, "level": "error", "message": text, "id": text})
        streams.look()

    for name in ("alice", "bob", "carol"):
        log(f"the user {name} has no account in the shop")
    assert len({event.signature for event in streams.events}) == 1


def test_a_fingerprint_of_the_sender_decides_before_anything_else(streams: Streams) -> None:
    streams.write({**SHAPES["whet"], "fingerprint": "mine"})
    streams.write({"at": NOW, "status": "error", "message": "something else", "fingerprint": "mine"})
    streams.look()
    assert len({event.signature for event in streams.events}) == 1


def test_a_stream_is_read_by_the_field_names_of_its_mapping(streams: Streams) -> None:
    names: dict[str, Any] = dict.fromkeys(set(FieldMap.__dataclass_fields__) - {"failing"}, ())
    names |= {"at": ("ts",), "name": ("op.name",), "failed": ("outcome",), "milliseconds": ("ms",), "value": ("load",)}
    fields = FieldMap(**names, failing=frozenset({"KO"}))
    streams.write({"ts": NOW * 1000, "op": {"name": "pay"}, "outcome": "KO", "ms": 250})
    streams.write({"ts": NOW, "op": {"name": "pay"}, "outcome": "OK", "load": 0.5})
    assert streams.look(fields) == ()
    metric, pay = sorted(streams.events, key=lambda event: event.kind.value)
    assert (pay.subject, pay.failed, pay.seconds) == ("pay", True, 0.25)
    assert (metric.kind, metric.value, metric.failed) == (EventKind.METRIC, 0.5, False)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"{\xff\x00nonsense", "not UTF-8"),
        ('{"at": 1, "name": "ä"}'.encode("latin-1"), "not UTF-8"),
        (b"{", "not JSON"),
        (b'{"at": NaN}', "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"at": ' + b"9" * 5_000 + b"}", "not JSON"),
        (b'"text"', "not a JSON object"),
        (b"{}", "no time that can be read"),
        (b'{"at": "yesterday"}', "no time that can be read"),
        (b'{"at": 1e300}', "no time that can be read"),
        (b'{"at": true}', "no time that can be read"),
        (b'{"resourceSpans": [{"scopeSpans": [{"spans": [{"name": "x"}]}]}]}', "no time, or no single value"),
    ],
)
def test_a_broken_line_is_counted_and_the_next_one_is_read(streams: Streams, line: bytes, why: str) -> None:
    streams.write(line, {"at": NOW, "name": "fine"}, name="b.jsonl")
    streams.write({"at": NOW, "name": "fine"}, name="a.jsonl")
    [sentence] = streams.look()
    assert sentence.endswith(why)
    assert "b.jsonl: 1 " in sentence
    assert streams.event.subject == "fine"


def test_a_repeated_record_counts_once(streams: Streams) -> None:
    streams.write(SHAPES["otlp"], SHAPES["otlp"], SHAPES["whet"], SHAPES["whet"])
    streams.write(SHAPES["otlp"], name="rotated.jsonl")
    streams.look()
    assert len(streams.events) == 2


def test_a_time_in_the_future_counts_as_now_and_an_old_one_not_at_all(streams: Streams) -> None:
    streams.write({"at": NOW + 86_400, "name": "skewed"}, {"at": NOW - 8 * 86_400, "name": "old"})
    sentences = streams.look()
    assert len(sentences) == 2
    assert streams.event.subject == "skewed"
    assert streams.event.at < datetime.now(UTC) + timedelta(seconds=1)


def test_the_store_keeps_no_more_events_than_it_may(streams: Streams) -> None:
    streams.write(*({"at": NOW, "name": "work", "id": number} for number in range(1500)))
    [sentence] = streams.look(policy=SourcesPolicy(most_events=1000))
    assert sentence.startswith("500 events skipped: the store is full")
    assert len(streams.events) == 1000


def test_secrets_in_messages_inputs_and_names_do_not_reach_the_store(streams: Streams) -> None:
    token = "ghp_" + "a1B2" * 9
    streams.write(
        {
            "at": NOW,
            "name": token,
            "status": "error",
            "message": f"bad {token}",
            "input": {"t": token},
            "error": {"stack": TRACE.replace("_divide", token)},
        }
    )
    streams.look()
    assert streams.event.breakdown
    content = b"".join(path.read_bytes() for path in streams.state.glob("events*"))
    assert token.encode() not in content


def test_a_look_that_died_before_it_saved_how_far_it_read_counts_nothing_twice(streams: Streams) -> None:
    streams.write(SHAPES["whet"], SHAPES["otlp"])
    streams.look()
    streams.write({"at": NOW, "name": "next"})
    store = Events(streams.state)
    store.move_cursor("traces", "a.jsonl", type(store.cursor("traces", "a.jsonl"))())
    streams.look()
    assert len(streams.events) == 3


def test_numbers_are_seconds_or_fractions_of_a_second_by_their_size() -> None:
    expected = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    seconds = expected.timestamp()
    for value in (seconds, seconds * 1e3, int(seconds) * 10**6, str(int(seconds) * 10**9), expected.isoformat()):
        assert time_of(value) == expected
    assert time_of("2026-01-02T03:04:05Z") == expected


def test_hostile_keys_and_texts_are_not_kept_in_memory(streams: Streams) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in range(60):
        streams.write(
            {"at": NOW, "status": "error", f"{number}" + "k" * 400_000: 1, "message": f"{number}" + "m" * 400_000}
        )
    streams.look()
    assert len(streams.events) == 60
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 40 * 1024  # in kB
