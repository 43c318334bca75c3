"""Database migrations: files of a migration tool, and code that changes the schema of a database."""

import ast
import re
from collections.abc import Iterator

from whet.guard.denied.units import Unit, UnitChanges
from whet.guard.paths.patterns import patterns

FILES = (
    "**/migrations/**", "**/alembic/versions/**", "**/alembic/env.py", "alembic.ini", "**/migrations_*/**", "**/migrate/versions/**",
    "**/yoyo/**", "**/db/migrate/**", "**/flyway/**", "[VUR]*__*.sql", "schema.prisma", "**/liquibase/**", "changelog.xml",
)  # fmt: skip
_TOOLS = re.compile(
    r"(django\.db\.migrations(?!\.(loader|executor|recorder|autodetector|state|graph|writer|questioner|exceptions)\b)|alembic\.op|alembic\.migration|yoyo|playhouse\.migrate|peewee_migrate|south\.)(\..*)?"
)
_DDL = re.compile(
    r"(?is)(\s|--[^\n]*\n|/\*.*?\*/)*(create|alter|drop|truncate|rename)\s+(or\s+replace\s+)?(temp(orary)?\s+|unique\s+|materialized\s+|virtual\s+)*"
    r"(table|index|column|view|schema|database|sequence|type|trigger|function|procedure|constraint|policy|role|user|extension)\b.*"
    r"|\s*pragma\s+(user_version|writable_schema)\s*=.*"
)
_RUNS_SQL = frozenset({
    "execute", "executescript", "executemany", "run_sql", "RunSQL", "text", "raw", "sql", "exec_driver_sql", "DDL", "execute_sql",
})  # fmt: skip
_CHANGES_SCHEMA = frozenset(
    {"create_all", "drop_all", "create_tables", "drop_tables", "create_model", "delete_model", "alter_field"}
)


def is_migration_file(path: str) -> str | None:
    """Return the pattern that makes a path a migration; None if there is none."""
    return patterns(FILES).catches(path)


def migration_changes(changes: UnitChanges) -> Iterator[tuple[int, str]]:
    """Yield (line, what) for each changed unit that uses a migration tool or changes a database's schema."""
    tool = next((name for name in sorted(changes.imported) if _TOOLS.fullmatch(name)), "")
    for unit in changes.changed:
        if tool:
            yield unit.line, f"a file that uses {tool}"
        elif what := _schema_change_in(unit):
            yield unit.line, what


def ddl_lines(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield (line, what) for each line of a text file that is a statement of a database's schema."""
    yield from ((number, "SQL that changes a schema") for number, line in lines if _DDL.fullmatch(line))


def _schema_change_in(unit: Unit) -> str:
    for call, name in unit.calls():
        last = name.rpartition(".")[2]
        if last in _CHANGES_SCHEMA or name.startswith(("alembic.op.", "op.")) or "schema_editor." in name:
            return f"a call of {last}"
        if last in _RUNS_SQL and any(_is_ddl(argument) for argument in call.args):
            return "SQL that changes a schema"
    statement = unit.statement
    value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
    return "SQL that changes a schema" if value is not None and _is_ddl(value) else ""


def _is_ddl(node: ast.expr) -> bool:
    """True if an expression begins with a statement of a schema: a literal, an f-string, a joined or formatted text."""
    match node:
        case ast.Constant(value=str() as text):
            return bool(_DDL.fullmatch(text))
        case ast.JoinedStr(values=[first, *_]):
            return isinstance(first, ast.Constant) and bool(_DDL.fullmatch(f"{first.value!s} x"))
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items) | ast.Dict(values=items):
            return any(map(_is_ddl, items))
        case ast.BinOp(left=left):
            return _is_ddl(left)
        case ast.Call(func=ast.Attribute(value=value), args=arguments):
            return _is_ddl(value) or any(map(_is_ddl, arguments))
        case ast.Call(args=arguments):
            return any(map(_is_ddl, arguments))
    return False
