"""A ledger in memory over the real one, for runs that record nothing."""

from datetime import datetime
from typing import Any

from whet.ledger.entry import Entry, Head, next_entry
from whet.ledger.ledger import Ledger


class ScratchLedger(Ledger):
    """Reads the real ledger and its own entries; appends only to its own, which end with the process."""

    def __init__(self, real: Ledger) -> None:
        self._real = real
        self._own: list[Entry] = []

    def append(self, phase: str, noun: Any, *, subject: str, key: str, actor: str = "whet", kind: str = "") -> Entry:
        if known := self.find(key):
            return known
        entry = next_entry(self.head(), phase, noun, subject=subject, key=key, actor=actor, kind=kind)
        self._own.append(entry)
        return entry

    def publish(self, note: str = "") -> str:
        return ""

    def head(self) -> Head:
        return Head(self._own[-1].seq, self._own[-1].hash) if self._own else self._real.head()

    def entries(
        self,
        *,
        phase: str = "",
        kind: str = "",
        subject: str = "",
        after: int = 0,
        since: datetime | None = None,
        most: int | None = None,
    ) -> list[Entry]:
        recorded = self._real.entries(phase=phase, kind=kind, subject=subject, after=after, since=since)
        own = [
            entry
            for entry in self._own
            if entry.seq > after
            and (not phase or entry.phase == phase)
            and (not kind or entry.kind == kind)
            and (not subject or entry.subject == subject)
            and (since is None or entry.at >= since)
        ]
        return [*recorded, *own][:most]

    def latest(self, kind: str, *, phase: str = "", subject: str = "") -> Entry | None:
        entries = self.entries(phase=phase, kind=kind, subject=subject)
        return entries[-1] if entries else None

    def find(self, key: str) -> Entry | None:
        return next((entry for entry in self._own if entry.key == key), None) or self._real.find(key)

    def anchor(self) -> Head | None:
        return self._real.anchor()

    def refuse_if_damaged(self) -> None:
        self._real.refuse_if_damaged()
