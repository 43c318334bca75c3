"""SARIF 2.1.0 of any static analyser as events: one per result."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote, urlsplit

from whet.domain.reported_event import EventKind, ReportedEvent
from whet.intake.look import modified_at
from whet.intake.skips import Skips
from whet.intake.texts import safe_text
from whet.intake.watched_files import WatchedFile

_MOST_RESULTS = 20_000
_LEVELS = ("error", "warning", "note", "none")


def sarif_events(content: bytes, file: WatchedFile, skips: Skips) -> Iterator[ReportedEvent]:
    """Yield an event per result that is not suppressed. `detail` has the tool, the level, the file and the line."""
    try:
        document = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        skips.add(file.name, "file", "it is not JSON in UTF-8")
        return
    runs = document.get("runs") if isinstance(document, dict) else None
    if not isinstance(runs, list) or not str(document.get("version", "")).startswith("2.1"):
        skips.add(file.name, "file", "it is not SARIF 2.1")
        return
    number = 0
    for run in filter(_is_object, runs):
        at = _ended_at(run) or modified_at(file)
        for result in filter(_is_object, _list(run.get("results"))):
            if _list(result.get("suppressions")):
                skips.add(file.name, "result", "suppressed in the report")
            elif (number := number + 1) > _MOST_RESULTS:
                skips.add(file.name, "result", f"a file may have {_MOST_RESULTS:,}")
            else:
                yield _event(run, result, at, f"{file.name}\0{number}")


def _event(run: Mapping[str, Any], result: Mapping[str, Any], at: datetime, identity: str) -> ReportedEvent:
    driver = _object(_object(run.get("tool")).get("driver"))
    rule, default = _rule(driver, result)
    level = str(result.get("level") or default)
    place = _place(run, result)
    detail = {
        "tool": safe_text(str(driver.get("name") or "an analyser")),
        "level": level if level in _LEVELS else "warning",
        "message": safe_text(_message(result)),
        **place,
    }
    return ReportedEvent(
        kind=EventKind.RESULT, subject=safe_text(rule), at=at, identity=identity, failed=True, detail=json.dumps(detail)
    )


def _rule(driver: Mapping[str, Any], result: Mapping[str, Any]) -> tuple[str, str]:
    """Return the id of a result's rule, and the level that the rule has by default."""
    rules = [_object(rule) for rule in _list(driver.get("rules"))]
    index = result.get("ruleIndex", _object(result.get("rule")).get("index", -1))
    rule = rules[index] if isinstance(index, int) and 0 <= index < len(rules) else {}
    name = result.get("ruleId") or _object(result.get("rule")).get("id") or rule.get("id") or "a rule without a name"
    if not rule:
        rule = next((each for each in rules if each.get("id") == name), {})
    return str(name), str(_object(rule.get("defaultConfiguration")).get("level") or "warning")


def _message(result: Mapping[str, Any]) -> str:
    message = _object(result.get("message"))
    return str(message.get("text") or message.get("markdown") or message.get("id") or "").strip()


def _place(run: Mapping[str, Any], result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the file and the line of the first location. Relative addresses start at the base that the report names for them."""
    locations = _list(result.get("locations"))
    physical = _object(_object(locations[0] if locations else None).get("physicalLocation"))
    artifact = _object(physical.get("artifactLocation"))
    line = _object(physical.get("region")).get("startLine")
    base = _object(_object(run.get("originalUriBaseIds")).get(str(artifact.get("uriBaseId", "")))).get("uri", "")
    uri = str(artifact.get("uri") or "")
    address = uri if urlsplit(uri).scheme else f"{base}{uri}"
    path = unquote(urlsplit(address).path if urlsplit(address).scheme == "file" else address)
    return {"file": safe_text(path.removeprefix("./")), "line": line if isinstance(line, int) and line > 0 else 1}


def _ended_at(run: Mapping[str, Any]) -> datetime | None:
    for invocation in map(_object, _list(run.get("invocations"))):
        try:
            at = datetime.fromisoformat(str(invocation.get("endTimeUtc")))
        except ValueError:
            continue
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    return None


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
