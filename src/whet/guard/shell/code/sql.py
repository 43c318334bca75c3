"""Find the effects of database statements: lost data, changed accounts, programs started on the server."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.effects import CausesHarm, CodeEffect, RunsCommand
from whet.guard.shell.model.harm import Harm

_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/|#[^\n]*", re.DOTALL)
_LITERAL = re.compile(r"'(?:''|\\.|[^'])*'", re.DOTALL)
_DROPS = re.compile(
    r"drop\s+(database|schema|table|user|role|view|index|owned|tablespace|keyspace|collection)\b", re.IGNORECASE
)
_CHANGES_EVERY_ROW = re.compile(
    r"truncate\b|delete\s+from\s+[\w.\"`\[\]]+\s*$|update\s+[\w.\"`\[\]]+\s+set\b(?!.*\bwhere\b)",
    re.IGNORECASE | re.DOTALL,
)
_TRIVIAL_WHERE = re.compile(r"\s*\bwhere\s+(?:(\d+)\s*=\s*\1|true|1|''\s*=\s*'')\s*$", re.IGNORECASE)
_ALTERS_STRUCTURE_OR_ACCOUNTS = re.compile(
    r"alter\s+table\s+.*\bdrop\s+(column|constraint|partition)?|alter\s+(user|role)\b.*(superuser|password)"
    r"|grant\s+all\b|create\s+(user|role)\b.*\bsuperuser\b|set\s+global\s+\w*log\w*\s*=\s*(0|off)"
    r"|match\s*\(\w*\)\s*(detach\s+)?delete\b",
    re.IGNORECASE | re.DOTALL,
)
_SERVER_PROGRAM = re.compile(
    r"(?:to|from)\s+program\s+'((?:''|[^'])*)'|xp_cmdshell\s*\(?\s*'((?:''|[^'])*)'|sys_exec\s*\(\s*'([^']*)'",
    re.IGNORECASE,
)
_MONGO_DROPS = re.compile(
    r"\.\s*(dropDatabase|drop|remove|deleteMany)\s*\(\s*(\{\s*\})?\s*\)|\.(updateMany|update)\s*\(\s*\{\s*\}"
    r"|\.shutdownServer\s*\("
)
_ENDS_CONNECTIONS = re.compile(
    r"pg_terminate_backend\s*\(\s*(?!\d)[^;]*\bfrom\s+pg_stat_activity\s*(;|$)", re.IGNORECASE
)
_GENERATES_STATEMENTS = re.compile(r"(\$\$|')\s*(drop|truncate|delete)\b[^']*(\$\$|')\s*\|\|", re.IGNORECASE)
_REDIS_FLUSH = re.compile(r"\b(flushall|flushdb)\b", re.IGNORECASE)
_SERVER_FILES = re.compile(
    r"into\s+(outfile|dumpfile)\b|load_file\s*\(|pg_read_file\s*\(|writefile\s*\(|lo_(import|export)\s*\("
    r"|attach\s+(database\s+)?['\"]/(etc|usr|var/(www|spool))",
    re.IGNORECASE,
)


def effects(text: str) -> Iterator[CodeEffect]:
    """Yield the effects of SQL, MongoDB and Redis statements. Comments and string literals are ignored."""
    for groups in _SERVER_PROGRAM.findall(text):
        yield CausesHarm(Harm.SHELL_ESCAPE, "the statement starts a program on the database server")
        yield RunsCommand("".join(groups).replace("''", "'"))
    if _SERVER_FILES.search(text):
        yield CausesHarm(Harm.EXFILTRATION, "the statement reads or writes files of the database server")
    if _ENDS_CONNECTIONS.search(text):
        yield CausesHarm(Harm.DATABASE, "the statement ends every connection of the database")
    if _GENERATES_STATEMENTS.search(text):
        yield CausesHarm(Harm.DATABASE, "the statement generates statements that drop or delete")
    if _MONGO_DROPS.search(text) or (_REDIS_FLUSH.search(text) and len(text) < 200):
        yield CausesHarm(Harm.DATABASE, "the statement deletes or drops the data of the database")
    for statement in _LITERAL.sub("''", _COMMENT.sub(" ", text)).split(";"):
        statement = re.sub(
            r"^\s*(begin|start transaction|explain( analyze)?)\s+", "", statement, flags=re.IGNORECASE
        ).strip()
        if _DROPS.match(statement) or _ALTERS_STRUCTURE_OR_ACCOUNTS.match(statement):
            yield CausesHarm(Harm.DATABASE, "the statement drops data, or changes who may use the database")
        elif _CHANGES_EVERY_ROW.match(_TRIVIAL_WHERE.sub("", statement)):
            yield CausesHarm(Harm.DATABASE, "the statement changes or deletes every row of a table")
