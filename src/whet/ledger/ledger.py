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
    """Every append is on disk, and its head beside the database, before the call returns.

    The head is written after the row, so it never names a row that was not there: where it does, rows were lost, and
    nothing is appended that would cover that up.
    """

    def __init__(self, store: Store, folder: Path) -> None:
        self._store = store
        self._anchor = folder / ANCHOR

    def append(self, phase: str, noun: Any, *, subject: str, key: str, actor: str = "whet", kind: str = "") -> Entry:
        """Record a noun under its key. A key that is there already is answered with what was recorded then,
        so that a step that runs again after a crash leaves one entry."""
        with self._store.writing() as connection:
            if known := _first(connection, _rows.c.key == key):
                return known
            self._refuse_a_broken_chain(connection)
            head = _head(connection)
            bare = Entry(
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
            entry = replace(bare, hash=bare.computed_hash())
            connection.execute(insert(_rows).values(**{**entry.__dict__, "at": entry.at.isoformat()}))
        self._write_anchor(Head(entry.seq, entry.hash))
        return entry

    def head(self) -> Head:
        with self._store.reading() as connection:
            return _head(connection)

    def entries(
        self, *, phase: str = "", kind: str = "", subject: str = "", after: int = 0, since: datetime | None = None
    ) -> list[Entry]:
        """Artifacts in the order they were left, by any of phase, kind and subject."""
        query = select(_rows).where(_rows.c.seq > after).order_by(_rows.c.seq)
        for column, value in ((_rows.c.phase, phase), (_rows.c.kind, kind), (_rows.c.subject, subject)):
            query = query.where(column == value) if value else query
        if since:
            query = query.where(_rows.c.at >= since.isoformat())
        with self._store.reading() as connection:
            return [_entry(row) for row in connection.execute(query)]

    def latest(self, kind: str, *, phase: str = "", subject: str = "") -> Entry | None:
        query = select(_rows).where(_rows.c.kind == kind).order_by(_rows.c.seq.desc()).limit(1)
        for column, value in ((_rows.c.phase, phase), (_rows.c.subject, subject)):
            query = query.where(column == value) if value else query
        with self._store.reading() as connection:
            row = connection.execute(query).first()
        return _entry(row) if row else None

    def find(self, key: str) -> Entry | None:
        with self._store.reading() as connection:
            return _first(connection, _rows.c.key == key)

    def follow(
        self, after: int, until: Callable[[], bool], *, phase: str = "", kind: str = "", poll_seconds: float = 0.1
    ) -> Iterator[Entry]:
        """A subscription: entries as they are left, by this process or another, until told to end."""
        while True:
            ending = until()
            for entry in self.entries(phase=phase, kind=kind, after=after):
                after = entry.seq
                yield entry
            if ending:
                return
            time.sleep(poll_seconds)

    def anchor(self) -> Head | None:
        """The head as it was last written beside the database; None where that is missing or no head."""
        try:
            return Head.parse(self._anchor.read_text(errors="replace"))
        except FileNotFoundError:
            return None
        except OSError as problem:
            raise StateUnusable(f"{self._anchor} cannot be read: {problem.strerror}", "make it readable") from problem

    def refuse_if_damaged(self) -> None:
        """Every row against its hash, the row before it and the anchor, in one pass: before anything is permitted."""
        known = self.anchor()  # first: rows that are appended meanwhile come after it
        with self._store.reading() as connection:
            problem = _damage(connection.execute(select(_rows).order_by(_rows.c.seq)), known)
        if problem:
            raise DamagedLedger(f"the ledger is damaged: {problem}", RESTORE)

    def _refuse_a_broken_chain(self, connection: Connection) -> None:
        known = self.anchor()
        found = _first(connection, _rows.c.seq == known.seq) if known else None
        if known and (found is None or found.hash != known.hash):
            raise StateUnusable(
                f"the ledger is not the one that {ANCHOR} names: row {known.seq} is missing or another",
                f"{RESTORE_IT}; `whet audit` says what is wrong",
            )

    def _write_anchor(self, head: Head) -> None:
        fresh = self._anchor.with_suffix(".fresh")
        try:
            with _alone(self._anchor.parent):
                known = self.anchor()
                if known and known.seq > head.seq:
                    return  # another thread or process has appended since
                with fresh.open("w") as out:
                    out.write(f"{head}\n")
                    out.flush()
                    os.fsync(out.fileno())
                fresh.replace(self._anchor)
        except OSError as problem:
            raise StateUnusable(
                f"{self._anchor} cannot be written: {problem.strerror}",
                "make room and make .whet/ writable; the entry itself is recorded",
            ) from problem


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One at a time, among the threads and processes that append."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _damage(rows: Iterable[Any], known: Head | None) -> str:
    """The first thing that is wrong with the chain, over bare rows: this is read before every deployment."""
    previous, last, anchored = GENESIS, 0, known is None
    try:
        for seq, *texts, before, own in rows:
            if seq != last + 1:
                return f"row {last + 1} is missing"
            if before != previous or link(before, seq, texts) != own:
                return f"row {seq} was edited"
            if known and seq == known.seq:
                anchored = own == known.hash
            previous, last = own, seq
    except TypeError:
        return f"row {last + 1} was edited: it holds no entry"
    if known is None and last:
        return f"{ANCHOR} is missing or unreadable"
    return "" if anchored else f"its end is not the one that {ANCHOR} names"


def verify(entries: Sequence[Entry], anchors: Sequence[tuple[str, Head]]) -> list[str]:
    """What is wrong with a chain: an edited row, a missing row, a tail cut off before an anchor."""
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
            continue  # named when nothing was recorded yet
        found = by_seq.get(head.seq)
        if found is None:
            problems.append(f"the tail is cut off: {name} names row {head.seq}, which is not there")
        elif found.hash != head.hash:
            problems.append(f"the chain was rewritten: row {head.seq} is not the one that {name} names")
    return problems


def _head(connection: Connection) -> Head:
    row = connection.execute(select(_rows.c.seq, _rows.c.hash).order_by(_rows.c.seq.desc()).limit(1)).first()
    return Head(row.seq, row.hash) if row else Head(0, GENESIS)


def _first(connection: Connection, condition: Any) -> Entry | None:
    row = connection.execute(select(_rows).where(condition).limit(1)).first()
    return _entry(row) if row else None


def _entry(row: Any) -> Entry:
    data = row._asdict()
    try:
        at = datetime.fromisoformat(row.at)
    except (TypeError, ValueError):
        at = None
    if at is None or at.utcoffset() is None or not all(isinstance(data[name], str) for name in data if name != "seq"):
        raise Corrupt(f"row {row.seq} of the ledger was edited: it holds no entry", "restore .whet/ from a backup")
    return Entry(**{**data, "at": at})
