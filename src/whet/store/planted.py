"""The check of the state database for triggers, rules and views that whet did not put there."""

from sqlalchemy import Connection, text

from whet import state_folder
from whet.errors import StateUnusable
from whet.store import schema

# Triggers, rules and views of the schema that whet writes to, except whet's own trigger. Its function is whet's as long as
# its text is.
_POSTGRESQL = text(
    """
    SELECT 'trigger' AS kind, tgname AS name FROM pg_trigger
    JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal
      AND NOT (tgname = 'ledger_no_change' AND tgtype = :events AND prosrc = :function)
    UNION ALL
    SELECT 'rule', rulename FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class
    WHERE relnamespace = current_schema()::regnamespace AND rulename <> '_RETURN'
    UNION ALL
    SELECT CASE relkind WHEN 'f' THEN 'foreign table' ELSE 'view' END, relname FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('v', 'm', 'f')
    LIMIT 1
    """
)
_BEFORE, _DELETE, _UPDATE, _TRUNCATE = 2, 8, 16, 32  # bits of tgtype


def refuse_planted(connection: Connection, file: str) -> None:
    """Raise StateUnusable for the first trigger, rule or view that is not whet's. `file` is the path of a SQLite database."""
    if connection.dialect.name == "sqlite":
        state_folder.refuse_planted(connection.connection.driver_connection, file, schema.OWN_TRIGGERS)  # type: ignore[arg-type]
        return
    own = {"events": _BEFORE | _DELETE | _UPDATE | _TRUNCATE, "function": schema.APPEND_ONLY_FUNCTION}
    planted = connection.execute(_POSTGRESQL, own).first()
    if planted:
        raise StateUnusable(
            f"the state database has the {planted.kind} {planted.name!a}, which was not put there by whet",
            f"find out who wrote it and what it changed, remove it (DROP {planted.kind.upper()}), then run `whet audit`",
        )
