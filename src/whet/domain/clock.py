"""The one clock of whet. Every time is an aware datetime in UTC."""

from datetime import UTC, datetime


def now() -> datetime:
    return datetime.now(UTC)
