"""JUnit XML of a CI run as events: one per test and run."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from whet.domain.reported_event import Breakdown, EventKind, ReportedEvent
from whet.intake.frames import frames_in
from whet.intake.look import modified_at
from whet.intake.skips import Skips
from whet.intake.texts import safe_text
from whet.intake.watched_files import WatchedFile
from whet.intake.xml import parse_xml

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MOST_TESTS = 100_000
_RED = ("failure", "error")


def junit_events(content: bytes, file: WatchedFile, skips: Skips) -> Iterator[ReportedEvent]:
    """Yield an event per test that ran. Skipped tests are left out: they say nothing about the code."""
    root = parse_xml(content)
    if root is None:
        skips.add(file.name, "file", "it is not well-formed XML, or it has a document type, which is refused")
        return
    suites = [root] if root.tag == "testsuite" else root.findall("testsuite")
    if not suites:
        skips.add(file.name, "file", "it has no <testsuite>: it is not JUnit XML")
    yielded = 0
    for suite in suites:
        at, run = _time_of(suite, content, file)
        names: Counter[str] = Counter()
        for case in suite.iter("testcase"):
            if case.find("skipped") is not None:
                continue
            if (yielded := yielded + 1) > _MOST_TESTS:
                skips.add(file.name, "test", f"a file may have {_MOST_TESTS:,}")
                continue
            name = _name(case)
            names[name] += 1
            yield _event(case, name, at, f"{run}\0{name}\0{names[name]}")


def _name(case: "Element") -> str:
    return safe_text(f"{case.get('classname', '')}::{case.get('name', '')}")


def _time_of(suite: "Element", content: bytes, file: WatchedFile) -> tuple[datetime, str]:
    """Return the time of a run and its identity: the same run in two files is one run."""
    text = suite.get("timestamp", "")
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return modified_at(file), hashlib.sha256(content).hexdigest()
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return at.astimezone(UTC), f"{text}\0{suite.get('hostname', '')}\0{suite.get('name', '')}"


def _event(case: "Element", name: str, at: datetime, identity: str) -> ReportedEvent:
    red = next((child for tag in _RED if (child := case.find(tag)) is not None), None)
    return ReportedEvent(
        kind=EventKind.TEST,
        subject=name,
        at=at,
        identity=identity,
        failed=red is not None,
        seconds=_seconds(case.get("time", "")),
        breakdown=None if red is None else _breakdown(red),
    )


def _breakdown(red: "Element") -> Breakdown:
    exception = red.get("type", "")
    message = red.get("message", "") or (red.text or "").strip()
    head, _, rest = message.partition(": ")
    if not exception and rest and head.replace(".", "").isidentifier():
        exception, message = head, rest
    return Breakdown(exception=safe_text(exception), message=safe_text(message), frames=frames_in(red.text or ""))


def _seconds(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None
