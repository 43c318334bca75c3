"""A cache of suite runs by tree and environment, so that the phases of one cycle share the run of the base."""

import json
from collections.abc import Iterator, MutableMapping
from datetime import datetime, timedelta

from sqlalchemy import delete, insert, select

from whet.domain.canonical import canonical
from whet.domain.clock import now
from whet.domain.suite import SuiteReport
from whet.store.codec import decode
from whet.store.schema import suite_runs
from whet.store.store import Store

_FRESH = timedelta(hours=1)


class RecordedRuns(MutableMapping[str, SuiteReport]):
    """A mapping of suite reports. A report expires after an hour, because a test may depend on more than the tree."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getitem__(self, key: str) -> SuiteReport:
        with self._store.reading() as connection:
            row = connection.execute(select(suite_runs).where(suite_runs.c.key == key)).first()
        if row is None or datetime.fromisoformat(row.at) < now() - _FRESH:
            raise KeyError(key)
        return decode(SuiteReport, json.loads(row.report))

    def __setitem__(self, key: str, report: SuiteReport) -> None:
        with self._store.writing() as connection:
            old = (now() - _FRESH).isoformat()
            connection.execute(delete(suite_runs).where((suite_runs.c.key == key) | (suite_runs.c.at < old)))
            connection.execute(insert(suite_runs).values(key=key, at=now().isoformat(), report=canonical(report)))

    def __delitem__(self, key: str) -> None:
        with self._store.writing() as connection:
            connection.execute(delete(suite_runs).where(suite_runs.c.key == key))

    def __iter__(self) -> Iterator[str]:
        with self._store.reading() as connection:
            return iter(list(connection.execute(select(suite_runs.c.key)).scalars()))

    def __len__(self) -> int:
        return len(list(iter(self)))
