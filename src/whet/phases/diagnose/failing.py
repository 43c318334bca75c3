"""Failing tests as findings: ids of one test function together, and crashes at one place together."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.finding import Finding, FindingKind
from whet.domain.signal import Signal


def findings(signals: Sequence[Signal], wanted: Sequence[str], is_test: Callable[[str], bool]) -> list[Finding]:
    groups: dict[tuple[str, ...], list[Signal]] = defaultdict(list)
    for signal in signals:
        groups[_group(signal, is_test)].append(signal)
    return [_finding(group, members, wanted, is_test) for group, members in groups.items()]


def together(signals: Sequence[Signal], is_test: Callable[[str], bool]) -> Finding:
    """One finding of tests that somebody names as one."""
    return _finding(("named", *sorted(signal.subject for signal in signals)), signals, (), is_test)


def _group(signal: Signal, is_test: Callable[[str], bool]) -> tuple[str, ...]:
    failure = _failure(signal)
    crash = _crash_site(failure, is_test)
    if crash:
        return ("crash", *crash, str(failure["exception"]))
    if _from_outside(failure, is_test):
        return ("outside", str(failure["exception"]), _first_line(failure))
    return ("test", signal.subject.partition("[")[0], str(failure.get("exception", "")))


def _crash_site(failure: dict[str, Any], is_test: Callable[[str], bool]) -> tuple[str, str] | None:
    """The innermost frame, when it lies in the project and not in a test: many tests, one crash."""
    frames = failure.get("frames") or []
    if not frames or is_test(str(frames[-1][0])):
        return None
    return str(frames[-1][0]), str(frames[-1][2])


def _from_outside(failure: dict[str, Any], is_test: Callable[[str], bool]) -> bool:
    """An exception that no line of the project took part in: most likely something this machine lacks."""
    if str(failure.get("exception", "")) in ("", "AssertionError", "Failed"):
        return False
    return all(is_test(str(frame[0])) for frame in failure.get("frames") or [])


def _first_line(failure: dict[str, Any]) -> str:
    return next(iter(str(failure.get("message", "")).splitlines()), "")[:160]


def _failure(signal: Signal) -> dict[str, Any]:
    found = signal.payload.get("failure")
    return found if isinstance(found, dict) else {}


def _finding(
    group: tuple[str, ...], signals: Sequence[Signal], wanted: Sequence[str], is_test: Callable[[str], bool]
) -> Finding:
    failure = _failure(signals[0])
    exception = str(failure.get("exception") or "failure")
    message = _first_line(failure)
    paths = tuple(dict.fromkeys(str(frame[0]) for frame in failure.get("frames", []) if not is_test(str(frame[0]))))
    subjects = tuple(signal.subject for signal in signals)
    reasons = [f"{len(subjects)} failing test{'s' if len(subjects) > 1 else ''}: reproducible at will"]
    score = 0.8 + min(0.15, 0.05 * (len(subjects) - 1))
    if group[0] == "outside":
        score, reasons = 0.35, [*reasons, "no line of the project takes part: perhaps this machine lacks something"]
    if any(path in wanted for path in paths):
        score, reasons = score + 0.05, [*reasons, "someone asked for an improvement there"]
    where = f"{group[1]} in {group[2]}" if group[0] == "crash" else subjects[0].partition("[")[0]
    signature = digest(list(group))[:16]
    return Finding(
        id=f"f-{signature[:8]}",
        kind=FindingKind.FAILING_TEST,
        signature=signature,
        title=f"{where}: {exception}" + (f": {message}" if message else ""),
        category=Category.BUG_FIX,
        subjects=subjects,
        paths=paths,
        signals=tuple(signals),
        score=round(score, 3),
        reasons=tuple(reasons),
    )
