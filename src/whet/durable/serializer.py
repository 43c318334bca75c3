"""The JSON format of the durable engine's rows.

DBOS uses pickle by default, and a pickle runs code of its writer in the process that reads it.
"""

import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any

from dbos import Serializer
from sqlalchemy import Connection, inspect, text

from whet import errors
from whet.store.address import Address

NAME = "whet_json"
_SAFE = (NAME, "portable_json")  # the second is what DBOS itself writes at the end of a wait


class Json(Serializer):
    """A serializer for strings and for whet's errors (by class name). Workflows and steps carry nothing else."""

    def name(self) -> str:
        return NAME

    def serialize(self, data: Any) -> str:
        return json.dumps(data, default=_error_to_plain)

    def deserialize(self, serialized_data: str) -> Any:
        return json.loads(serialized_data, object_hook=_error_from_plain)


def _error_to_plain(value: object) -> dict[str, str]:
    if isinstance(value, errors.WhetError):
        return {"error": type(value).__name__, "message": value.message, "remedy": value.remedy}
    if isinstance(value, BaseException):
        return {"error": "Internal", "message": f"{type(value).__name__}: {value}", "remedy": ""}
    raise TypeError(f"the durable engine carries strings, not {type(value).__name__}")


def _error_from_plain(data: dict[str, Any]) -> Any:
    """Return the error that `data` describes; other objects unchanged. Only subclasses of WhetError are created."""
    if "error" not in data:
        return data
    kind = getattr(errors, data["error"], None)
    if not (isinstance(kind, type) and issubclass(kind, errors.WhetError)):
        kind = errors.Internal
    return kind(data["message"], data["remedy"])


def foreign_rows(path: Path) -> list[str]:
    """Return the tables of a SQLite file that have rows in another format.

    DBOS reads each row in the format that the row names, so a planted row could make it load a pickle.
    """
    with contextlib.closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return [name for name in tables if _has_foreign_rows(connection, name)]


def foreign_rows_shared(address: Address) -> list[str]:
    """Return the tables of a shared database that have rows in another format."""
    engine, schema = address.engine(), address.durable_schema
    try:
        with engine.connect() as connection:
            tables = inspect(connection).get_table_names(schema=schema)
            return [name for name in tables if _has_foreign_rows_shared(connection, schema, name)]
    finally:
        engine.dispose()


def _has_foreign_rows_shared(connection: Connection, schema: str, table: str) -> bool:
    if "serialization" not in {column["name"] for column in inspect(connection).get_columns(table, schema=schema)}:
        return False
    quoted = ".".join('"' + name.replace('"', '""') + '"' for name in (schema, table))
    query = f"SELECT 1 FROM {quoted} WHERE serialization IS NOT NULL AND serialization <> ALL (:safe) LIMIT 1"  # noqa: S608
    return connection.execute(text(query), {"safe": list(_SAFE)}).first() is not None


def _has_foreign_rows(connection: sqlite3.Connection, table: str) -> bool:
    quoted = '"' + table.replace('"', '""') + '"'
    columns = {row[1] for row in connection.execute(f"PRAGMA table_info({quoted})")}
    if "serialization" not in columns:
        return False
    query = f"SELECT 1 FROM {quoted} WHERE serialization IS NOT NULL AND serialization NOT IN (?, ?) LIMIT 1"  # noqa: S608
    return connection.execute(query, _SAFE).fetchone() is not None
