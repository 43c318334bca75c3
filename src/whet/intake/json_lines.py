"""One item of a JSON-lines stream: the object on one line, as an event."""

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from whet.domain.reported_event import Breakdown, EventKind, ReportedEvent
from whet.intake.fields import FieldMap, is_failed, lookup, number_of, time_of
from whet.intake.frames import frames_in
from whet.intake.signature import signature_of
from whet.intake.texts import text_of
from whet.statistics.drain import Drain

_LAST_LINE = re.compile(r"^([A-Za-z_][\w.]{0,200})(?:: (.*))?$")
_REPR = re.compile(r"^([A-Za-z_][\w.]{0,200})\((.*?)\)?(?:Traceback|$)", re.DOTALL)
_LONGEST_INPUTS = 4_000


def parse_line(line: bytes) -> dict[str, Any] | str:
    """Return the object on a line, or why there is none."""
    try:
        item = _DECODER.decode(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return "not UTF-8"
    except (ValueError, RecursionError):
        return "not JSON"
    return item if isinstance(item, dict) else "not a JSON object"


def _no_constant(name: str) -> None:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def event_of_item(
    item: Mapping[str, Any], fields: FieldMap, templates: Drain, line: bytes = b""
) -> ReportedEvent | str:
    """Return the event of an item, or why it has none. `line` is its identity if it has no id."""
    every, fields = fields, fields.within(tuple(item))
    at = time_of(lookup(item, fields.at))
    if at is None:
        return "no time that can be read"
    exception_event = _exception_event(item)
    seconds = _seconds(item, fields, at)
    failed = bool(exception_event) or _is_failed(item, fields)
    breakdown = _breakdown({**_flat(item), **exception_event}, item, every) if failed else None
    value = number_of(lookup(item, fields.value))
    name = text_of(lookup(item, fields.name)) or "unnamed"
    kind = EventKind.METRIC if value is not None else EventKind.SPAN if seconds is not None else EventKind.LOG
    identity = lookup(item, fields.id)
    return ReportedEvent(
        kind=kind,
        subject=name,
        at=at,
        identity=f"{identity}\0{at.timestamp()}" if identity is not None else hashlib.sha256(line).hexdigest(),
        failed=failed,
        seconds=seconds,
        value=value,
        breakdown=breakdown,
        signature=signature_of(breakdown, templates) if breakdown else "",
    )


def _is_failed(item: Mapping[str, Any], fields: FieldMap) -> bool:
    """True if the status or the level means failure, or if an error is given."""
    statuses = [value for name in fields.failed if (value := lookup(item, (name,))) is not None]
    plain = [value for value in statuses if not isinstance(value, dict)]
    given = lookup(item, fields.stack) or lookup(item, fields.exception)
    return any(is_failed(value, fields.failing) for value in plain) or bool(given)


def _seconds(item: Mapping[str, Any], fields: FieldMap, at: datetime) -> float | None:
    seconds = number_of(lookup(item, fields.seconds))
    if seconds is None and (milliseconds := number_of(lookup(item, fields.milliseconds))) is not None:
        seconds = milliseconds / 1000
    if seconds is None and (end := time_of(lookup(item, fields.end))) is not None:
        seconds = (end - at).total_seconds()
    return seconds if seconds is not None and 0 <= seconds < 1e9 else None


def _exception_event(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of the last exception that a span reports as an event; empty if it reports none."""
    events = item.get("events")
    for event in reversed(events if isinstance(events, list) else []):
        if isinstance(event, dict) and event.get("name") == "exception":
            attributes = event.get("attributes")
            return attributes if isinstance(attributes, dict) else {}
    return {}


def _flat(item: Mapping[str, Any]) -> dict[str, Any]:
    attributes = item.get("attributes")
    return {**item, **attributes} if isinstance(attributes, dict) else dict(item)


def _breakdown(error: Mapping[str, Any], item: Mapping[str, Any], fields: FieldMap) -> Breakdown:
    stack = lookup(error, fields.stack)
    trace = stack if isinstance(stack, str) else ""
    exception, message = lookup(error, fields.exception), lookup(error, fields.message)
    raised, said = _raised(trace)
    inputs = lookup(item, fields.inputs)
    return Breakdown(
        exception=text_of(exception or raised).removeprefix("builtins."),
        message=text_of((said if raised and not exception else None) or message or said),
        frames=tuple((text_of(file), text_of(function), line) for file, function, line in frames_in(trace)),
        fingerprint=text_of(lookup(item, fields.fingerprint)),
        inputs=text_of(json.dumps(inputs)[:_LONGEST_INPUTS]) if isinstance(inputs, dict | list) else "",
    )


def _raised(trace: str) -> tuple[str, str]:
    """Return the exception and its message, from the last line of a traceback or from a `repr` of the exception."""
    if not trace:
        return "", ""
    if match := _LAST_LINE.match(trace[-2000:].strip().rpartition("\n")[2]):
        return match[1], match[2] or ""
    match = _REPR.match(trace[:2000])
    return (match[1], match[2].strip("'\"")) if match else ("", trace[:2000])
