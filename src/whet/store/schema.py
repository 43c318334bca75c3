"""The tables of the state database."""

from sqlalchemy import BigInteger, Column, Integer, MetaData, String, Table, Text

VERSION = 3

metadata = MetaData()

ledger = Table(
    "ledger",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", String(40), nullable=False),
    Column("phase", String(20), nullable=False, index=True),
    Column("kind", String(40), nullable=False, index=True),
    Column("subject", Text, nullable=False, index=True),
    Column("key", Text, nullable=False, unique=True),
    Column("actor", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
)

suite_runs = Table(
    "suite_runs",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("at", String(40), nullable=False),
    Column("report", Text, nullable=False),
)

diagnostic_runs = Table(
    "diagnostic_runs",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("at", String(40), nullable=False),
    Column("report", Text, nullable=False),
)

reservations = Table(
    "reservations",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("resource", String(20), nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("settled", BigInteger),
    Column("subject", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("holder", Text, nullable=False),
    Column("at", String(40), nullable=False),
    Column("state", String(10), nullable=False),
)

schema_version = Table("schema_version", metadata, Column("version", Integer, primary_key=True))

# The schema version that added a table, if later than 1. An older database does not have that table yet.
SINCE = {"reservations": 2, "diagnostic_runs": 3}

# Triggers that refuse changes to ledger rows. PostgreSQL needs TRUNCATE too, which SQLite does not have.
APPEND_ONLY_FUNCTION = " BEGIN RAISE EXCEPTION 'the ledger is append-only'; END "
APPEND_ONLY_POSTGRESQL = [
    f"CREATE OR REPLACE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $${APPEND_ONLY_FUNCTION}$$",
    "CREATE OR REPLACE TRIGGER ledger_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger "
    "FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only()",
]
APPEND_ONLY = [
    f"CREATE TRIGGER IF NOT EXISTS ledger_no_{verb.lower()} BEFORE {verb} ON ledger "
    f"BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
    for verb in ("UPDATE", "DELETE")
]
OWN_TRIGGERS = frozenset(statement.replace(" IF NOT EXISTS", "") for statement in APPEND_ONLY)
"""The statements of whet's triggers as SQLite keeps them."""
