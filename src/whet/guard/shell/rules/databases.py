"""Commands that delete the data of databases: clients, migration tools, web frameworks."""

import re
from collections.abc import Iterator

from whet.guard.shell.code import sql
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.effects import CausesHarm
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.rules.rule import Rule, RuleHit, always, phrase

_DROPS_DATA = "deletes or drops the data of a database"
_REDIS_COMMANDS = frozenset(
    {"flushall", "flushdb", "shutdown", "slaveof", "replicaof", "debug", "module", "failover", "swapdb"}
)
_FRAMEWORK_COMMANDS = frozenset({
    "flush", "reset_db", "db:drop", "db:drop:all", "db:reset", "db:purge", "migrate:fresh", "migrate:reset",
    "db:wipe", "sqlflush", "db:schema:load", "db:rollback:all", "db:structure:load", "doctrine:database:drop",
    "doctrine:schema:drop", "schema:drop", "ecto.drop", "ecto.reset", "migrate:refresh", "db:truncate_all",
})  # fmt: skip
_DELETES_EVERY_ROW = re.compile(
    r"\.(delete_all|destroy_all|truncate)\b|objects\.all\(\)\.(delete|update)\(|\.drop_all\(|drop_table\b"
    r"|objects\.filter\(\)\.delete"
)


def redis(call: Call) -> Iterator[RuleHit]:
    words = [word.lower() for word in call.args]
    sets_config = ["config", "set"] in (words[-4:-2], words[-3:-1])
    if sets_config or not _REDIS_COMMANDS.isdisjoint(words):
        yield Harm.DATABASE, "empties a database or gives away control of it"


def framework(call: Call) -> Iterator[RuleHit]:
    """Refuse `manage.py flush`, `rails db:drop`, `artisan migrate:fresh`, `rails runner 'User.delete_all'`."""
    args = call.args
    if not _FRAMEWORK_COMMANDS.isdisjoint(args) or ("migrate" in args and args[-1] == "zero"):
        yield Harm.DATABASE, _DROPS_DATA
    if call.stdin and not {"dbshell", "dbconsole", "db"}.isdisjoint(args):
        for effect in sql.effects(call.stdin):
            if isinstance(effect, CausesHarm):
                yield effect.harm, effect.reason
    runs_code = not {"runner", "shell", "r", "tinker", "console"}.isdisjoint(args)
    if runs_code and _DELETES_EVERY_ROW.search(" ".join(args) + (call.stdin or "")):
        yield Harm.DATABASE, "deletes every row of a table"


def _drops(*patterns: str) -> tuple[Rule, ...]:
    return tuple(phrase(pattern, Harm.DATABASE, _DROPS_DATA) for pattern in patterns)


_ALWAYS = (always(Harm.DATABASE, "drops a database or one of its users"),)
RULES: dict[str, tuple[Rule, ...]] = {
    **dict.fromkeys(
        ("dropdb", "dropuser", "pg_dropcluster", "memcflush", "mysql_install_db", "pg_resetwal"),
        _ALWAYS,
    ),
    **dict.fromkeys(("redis-cli", "valkey-cli"), (redis,)),
    **dict.fromkeys(
        (
            "manage.py", "python", "python3", "rails", "rake", "artisan", "php", "django-admin", "bin/rails",
            "console", "mix",
        ),
        (framework,),
    ),
    "mysqladmin": _drops("* drop|shutdown|flush-privileges"),
    "mongorestore": _drops("--drop"),
    "pg_restore": (phrase("-c|--clean", Harm.DATABASE, "drops existing data before it restores a backup"),),
    "etcdctl": _drops("del", "snapshot restore", "member remove"),
    "influx": _drops("delete", "bucket delete", "org delete"),
    "alembic": _drops("downgrade base"),
    "flask": _drops("db downgrade base"),
    "prisma": _drops("migrate reset", "db push --force-reset"),
    "flyway": _drops("clean"),
    "liquibase": _drops("drop-all|dropAll|rollback-count"),
    "sequelize": _drops("db:drop"),
    "sequelize-cli": _drops("db:drop", "db:migrate:undo:all"),
    "knex": _drops("migrate:rollback --all"),
    "typeorm": _drops("schema:drop"),
    "typeorm-ts-node-esm": _drops("schema:drop"),
    "typeorm-ts-node-commonjs": _drops("schema:drop"),
    "drizzle-kit": _drops("drop"),
    "diesel": _drops("database reset|drop"),
    "sqlx": _drops("database drop|reset"),
    "dbmate": _drops("drop"),
    "goose": _drops("reset", "* reset", "down-to 0"),
    "migrate": _drops("* drop"),
    "bq": _drops("rm -r|-f|--recursive|--force"),
    "neo4j-admin": _drops("database delete|load"),
    "kafka-topics.sh": _drops("--delete"),
    "kafka-topics": _drops("--delete"),
    "nats": _drops("stream purge|rm|delete", "kv del|purge"),
    "rabbitmqctl": _drops("reset|force_reset|delete_vhost|purge_queue|delete_queue|stop_app"),
    "rabbitmqadmin": _drops("delete|purge"),
    "memcached-tool": _drops("* flush_all"),
    "cockroach": _drops("node decommission", "debug reset-quorum"),
    "nodetool": _drops("drain|decommission|clearsnapshot|removenode|assassinate"),
    "pg_ctl": _drops("stop -m"),
}  # fmt: skip
