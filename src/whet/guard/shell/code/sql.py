"""SQL given to a client: statements after which data is gone, and statements that start programs."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.effects import CausesHarm, CodeEffect, RunsCommand
from whet.guard.shell.model.harm import Harm

_NOISE = re.compile(r"--[^\n]*|/\*.*?\*/|#[^\n]*", re.DOTALL)
_LITERAL = re.compile(r"'(?:''|\\.|[^'])*'", re.DOTALL)
_DROPS = re.compile(
    r"drop\s+(database|schema|table|user|role|view|index|owned|tablespace|keyspace|collection)\b", re.IGNORECASE
)
_EMPTIES = re.compile(
    r"truncate\b|delete\s+from\s+[\w.\"`\[\]]+\s*$|update\s+[\w.\"`\[\]]+\s+set\b(?!.*\bwhere\b)",
    re.IGNORECASE | re.DOTALL,
)
_TAUTOLOGY = re.compile(r"\s*\bwhere\s+(?:(\d+)\s*=\s*\1|true|1|''\s*=\s*'')\s*$", re.IGNORECASE)
_ALTERS = re.compile(
    r"alter\s+table\s+.*\bdrop\s+(column|constraint|partition)?|alter\s+(user|role)\b.*(superuser|password)|grant\s+all\b|create\s+(user|role)\b.*\bsuperuser\b|set\s+global\s+\w*log\w*\s*=\s*(0|off)|match\s*\(\w*\)\s*(detach\s+)?delete\b",
    re.IGNORECASE | re.DOTALL,
)
_PROGRAM = re.compile(
    r"(?:to|from)\s+program\s+'((?:''|[^'])*)'|xp_cmdshell\s*\(?\s*'((?:''|[^'])*)'|sys_exec\s*\(\s*'([^']*)'",
    re.IGNORECASE,
)
_MONGO = re.compile(
    r"\.\s*(dropDatabase|drop|remove|deleteMany)\s*\(\s*(\{\s*\})?\s*\)|\.(updateMany|update)\s*\(\s*\{\s*\}|\.shutdownServer\s*\("
)
_ENDS_ALL = re.compile(r"pg_terminate_backend\s*\(\s*(?!\d)[^;]*\bfrom\s+pg_stat_activity\s*(;|$)", re.IGNORECASE)
_MAKES_STATEMENTS = re.compile(r"(\$\$|')\s*(drop|truncate|delete)\b[^']*(\$\$|')\s*\|\|", re.IGNORECASE)
_REDIS = re.compile(r"\b(flushall|flushdb)\b", re.IGNORECASE)
_OUTFILE = re.compile(
    r"into\s+(outfile|dumpfile)\b|load_file\s*\(|pg_read_file\s*\(|writefile\s*\(|lo_(import|export)\s*\(|attach\s+(database\s+)?['\"]/(etc|usr|var/(www|spool))",
    re.IGNORECASE,
)


def effects(text: str) -> Iterator[CodeEffect]:
    for groups in _PROGRAM.findall(text):
        yield CausesHarm(Harm.SHELL_ESCAPE, "the statement starts a program on the database server")
        yield RunsCommand("".join(groups).replace("''", "'"))
    if _OUTFILE.search(text):
        yield CausesHarm(Harm.EXFILTRATION, "the statement reads or writes files of the database server")
    if _ENDS_ALL.search(text):
        yield CausesHarm(Harm.DATABASE, "the statement ends every connection of the database")
    if _MAKES_STATEMENTS.search(text):
        yield CausesHarm(Harm.DATABASE, "the statement puts together statements that drop or delete")
    if _MONGO.search(text) or (_REDIS.search(text) and len(text) < 200):
        yield CausesHarm(Harm.DATABASE, "the statement empties or drops what the database holds")
    for statement in _LITERAL.sub("''", _NOISE.sub(" ", text)).split(";"):
        statement = re.sub(
            r"^\s*(begin|start transaction|explain( analyze)?)\s+", "", statement, flags=re.IGNORECASE
        ).strip()
        if _DROPS.match(statement) or _ALTERS.match(statement):
            yield CausesHarm(Harm.DATABASE, "the statement drops what the database holds, or who may use it")
        elif _EMPTIES.match(_TAUTOLOGY.sub("", statement)):
            yield CausesHarm(Harm.DATABASE, "the statement changes or deletes every row of a table")
