"""The ledger: append, query and verify entries."""

import contextlib
import fcntl
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select

from whet.domain.canonical import canonical
from whet.domain.clock import now
from whet.errors import Corrupt, DamagedLedger, StateUnusable
from whet.ledger.entry import GENESIS, RESTORE, RESTORE_IT, Entry, Head, link
from whet.store import schema
from whet.store.location import ANCHOR
from whet.store.store import Store

__all__ = ["ANCHOR", "Ledger", "verify"]

_rows = schema.ledger


class Ledger:
    """The ledger of one state folder.

    An append returns after the row and the anchor (a file beside the database that names the last row) are on disk. The
    anchor is written after the row. If it names a row that does not exist, rows were lost, and further appends are
    refused so that they cannot hide the loss.
    """

    def __init__(self, store: Store, folder: Path) -> None:
        self._store = store
        self._anchor = folder / ANCHOR

    def append(self, phase: str, noun: Any, *, subject: str, key: str, actor: str = "whet", kind: str = "") -> Entry:
        """Record a noun under `key`. If the key exists, return its entry unchanged, so that a step that is repeated after
        a crash records once."""
        with self._store.writing() as connection:
            existing = _first(connection, _rows.c.key == key)
            if existing:
                return existing
            self._refuse_a_broken_chain(connection)
            head = _head(connection)
            unhashed = Entry(
                seq=head.seq + 1,
                at=now(),
                phase=phase,
                kind=kind or type(noun).__name__,
                subject=subject,
                key=key,
                actor=actor,
                body=canonical(noun),
                previous=head.hash,
                hash="",
            )
            entry = replace(unhashed, hash=unhashed.computed_hash())
            connection.execute(insert(_rows).values(**{**entry.__dict__, "at": entry.at.isoformat()}))
        self._write_anchor(Head(entry.seq, entry.hash))
        return entry

    def head(self) -> Head:
        """Return the last row; row 0 if the ledger is empty."""
        with self._store.reading() as connection:
            return _head(connection)

    def entries(
        self, *, phase: str = "", kind: str = "", subject: str = "", after: int = 0, since: datetime | None = None
    ) -> list[Entry]:
        """Return entries in ledger order, filtered by every argument that is given."""
        query = select(_rows).where(_rows.c.seq > after).order_by(_rows.c.seq)
        for column, value in ((_rows.c.phase, phase), (_rows.c.kind, kind), (_rows.c.subject, subject)):
            query = query.where(column == value) if value else query
        if since:
            query = query.where(_rows.c.at >= since.isoformat())
        with self._store.reading() as connection:
            return [_entry(row) for row in connection.execute(query)]

    def latest(self, kind: str, *, phase: str = "", subject: str = "") -> Entry | None:
        """Return the last entry of a kind; None if there is none."""
        query = select(_rows).where(_rows.c.kind == kind).order_by(_rows.c.seq.desc()).limit(1)
        for column, value in ((_rows.c.phase, phase), (_rows.c.subject, subject)):
            query = query.where(column == value) if value else query
        with self._store.reading() as connection:
            row = connection.execute(query).first()
        return _entry(row) if row else None

    def find(self, key: str) -> Entry | None:
        """Return the entry with this key; None if there is none."""
        with self._store.reading() as connection:
            return _first(connection, _rows.c.key == key)

    def follow(
        self, after: int, until: Callable[[], bool], *, phase: str = "", kind: str = "", poll_seconds: float = 0.1
    ) -> Iterator[Entry]:
        """Yield entries as this or any other process appends them, until `until` returns true."""
        while True:
            ending = until()
            for entry in self.entries(phase=phase, kind=kind, after=after):
                after = entry.seq
                yield entry
            if ending:
                return
            time.sleep(poll_seconds)

    def anchor(self) -> Head | None:
        """Return the head in the anchor file; None if the file is missing or has another form."""
        try:
            return Head.parse(self._anchor.read_text(errors="replace"))
        except FileNotFoundError:
            return None
        except OSError as problem:
            raise StateUnusable(f"{self._anchor} cannot be read: {problem.strerror}", "make it readable") from problem

    def refuse_if_damaged(self) -> None:
        """Raise DamagedLedger unless every row matches its hash, the row before it and the anchor."""
        anchor = self.anchor()  # before the rows: rows that are appended meanwhile come after it
        with self._store.reading() as connection:
            problem = _damage(connection.execute(select(_rows).order_by(_rows.c.seq)), anchor)
        if problem:
            raise DamagedLedger(f"the ledger is damaged: {problem}", RESTORE)

    def _refuse_a_broken_chain(self, connection: Connection) -> None:
        """Raise StateUnusable if the row that the anchor names is missing or different."""
        anchor = self.anchor()
        row = _first(connection, _rows.c.seq == anchor.seq) if anchor else None
        if anchor and (row is None or row.hash != anchor.hash):
            raise StateUnusable(
                f"the ledger does not match {ANCHOR}: row {anchor.seq} is missing or different",
                f"{RESTORE_IT}; `whet audit` shows the damage",
            )

    def _write_anchor(self, head: Head) -> None:
        fresh = self._anchor.with_suffix(".fresh")
        try:
            with _folder_lock(self._anchor.parent):
                anchor = self.anchor()
                if anchor and anchor.seq > head.seq:
                    return  # another thread or process has appended since
                with fresh.open("w") as out:
                    out.write(f"{head}\n")
                    out.flush()
                    os.fsync(out.fileno())
                fresh.replace(self._anchor)
        except OSError as problem:
            raise StateUnusable(
                f"{self._anchor} cannot be written: {problem.strerror}",
                "free some disk space and make .whet/ writable; the entry itself is recorded",
            ) from problem


