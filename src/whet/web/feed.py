"""New ledger entries for many subscribers, read by one task."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncGenerator
from typing import Any

from starlette.concurrency import run_in_threadpool

from whet.app.views.ledger_row import ledger_line
from whet.ledger.ledger import Ledger

_KEPT = 2000
_PAGE = 500


class Feed:
    """Follows the ledger while somebody subscribes. One query every `poll_seconds` serves all subscribers.

    Each subscriber has a cursor and no queue, so a slow one costs nothing: it reads from the newest lines that are kept,
    or from the ledger if it is further behind.
    """

    def __init__(self, ledger: Ledger, poll_seconds: float) -> None:
        self._ledger, self._poll_seconds = ledger, poll_seconds
        self._lines: deque[dict[str, Any]] = deque(maxlen=_KEPT)
        self._reach = 0
        self._changed: asyncio.Event = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.subscribers = 0

    async def follow(self, after: int) -> AsyncGenerator[dict[str, Any]]:
        """Yield the line of every entry after a sequence number, those of the past first. Never ends."""
        await self._begin()
        try:
            while True:
                changed = self._changed
                for line in await self._after(after):
                    after = line["seq"]
                    yield line
                if after >= self._reach:
                    await changed.wait()
        finally:
            self.subscribers -= 1
            if not self.subscribers and self._task:
                self._task.cancel()
                self._task = None

    async def head(self) -> int:
        """Return the sequence number of the last entry."""
        return (await run_in_threadpool(self._ledger.head)).seq

    async def _begin(self) -> None:
        self.subscribers += 1
        if self._task is None:
            self._lines.clear()
            self._reach = await self.head()
            if self._task is None:
                self._task = asyncio.create_task(self._poll())

    async def _after(self, seq: int) -> list[dict[str, Any]]:
        if self._lines and self._lines[0]["seq"] <= seq + 1:
            return [line for line in self._lines if line["seq"] > seq]
        if seq >= self._reach:
            return []
        entries = await run_in_threadpool(self._ledger.entries, after=seq, most=_PAGE)
        return [ledger_line(entry) for entry in entries]

    async def _poll(self) -> None:
        while True:
            with contextlib.suppress(Exception):  # the store may be locked or restored; the next look tries again
                entries = await run_in_threadpool(self._ledger.entries, after=self._reach, most=_PAGE)
                if entries:
                    self._lines.extend(ledger_line(entry) for entry in entries)
                    self._reach = entries[-1].seq
                    changed, self._changed = self._changed, asyncio.Event()
                    changed.set()
            await asyncio.sleep(self._poll_seconds)
