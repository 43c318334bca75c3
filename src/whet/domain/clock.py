"""The one clock: aware, UTC."""

from datetime import UTC, datetime


def now() -> datetime:
    return datetime.now(UTC)
