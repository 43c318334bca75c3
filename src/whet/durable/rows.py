"""The check of the durable engine's tables for rows that whet did not write.

The tables are checked at the start and again while whet waits, because a row can be added at any time.
"""

import json
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Engine, inspect, text

from whet import state_folder
from whet.durable.serializer import NAME

_PORTABLE = "portable_json"  # DBOS itself writes this format at the end of a wait
_KEYS = {
    "workflow_status": "workflow_uuid",
    "operation_outputs": "workflow_uuid",
    "notifications": "message_uuid",
    "workflow_events": "workflow_uuid",
    "workflow_events_history": "workflow_uuid",
    "streams": "workflow_uuid",
    "workflow_schedules": "schedule_name",
}
_UNUSED = frozenset({"workflow_events", "workflow_events_history", "streams", "workflow_schedules"})
_ENDED = "('SUCCESS', 'CANCELLED')"


class Rows:
    """The tables of one durable engine. `schema` is empty for a SQLite file.

    `one_argument_each` says that the argument of each workflow is its own id, as for cycles and proposals.
    """

    def __init__(self, engine: Engine, schema: str = "", *, one_argument_each: bool = True) -> None:
        self._engine, self._schema = engine, schema
        self._one_argument_each = one_argument_each
        self._columns: dict[str, set[str]] = {}

    def foreign(self) -> str:
        """Return the first row that whet did not write, and why; empty if there is none.

        Raise StateUnusable for a trigger or view in a SQLite file; DBOS makes none there.
        """
        with self._engine.connect() as connection:
            if not self._schema:
                file = self._engine.url.database or ""
                state_folder.refuse_planted(connection.connection.driver_connection, file)  # type: ignore[arg-type]
            if "notifications" not in self._columns:  # before the first start there are no tables
                self._columns = self._read_columns(connection)
            return next(self._foreign_rows(connection), "")

    def close(self) -> None:
        self._engine.dispose()

    def _read_columns(self, connection: Connection) -> dict[str, set[str]]:
        inspector, schema = inspect(connection), self._schema or None
        names = inspector.get_table_names(schema=schema)
        return {name: {column["name"] for column in inspector.get_columns(name, schema=schema)} for name in names}

    def _foreign_rows(self, connection: Connection) -> Iterator[str]:
        for table, columns in self._columns.items():
            if table in _UNUSED:
                yield from self._find(connection, table, "1 = 1", "whet uses no such rows")
            elif "serialization" in columns:
                formats = f"('{NAME}', '{_PORTABLE}')" if table == "operation_outputs" else f"('{NAME}')"
                condition = f"serialization IS NOT NULL AND serialization NOT IN {formats}"
                yield from self._find(connection, table, condition, "its format is not whet's JSON")
        if self._one_argument_each and "workflow_input" in self._columns:
            yield from self._wrong_inputs(connection)

    def _find(self, connection: Connection, table: str, condition: str, why: str) -> Iterator[str]:
        key = _quoted(_KEYS[table]) if table in _KEYS else "'?'"
        row = connection.execute(text(f"SELECT {key} FROM {self._named(table)} WHERE {condition} LIMIT 1")).first()  # noqa: S608 - only names of tables and columns
        if row:
            yield f"table {table}, row {_brief(row[0])}: {why}"

    def _wrong_inputs(self, connection: Connection) -> Iterator[str]:
        """Yield the workflows, except those that ended well, whose input is not their own id."""
        columns = "w.workflow_uuid, COALESCE(i.inputs, w.inputs), w.class_name, w.config_name, w.authenticated_roles"
        tables = f"{self._named('workflow_status')} w LEFT JOIN {self._named('workflow_input')} i"
        open_still = f"w.status IS NULL OR w.status NOT IN {_ENDED}"
        query = f"SELECT {columns} FROM {tables} ON i.workflow_uuid = w.workflow_uuid WHERE {open_still}"  # noqa: S608 - as above
        for name, inputs, *never_set in connection.execute(text(query)):
            if any(value is not None for value in never_set) or not _is_own_id(name, inputs):
                yield f"table workflow_status, row {_brief(name)}: its input is not whet's"

    def _named(self, table: str) -> str:
        return ".".join(_quoted(name) for name in (self._schema, table) if name)


def _is_own_id(name: Any, inputs: Any) -> bool:
    try:
        return bool(json.loads(inputs) == {"args": [name], "kwargs": {}})
    except (ValueError, TypeError, RecursionError):
        return False


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _brief(key: object) -> str:
    return ascii(str(key)[:60])
