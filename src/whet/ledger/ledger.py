"""The ledger: append, query and verify entries."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select

from whet import state_folder
from whet.errors import Corrupt, DamagedLedger, StateUnusable, WhetError
from whet.ledger.entry import GENESIS, RESTORE, RESTORE_IT, Entry, Head, link, next_entry
from whet.ledger.witness import ACCEPT, Witness, WitnessComparison
from whet.store import schema
from whet.store.location import ANCHOR
from whet.store.store import Store

__all__ = ["ANCHOR", "Ledger", "verify"]

_rows = schema.ledger
_DECIDING = ("approve", "deploy")
"""The phases whose rows permit something. A record without such rows may be adopted without a person's consent."""


class Ledger:
    """The ledger of one state folder.

    An append returns after the row and the anchor (a file beside the database that names the last row) are on disk. The
    anchor is written after the row. If it names a row that does not exist, rows were lost, and further appends are
    refused so that they cannot hide the loss.
    """

    def __init__(self, store: Store, folder: Path, witness: Witness | None = None) -> None:
        self._store, self._witness = store, witness
        self._despite_damage = False
        self._folder, self._anchor = folder, folder / ANCHOR

    def append(self, phase: str, noun: Any, *, subject: str, key: str, actor: str = "whet", kind: str = "") -> Entry:
        """Record a noun under `key`, with secrets in its texts redacted. If the key exists, return its entry unchanged, so
        that a step that is repeated after a crash records once."""
        with self._store.writing() as connection:
            existing = _first(connection, _rows.c.key == key)
            if existing:
                return existing
            head = _head(connection)
            self._refuse_a_broken_chain(connection, head)
            entry = next_entry(head, phase, noun, subject=subject, key=key, actor=actor, kind=kind)
            connection.execute(insert(_rows).values(**{**entry.__dict__, "at": entry.at.isoformat()}))
            row = Head(entry.seq, entry.hash)
            if self._witness and not self._despite_damage:
                self._witness.announce(_hash_at(connection, 1) or "", head, row)
        if not self._despite_damage:
            self._write_anchor(row)
            self._witness.confirm(row) if self._witness else None
        return entry

    def head(self) -> Head:
        """Return the last row; row 0 if the ledger is empty."""
        with self._store.reading() as connection:
            return _head(connection)

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
        """Return entries in ledger order, filtered by every argument that is given; at most the first `most` of them."""
        query = select(_rows).where(_rows.c.seq > after).order_by(_rows.c.seq).limit(most)
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

    def newest(self, limit: int, *, before: int = 0, **filters: str) -> list[Entry]:
        """Return the newest entries, newest first: at most `limit`, numbered below `before` if it is given.

        `filters` are values of the columns phase, kind, subject and actor; an empty value is not a filter.
        """
        query = select(_rows).order_by(_rows.c.seq.desc()).limit(limit)
        query = query.where(_rows.c.seq < before) if before else query
        for name, value in filters.items():
            query = query.where(_rows.c[name] == value) if value else query
        with self._store.reading() as connection:
            return [_entry(row) for row in connection.execute(query)]

    def subjects(self, kind: str, after: int = 0) -> list[str]:
        """Return the subjects of all entries of a kind, in ledger order, without reading their bodies."""
        query = select(_rows.c.subject).where(_rows.c.kind == kind, _rows.c.seq > after).order_by(_rows.c.seq)
        with self._store.reading() as connection:
            return list(connection.execute(query).scalars())

    def entry(self, seq: int) -> Entry | None:
        """Return the entry with this number; None if there is none."""
        with self._store.reading() as connection:
            return _first(connection, _rows.c.seq == seq)

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
            return Head.parse(state_folder.read(self._folder, ANCHOR).decode(errors="replace"))
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
        with self._store.writing() as connection:
            self._refuse_unwitnessed(connection, _head(connection), DamagedLedger)

    def refuse_if_damaged_since(self, checked: Head) -> Head:
        """Raise DamagedLedger unless the rows after `checked`, the head of an earlier check, continue it to the anchor.

        Return the head that is checked now. Earlier rows are not read again, so the cost does not grow with the ledger.
        """
        anchor = self.anchor()
        with self._store.reading() as connection:
            begun = checked.seq == 0 or _hash_at(connection, checked.seq) == checked.hash
            named = anchor is None or anchor.seq > checked.seq or _hash_at(connection, anchor.seq) == anchor.hash
            rows = connection.execute(select(_rows).where(_rows.c.seq > checked.seq).order_by(_rows.c.seq)).all()
        problem = "" if begun else f"row {checked.seq} is missing or different"
        problem = problem or ("" if named else f"its end does not match {ANCHOR}") or _damage(rows, anchor, checked)
        if problem:
            raise DamagedLedger(f"the ledger is damaged: {problem}", RESTORE)
        return Head(rows[-1].seq, rows[-1].hash) if rows else checked

    def refuse_if_edited(self, checked: Head, most: int) -> Head:
        """Raise DamagedLedger unless the next `most` rows continue the chain from `checked`; return the head that is reached."""
        with self._store.reading() as connection:
            query = select(_rows).where(_rows.c.seq > checked.seq).order_by(_rows.c.seq).limit(most)
            rows = connection.execute(query).all()
        if rows and (problem := _damage(rows, Head(rows[-1].seq, rows[-1].hash), checked)):
            raise DamagedLedger(f"the ledger is damaged: {problem}", RESTORE)
        return Head(rows[-1].seq, rows[-1].hash) if rows else checked

    def compare_witness(self) -> WitnessComparison | None:
        """Compare the ledger with its witness and its git ref, and change nothing; None if it has no witness."""
        if self._witness is None:
            return None
        with self._store.writing() as connection:  # so that nothing is appended meanwhile
            head = _head(connection)
            return self._witness.compare(head, partial(_hash_at, connection))

    def publish(self, note: str = "") -> str:
        """Repeat the head in the git ref. Return the ref's commit; empty if there is none."""
        head = self.head()
        return self._witness.publish(head, note) if self._witness and head.seq else ""

    def anchor_again(self) -> None:
        """Make the anchor and the witness name the present last row, because a person accepted the record as it is."""
        with self._store.writing() as connection:
            head = _head(connection)
            with state_folder.locked(self._folder):
                state_folder.replace(self._folder, ANCHOR, f"{head}\n".encode())
            if self._witness:
                self._witness.begin(_hash_at(connection, 1) or "", head, self._witness.read())

    @contextmanager
    def despite_damage(self) -> Iterator[None]:
        """Append to a damaged ledger. Anchor and witness stay as they are, so that the damage stays visible."""
        self._despite_damage = True
        try:
            yield
        finally:
            self._despite_damage = False

    def _refuse_unwitnessed(self, connection: Connection, head: Head, error: type[WhetError]) -> None:
        """Raise `error` if the ledger contradicts its witness. Begin a witness if there is none and the git ref agrees."""
        if self._witness is None:
            return
        hash_at = partial(_hash_at, connection)
        comparison = self._witness.compare(head, hash_at)
        if comparison.problem:
            raise error(f"the ledger is damaged: {comparison.problem}", f"{RESTORE}; or {ACCEPT}")
        if comparison.unwitnessed and _first(connection, _rows.c.phase.in_(_DECIDING)):
            raise StateUnusable(f"the ledger cannot be checked: {comparison.unwitnessed}", ACCEPT)
        if comparison.mark is None or not comparison.mark.may_end_at(head):
            earlier = comparison.mark.row if comparison.mark else ""
            self._witness.begin(hash_at(1) or "", head, comparison.mark, earlier)

    def _refuse_a_broken_chain(self, connection: Connection, head: Head) -> None:
        """Raise StateUnusable if the last row is not the one that the anchor and the witness name."""
        if self._despite_damage:
            return
        if self._witness and not self._witness.ends_at(head):
            self._refuse_unwitnessed(connection, head, StateUnusable)
        anchor = self.anchor()
        row = _first(connection, _rows.c.seq == anchor.seq) if anchor else None
        if anchor and (row is None or row.hash != anchor.hash):
            raise StateUnusable(
                f"the ledger does not match {ANCHOR}: row {anchor.seq} is missing or different",
                f"{RESTORE_IT}; `whet audit` shows the damage",
            )

    def _write_anchor(self, head: Head) -> None:
        try:
            with state_folder.locked(self._folder):
                anchor = self.anchor()
                if anchor and anchor.seq > head.seq:
                    return  # another thread or process has appended since
                state_folder.replace(self._folder, ANCHOR, f"{head}\n".encode())
        except OSError as problem:
            raise StateUnusable(
                f"{self._anchor} cannot be written: {problem.strerror}",
                "free some disk space and make .whet/ writable; the entry itself is recorded",
            ) from problem


def _damage(rows: Iterable[Any], anchor: Head | None, checked: Head = Head(0, GENESIS)) -> str:  # noqa: B008 (frozen)
    """Return the first damage of the rows after `checked`, the head of an earlier check; empty if there is none.

    Works on database rows without making entries, because it runs before every deployment and must be fast.
    """
    previous, last = checked.hash, checked.seq
    anchored = anchor is None or 0 < anchor.seq <= checked.seq
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


def _hash_at(connection: Connection, seq: int) -> str | None:
    return connection.execute(select(_rows.c.hash).where(_rows.c.seq == seq)).scalar()


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
