"""Words and numbers as people read them: durations, times, digests."""

import re
from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta

from markupsafe import Markup

from whet.domain.sanitize import sanitize
from whet.domain.verdict import SafeguardResult

_UNITS = (("d", 86_400), ("h", 3_600), ("min", 60))


def duration(seconds: float) -> str:
    """Return a length of time with at most two units: `0.4 s`, `12 s`, `3 min 20 s`, `6 d 21 h`."""
    if seconds < 10:
        return f"{max(seconds, 0):.1f} s"
    rest = round(seconds)
    parts: list[str] = []
    for unit, size in (*_UNITS, ("s", 1)):
        amount, rest = divmod(rest, size)
        if amount or parts:
            parts.append(f"{amount} {unit}" if amount else "")
        if len(parts) == 2:
            break
    return " ".join(filter(None, parts)) or "0 s"


def since(at: datetime, now: datetime) -> str:
    """Return how long ago a time was."""
    gone = (now - at).total_seconds()
    return "just now" if gone < 10 else f"{_first_unit(gone)} ago"


def _first_unit(seconds: float) -> str:
    return next((f"{int(seconds // size)} {unit}" for unit, size in _UNITS if seconds >= size), f"{int(seconds)} s")


def until(at: datetime, now: datetime) -> str:
    """Return how far a time is in the future; `closed` if it has passed."""
    left = at - now
    return f"closes in {duration(left.total_seconds())}" if left > timedelta() else "closed"


def moment(at: datetime) -> str:
    """Return a time in UTC, to the second."""
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


def groups(digest: str, length: int = 12) -> str:
    """Return the beginning of a digest in groups of four, which people can compare."""
    return " ".join(digest[start : start + 4] for start in range(0, min(length, len(digest)), 4))


def sentence(text: str) -> str:
    """Return a clause with a full stop."""
    return f"{text.rstrip('.')}." if text else ""


def safeguards(results: Iterable[SafeguardResult]) -> str:
    """Return how many safeguards have each result: `1 inconclusive, 11 passed, 5 did not apply`."""
    counted = Counter(result.verdict.value if result.verdict else "did not apply" for result in results)
    order = ("failed", "inconclusive", "passed", "did not apply")
    return ", ".join(f"{counted[word]} {word}" for word in order if counted[word])


_QUOTED = re.compile(r"`([^`]+)`")


def code(text: str) -> Markup:
    """Return text as HTML in which a passage between backticks is code. Everything else is escaped as always."""
    parts = _QUOTED.split(sanitize(text))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if index % 2 else part for index, part in enumerate(parts)
    )
