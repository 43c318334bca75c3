"""SQL statements that are put together from values, in the call that runs them or in the variable that it is given."""

import ast
import re
from collections.abc import Iterator

from whet.guard.denied.units import Unit
from whet.pyast.imports import last_name

BUILT = "an SQL statement that is put together from values"
_RUNS_SQL = frozenset({
    "execute", "executemany", "executescript", "exec_driver_sql", "read_sql", "read_sql_query", "raw", "RawSQL", "mogrify",
    "fetch_all", "fetch_one", "fetchval", "fetchrow",
})  # fmt: skip
_WRAPS = frozenset({"text", "SQL", "dedent", "literal_column", "str"})
_PUTS_TOGETHER = frozenset({"format", "format_map", "join", "replace", "substitute", "safe_substitute"})
_SQL = re.compile(
    r"(?:^|[\s(])(?:SELECT\s|INSERT\s+INTO\s|UPDATE\s+[\w\"`.]+\s+SET\b|DELETE\s+FROM\s|REPLACE\s+INTO\s|MERGE\s+INTO\s|CALL\s+\w"
    r"|EXEC(?:UTE)?\s+\w|WHERE\s|VALUES\s*\(|(?:ORDER|GROUP)\s+BY\s|HAVING\s|JOIN\s+\w"
    r"|(?:AND|OR)\s+[\w.\"]+\s*(?:=|<|>|!=|LIKE\b|IN\b))",
    re.IGNORECASE,
)
_BEGINS = re.compile(r"\s*(?:--[^\n]*\n\s*)*(?:SELECT|UPDATE|WITH|CALL|EXEC)\s", re.IGNORECASE)
_SQL_NAME = re.compile(r"(?i)(?:\w*_)?(?:sql|query|statement|stmt)")
_CONSTANT_NAME = re.compile(r"_?[A-Z][A-Z0-9_]*")


def sql_variables(unit: Unit) -> set[str]:
    """Return the variables that a unit passes to a database as the text of a statement."""
    return {
        text.id
        for call, name in unit.calls()
        if name.rpartition(".")[2] in _RUNS_SQL
        for text in _statements(call)
        if isinstance(text, ast.Name)
    }


def built_sql(call: ast.Call, name: str) -> str:
    """Return what is wrong with the statement that a call runs; empty if its text is constant."""
    last = name.rpartition(".")[2]
    if last in _RUNS_SQL and any(map(is_built_sql, _statements(call))):
        return BUILT
    # A condition of a query need not look like SQL: `text(f"name = '{n}'")`, `extra(where=[f"name = '{n}'"])`.
    conditions = call.args[:1] if name in ("sqlalchemy.text", "sqlalchemy.sql.text") else []
    if last == "extra":
        conditions = [keyword.value for keyword in call.keywords if keyword.arg in ("where", "select", "tables")]
    return BUILT if any(_is_built(node) for part in conditions for node in ast.walk(part)) else ""


def is_built_sql(node: ast.AST | None) -> bool:
    """True for an SQL statement, or a part of one, that is put together from a text and values.

    Names in capitals count as text.
    """
    while isinstance(node, ast.Call) and node.args and last_name(node.func) in _WRAPS:
        node = node.args[0]
    return _is_built(node) and any(map(_is_sql, _texts(node)))


def _statements(call: ast.Call) -> list[ast.expr]:
    named = [item.value for item in call.keywords if item.arg and _SQL_NAME.fullmatch(item.arg)]
    return [*call.args[:1], *named]


def _is_built(node: ast.AST | None) -> bool:
    match node:
        case ast.JoinedStr(values=parts):
            return not all(_is_constant(part.value) for part in parts if isinstance(part, ast.FormattedValue))
        case ast.BinOp(op=ast.Mod(), left=left, right=right):
            return _is_text(left) and not _is_constant(right)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return not (_is_constant(left) and _is_constant(right))
        case ast.Call(func=ast.Attribute(attr=method, value=text), args=values, keywords=keywords):
            given = [*values, *(item.value for item in keywords)]
            return method in _PUTS_TOGETHER and _is_text(text) and not all(map(_is_constant, given))
    return False


def _is_text(node: ast.expr) -> bool:
    """True if an expression stands for a text: a literal, or a name that says that it is SQL."""
    return isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp | ast.Call) or bool(
        _CONSTANT_NAME.fullmatch(last_name(node)) or _SQL_NAME.fullmatch(last_name(node))
    )


def _is_constant(node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.BinOp(left=left, right=right):
            return _is_constant(left) and _is_constant(right)
        case ast.JoinedStr() | ast.Call():
            return isinstance(node, ast.JoinedStr) and not _is_built(node)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return all(map(_is_constant, items))
    return _CONSTANT_NAME.fullmatch(last_name(node)) is not None


def _texts(node: ast.AST | None) -> Iterator[str]:
    """Yield the literals of an expression, and the names that stand for texts."""
    for part in ast.walk(node) if node else ():
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value
        elif isinstance(part, ast.Name) and _SQL_NAME.fullmatch(part.id):
            yield "SELECT "


def _is_sql(text: str) -> bool:
    return _BEGINS.match(text) is not None or _SQL.search(text) is not None
