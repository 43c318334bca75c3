"""Pure rules of time: quiet hours, the daily digest, bursts."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta

from whet.domain.notice import URGENT, Notice, NoticeEvent
from whet.domain.plural import count

_RETRIES = (timedelta(0), timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6))


def is_quiet(hours: str, at: datetime) -> bool:
    """True if a local time is inside quiet hours such as 22:00-07:00. Empty hours are never quiet."""
    if not hours:
        return False
    start, end = (time.fromisoformat(part) for part in hours.split("-"))
    clock = at.time()
    return start <= clock < end if start <= end else clock >= start or clock < end


def sendable(notices: Sequence[Notice], hours: str, at: datetime) -> list[Notice]:
    """Return the notices that may be sent at a local time. Quiet hours delay all but urgent ones."""
    quiet = is_quiet(hours, at)
    return [notice for notice in notices if not quiet or notice.event in URGENT]


def digest_is_due(digest_at: str, last: datetime, at: datetime) -> bool:
    """True if the time of the daily digest has passed since the last one. Both times are local."""
    if not digest_at:
        return False
    due = at.replace(hour=int(digest_at[:2]), minute=int(digest_at[3:]), second=0, microsecond=0)
    return last < (due if due <= at else due - timedelta(days=1))


def fold(notices: Sequence[Notice], burst: int) -> list[tuple[Notice, tuple[str, ...]]]:
    """Return the messages to send, each with the keys that it covers: more than `burst` notices become one message."""
    if len(notices) <= burst:
        return [(notice, (notice.key,)) for notice in notices]
    title = f"whet: {count(len(notices), 'notice')}"
    text = "\n\n".join(f"{notice.title}\n{notice.text}" for notice in notices[:50])
    keys = tuple(notice.key for notice in notices)
    return [(Notice(key="burst", event=NoticeEvent.DIGEST, subject="burst", title=title, text=text), keys)]


def may_retry(failures: int, last: datetime, at: datetime) -> bool:
    """True if a notice that failed so often may be tried again now. It is given up after the fifth failure."""
    return failures < len(_RETRIES) and at >= last + _RETRIES[failures]
