"""Caches by tree and environment of suite runs and of linter and type-checker findings, so that `run`, `repair` and
`prove` share those of a base.

They are in the state database and trusted as the ledger is. An entry that cannot be read is as good as none.
"""

import json
from collections.abc import Iterator, MutableMapping
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import Connection, Table, delete, func, insert, select

from whet.domain.canonical import canonical
from whet.domain.clock import now
from whet.domain.diagnostic import DiagnosticReport
from whet.domain.redact_noun import redact_noun
from whet.domain.suite import SuiteReport
from whet.errors import Corrupt
from whet.store.codec import decode
from whet.store.schema import diagnostic_runs, suite_runs
from whet.store.store import Store

_FRESH = timedelta(days=1)
_MOST_RUNS = 40
_MOST_CHARACTERS = 100_000_000
Report = TypeVar("Report")


class _StoredReports(MutableMapping[str, Report]):
    """A mapping of reports in one table. A report expires after a day, because it may depend on more than the tree; the
    oldest are removed when there are too many or they take too much space."""

    def __init__(self, store: Store, table: Table, kind: type[Report]) -> None:
        self._store, self._table, self._kind = store, table, kind

    def __getitem__(self, key: str) -> Report:
        table = self._table
        with self._store.reading() as connection:
            row = connection.execute(select(table).where(table.c.key == key)).first()
        if row is None or datetime.fromisoformat(row.at) < now() - _FRESH:
            raise KeyError(key)
        try:
            return decode(self._kind, json.loads(row.report))
        except (Corrupt, ValueError, RecursionError) as problem:
            raise KeyError(key) from problem

    def __setitem__(self, key: str, report: Report) -> None:
        table = self._table
        with self._store.writing() as connection:
            old = (now() - _FRESH).isoformat()
            connection.execute(delete(table).where((table.c.key == key) | (table.c.at < old)))
            text = canonical(redact_noun(report))
            connection.execute(insert(table).values(key=key, at=now().isoformat(), report=text))
            _remove_oldest(connection, table)

    def __delitem__(self, key: str) -> None:
        with self._store.writing() as connection:
            connection.execute(delete(self._table).where(self._table.c.key == key))

    def __iter__(self) -> Iterator[str]:
        with self._store.reading() as connection:
            return iter(list(connection.execute(select(self._table.c.key)).scalars()))

    def __len__(self) -> int:
        return len(list(iter(self)))


class StoredRuns(_StoredReports[SuiteReport]):
    """The stored runs of the suite, by the key that `Suite.key` returns."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, suite_runs, SuiteReport)

    def texts_of_tree(self, tree: str) -> Iterator[str]:
        """Yield the JSON of the stored runs of a tree, in whatever environment they ran, the newest first."""
        query = select(suite_runs.c.report).where(suite_runs.c.report.contains(f'"tree":"{tree}"', autoescape=True))
        with self._store.reading() as connection:
            yield from connection.execute(query.order_by(suite_runs.c.at.desc())).scalars()


class StoredDiagnostics(_StoredReports[DiagnosticReport]):
    """The stored findings of linters and type checkers, by the key that `Diagnostics.key` returns."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, diagnostic_runs, DiagnosticReport)


def _remove_oldest(connection: Connection, table: Table) -> None:
    """Remove the oldest runs beyond the limits; the newest one stays, whatever its size."""
    newest_first = select(table.c.key, func.length(table.c.report)).order_by(table.c.at.desc())
    characters, surplus = 0, []
    for number, (key, length) in enumerate(connection.execute(newest_first).all()):
        characters += length
        if number and (number >= _MOST_RUNS or characters > _MOST_CHARACTERS):
            surplus.append(key)
    if surplus:
        connection.execute(delete(table).where(table.c.key.in_(surplus)))