@contextlib.contextmanager
def _folder_lock(folder: Path) -> Iterator[None]:
    """Lock a folder against other threads and processes that write the anchor."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _damage(rows: Iterable[Any], anchor: Head | None) -> str:
    """Return the first damage of the chain; empty if there is none.

    Works on database rows without making entries, because it runs before every deployment and must be fast.
    """
    previous, last, anchored = GENESIS, 0, anchor is None
    try:
        for seq, *texts, before, own in rows:
            if seq != last + 1:
                return f"row {last + 1} is missing"
            if before != previous or link(before, seq, texts) != own:
                return f"row {seq} was edited"
            if anchor and seq == anchor.seq:
                anchored = own == anchor.hash
            previous, last = own, seq
    except TypeError:
        return f"row {last + 1} was edited: it is not an entry"
    if anchor is None and last:
        return f"{ANCHOR} is missing or unreadable"
    return "" if anchored else f"its end does not match {ANCHOR}"


def verify(entries: Sequence[Entry], anchors: Sequence[tuple[str, Head]]) -> list[str]:
    """Return all damage of a chain: edited rows, missing rows, and anchors that name a row that is gone or different."""
    problems = []
    previous, expected = GENESIS, 1
    by_seq = {entry.seq: entry for entry in entries}
    for entry in entries:
        if entry.seq != expected:
            problems.append(f"row {expected} is missing")
        if entry.previous != previous:
            problems.append(f"row {entry.seq} does not follow the row before it")
        if entry.computed_hash() != entry.hash:
            problems.append(f"row {entry.seq} ({entry.kind} of {entry.subject}) was edited")
        previous, expected = entry.hash, entry.seq + 1
    for name, head in anchors:
        if head == Head(0, GENESIS):
            continue  # made when the ledger was empty
        entry_at_head = by_seq.get(head.seq)
        if entry_at_head is None:
            problems.append(f"the tail is cut off: {name} names row {head.seq}, which does not exist")
        elif entry_at_head.hash != head.hash:
            problems.append(f"the chain was rewritten: row {head.seq} does not match {name}")
    return problems


def _head(connection: Connection) -> Head:
    row = connection.execute(select(_rows.c.seq, _rows.c.hash).order_by(_rows.c.seq.desc()).limit(1)).first()
    return Head(row.seq, row.hash) if row else Head(0, GENESIS)


def _first(connection: Connection, condition: Any) -> Entry | None:
    row = connection.execute(select(_rows).where(condition).limit(1)).first()
    return _entry(row) if row else None


def _entry(row: Any) -> Entry:
    """Return the entry of a database row. Raise Corrupt if a column has the wrong type."""
    data = row._asdict()
    try:
        at = datetime.fromisoformat(row.at)
    except (TypeError, ValueError):
        at = None
    if at is None or at.utcoffset() is None or not all(isinstance(data[name], str) for name in data if name != "seq"):
        raise Corrupt(f"row {row.seq} of the ledger was edited: it is not an entry", "restore .whet/ from a backup")
    return Entry(**{**data, "at": at})
