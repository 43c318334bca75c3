"""A cache of suite runs by tree and environment, so that `run`, `repair` and `prove` share the run of a base.

It is in the state database and trusted as the ledger is. An entry that cannot be read is as good as none.
"""

import json
from collections.abc import Iterator, MutableMapping
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, func, insert, select

from whet.domain.canonical import canonical
from whet.domain.clock import now
from whet.domain.redact_noun import redact_noun
from whet.domain.suite import SuiteReport
from whet.errors import Corrupt
from whet.store.codec import decode
from whet.store.schema import suite_runs
from whet.store.store import Store

_FRESH = timedelta(days=1)
_MOST_RUNS = 40
_MOST_CHARACTERS = 100_000_000


class RecordedRuns(MutableMapping[str, SuiteReport]):
    """A mapping of suite reports. A report expires after a day, because a test may depend on more than the tree; the
    oldest are removed when there are too many or they take too much space."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getitem__(self, key: str) -> SuiteReport:
        with self._store.reading() as connection:
            row = connection.execute(select(suite_runs).where(suite_runs.c.key == key)).first()
        if row is None or datetime.fromisoformat(row.at) < now() - _FRESH:
            raise KeyError(key)
        try:
            return decode(SuiteReport, json.loads(row.report))
        except (Corrupt, ValueError, RecursionError) as problem:
            raise KeyError(key) from problem

    def text_of_tree(self, tree: str) -> str:
        """Return the JSON of the newest stored run of a tree, in whatever environment it ran; empty if there is none."""
        query = select(suite_runs.c.report).where(suite_runs.c.report.contains(f'"tree":"{tree}"', autoescape=True))
        with self._store.reading() as connection:
            return connection.execute(query.order_by(suite_runs.c.at.desc()).limit(1)).scalar() or ""

    def __setitem__(self, key: str, report: SuiteReport) -> None:
        with self._store.writing() as connection:
            old = (now() - _FRESH).isoformat()
            connection.execute(delete(suite_runs).where((suite_runs.c.key == key) | (suite_runs.c.at < old)))
            connection.execute(
                insert(suite_runs).values(key=key, at=now().isoformat(), report=canonical(redact_noun(report)))
            )
            _remove_oldest(connection)

    def __delitem__(self, key: str) -> None:
        with self._store.writing() as connection:
            connection.execute(delete(suite_runs).where(suite_runs.c.key == key))

    def __iter__(self) -> Iterator[str]:
        with self._store.reading() as connection:
            return iter(list(connection.execute(select(suite_runs.c.key)).scalars()))

    def __len__(self) -> int:
        return len(list(iter(self)))


def _remove_oldest(connection: Connection) -> None:
    """Remove the oldest runs beyond the limits; the newest one stays, whatever its size."""
    newest_first = select(suite_runs.c.key, func.length(suite_runs.c.report)).order_by(suite_runs.c.at.desc())
    characters, surplus = 0, []
    for number, (key, length) in enumerate(connection.execute(newest_first).all()):
        characters += length
        if number and (number >= _MOST_RUNS or characters > _MOST_CHARACTERS):
            surplus.append(key)
    if surplus:
        connection.execute(delete(suite_runs).where(suite_runs.c.key.in_(surplus)))
