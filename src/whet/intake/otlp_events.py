"""The objects of an OTLP export request (traces, logs, metrics) as events.

They come in the JSON form of the protocol: as JSON, or from protobuf through `otlp_protobuf`. Ids are used only to recognise a
repeated delivery.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from whet.domain.reported_event import Breakdown, EventKind, ReportedEvent
from whet.intake.fields import number_of, time_of
from whet.intake.frames import frames_in
from whet.intake.signature import signature_of
from whet.intake.skips import Skips
from whet.intake.texts import text_of
from whet.statistics.drain import Drain
from whet.store.events import COUNTER

_SIGNALS = {
    "resourceSpans": ("scopeSpans", "spans"),
    "resourceLogs": ("scopeLogs", "logRecords"),
    "resourceMetrics": ("scopeMetrics", "metrics"),
}
_ERROR_SEVERITY = 17
_MOST_VALUES = 200
Object = Mapping[str, Any]


def is_otlp(item: Object) -> bool:
    """True if the object is an export request of OTLP."""
    return any(name in item for name in _SIGNALS)


def otlp_events(request: Object, templates: Drain, skips: Skips, place: str = "") -> Iterator[ReportedEvent]:
    """Yield the events of an export request. Count what has no time, or a form that gives no single value."""
    readers = {"spans": _span, "logRecords": _log, "metrics": _metric}
    for signal, (scopes, items) in _SIGNALS.items():
        for resource in _objects(request.get(signal)):
            service = _attributes(_object(resource.get("resource"))).get("service.name", "")
            for scope in _objects(resource.get(scopes)):
                for item in _objects(scope.get(items)):
                    for event in readers[items](item, text_of(service), templates):
                        if event is None:
                            skips.add(place, "item", "no time, or no single value")
                        else:
                            yield event


def _span(span: Object, service: str, templates: Drain) -> Iterator[ReportedEvent | None]:
    at, end = time_of(span.get("startTimeUnixNano")), time_of(span.get("endTimeUnixNano"))
    if at is None:
        yield None
        return
    status = _object(span.get("status"))
    failed = status.get("code") in (2, "2", "STATUS_CODE_ERROR")
    raised = [_attributes(event) for event in _objects(span.get("events")) if event.get("name") == "exception"]
    attributes = {**_attributes(span), **(raised[-1] if raised else {})}
    breakdown = _breakdown(attributes, status.get("message")) if failed else None
    yield ReportedEvent(
        kind=EventKind.SPAN,
        subject=text_of(span.get("name")) or "unnamed",
        at=at,
        identity=_span_identity(span),
        failed=failed,
        seconds=max(0.0, (end - at).total_seconds()) if end else None,
        breakdown=breakdown,
        signature=signature_of(breakdown, templates) if breakdown else "",
        detail=service,
    )


def _span_identity(span: Object) -> str:
    trace, identity = span.get("traceId"), span.get("spanId")
    ids = f"{trace}\0{identity}".lower()  # hexadecimal digits may be written in either case
    return ids if trace and identity else f"{ids}\0{span.get('name')}\0{span.get('startTimeUnixNano')}"


def _log(item: Object, service: str, templates: Drain) -> Iterator[ReportedEvent | None]:
    stamp = item.get("timeUnixNano") or item.get("observedTimeUnixNano")
    at = time_of(stamp) if stamp not in (None, "0", 0) else None
    if at is None:
        yield None
        return
    attributes = _attributes(item)
    severity = item.get("severityNumber")
    name = str(severity)
    failed = (severity >= _ERROR_SEVERITY if isinstance(severity, int) else "ERROR" in name or "FATAL" in name) or bool(
        attributes.get("exception.type")
    )
    body = _any_value(_object(item.get("body")))
    breakdown = _breakdown(attributes, body) if failed else None
    yield ReportedEvent(
        kind=EventKind.LOG,
        subject=text_of(attributes.get("code.function") or item.get("eventName") or service or "log"),
        at=at,
        identity=f"{stamp}\0{item.get('spanId')}\0{body}",
        failed=failed,
        breakdown=breakdown,
        signature=signature_of(breakdown, templates) if breakdown else "",
        detail=service,
    )


def _metric(metric: Object, service: str, templates: Drain) -> Iterator[ReportedEvent | None]:
    """Yield an event per data point: the value of a gauge or a sum, the mean of a histogram."""
    del templates
    for form in ("gauge", "sum", "histogram", "exponentialHistogram", "summary"):
        for point in _objects(_object(metric.get(form)).get("dataPoints")):
            at, value = time_of(point.get("timeUnixNano")), _point_value(point)
            if at is None or value is None:
                yield None
                continue
            labels = ",".join(f"{key}={text}" for key, text in sorted(_attributes(point).items()))
            name = text_of(metric.get("name")) or "unnamed"
            yield ReportedEvent(
                kind=EventKind.METRIC,
                subject=text_of(f"{name}{{{labels}}}" if labels else name),
                at=at,
                identity=f"{service}\0{name}\0{labels}\0{point.get('timeUnixNano')}",
                value=value,
                detail=COUNTER if _is_counter(_object(metric.get(form))) else service,
            )


def _is_counter(data: Object) -> bool:
    cumulative = data.get("aggregationTemporality") in (2, "2", "AGGREGATION_TEMPORALITY_CUMULATIVE")
    return cumulative and data.get("isMonotonic") is True


def _point_value(point: Object) -> float | None:
    for name in ("asDouble", "asInt"):
        if name in point:
            return number_of(point[name])
    total, number = number_of(point.get("sum")), number_of(point.get("count"))
    return total / number if total is not None and number else None


def _breakdown(attributes: Mapping[str, str], message: object) -> Breakdown:
    trace = attributes.get("exception.stacktrace", "")
    return Breakdown(
        exception=text_of(attributes.get("exception.type", "")).removeprefix("builtins."),
        message=text_of(attributes.get("exception.message") or message),
        frames=tuple((text_of(file), text_of(function), line) for file, function, line in frames_in(trace)),
        fingerprint=text_of(attributes.get("fingerprint") or attributes.get("exception.fingerprint")),
    )


def _attributes(holder: Object) -> dict[str, str]:
    """Return the attributes as text by key."""
    pairs = ((str(each.get("key", "")), _object(each.get("value"))) for each in _objects(holder.get("attributes")))
    return {key: _any_value(value) for key, value in pairs}


def _any_value(value: Object) -> str:
    for name, member in value.items():
        if name in ("arrayValue", "kvlistValue"):
            return str([_any_value(_object(item)) for item in _objects(_object(member).get("values"))[:_MOST_VALUES]])
        return str(member)
    return ""


def _object(value: Any) -> Object:
    return value if isinstance(value, dict) else {}


def _objects(value: Any) -> list[Object]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
