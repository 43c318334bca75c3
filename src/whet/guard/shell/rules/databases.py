"""Databases: what their own tools, and the tools that keep their tables, empty or drop."""

import re
from collections.abc import Iterator

from whet.guard.shell.code import sql
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.effects import CausesHarm
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.rules.rule import Rule, RuleHit, always, phrase

_DROPPED = "empties or drops the database"
_REDIS = frozenset({"flushall", "flushdb", "shutdown", "slaveof", "replicaof", "debug", "module", "failover", "swapdb"})
_FRAMEWORK = frozenset({
    "flush", "reset_db", "db:drop", "db:drop:all", "db:reset", "db:purge", "migrate:fresh", "migrate:reset", "db:wipe", "sqlflush", "db:schema:load", "db:rollback:all", "db:structure:load",
    "doctrine:database:drop", "doctrine:schema:drop", "schema:drop", "ecto.drop", "ecto.reset", "migrate:refresh", "db:truncate_all",
})  # fmt: skip
_EVERY_ROW = re.compile(
    r"\.(delete_all|destroy_all|truncate)\b|objects\.all\(\)\.(delete|update)\(|\.drop_all\(|drop_table\b|objects\.filter\(\)\.delete"
)


def redis(call: Call) -> Iterator[RuleHit]:
    said = [word.lower() for word in call.args]
    if not _REDIS.isdisjoint(said) or said[-4:-2] == ["config", "set"] or said[-3:-1] == ["config", "set"]:
        yield Harm.DATABASE, "empties a database or hands it over"


def framework(call: Call) -> Iterator[RuleHit]:
    """`manage.py flush`, `rails db:drop`, `artisan migrate:fresh`, `rails runner 'User.delete_all'`."""
    said = call.args
    if not _FRAMEWORK.isdisjoint(said) or ("migrate" in said and said[-1] == "zero"):
        yield Harm.DATABASE, _DROPPED
    if call.stdin and not {"dbshell", "dbconsole", "db"}.isdisjoint(said):
        yield from ((found.harm, found.reason) for found in sql.effects(call.stdin) if isinstance(found, CausesHarm))
    if any(word in ("runner", "shell", "r", "tinker", "console") for word in said) and _EVERY_ROW.search(
        " ".join(said) + (call.stdin or "")
    ):
        yield Harm.DATABASE, "deletes every row of a table"


def _drops(*phrases: str) -> tuple[Rule, ...]:
    return tuple(phrase(one, Harm.DATABASE, _DROPPED) for one in phrases)


_ALWAYS = (always(Harm.DATABASE, "drops a database or who may use it"),)
RULES: dict[str, tuple[Rule, ...]] = {
    **dict.fromkeys(("dropdb", "dropuser", "pg_dropcluster", "memcflush", "mysql_install_db", "pg_resetwal"), _ALWAYS), **dict.fromkeys(("redis-cli", "valkey-cli"), (redis,)),
    **dict.fromkeys(("manage.py", "python", "python3", "rails", "rake", "artisan", "php", "django-admin", "bin/rails", "console", "mix"), (framework,)),
    "mysqladmin": _drops("* drop|shutdown|flush-privileges"), "mongorestore": _drops("--drop"), "pg_restore": (phrase("-c|--clean", Harm.DATABASE, "drops what it restores first"),),
    "etcdctl": _drops("del", "snapshot restore", "member remove"), "influx": _drops("delete", "bucket delete", "org delete"), "alembic": _drops("downgrade base"), "flask": _drops("db downgrade base"),
    "prisma": _drops("migrate reset", "db push --force-reset"), "flyway": _drops("clean"), "liquibase": _drops("drop-all|dropAll|rollback-count"), "sequelize": _drops("db:drop"), "sequelize-cli": _drops("db:drop", "db:migrate:undo:all"),
    "knex": _drops("migrate:rollback --all"), "typeorm": _drops("schema:drop"), "typeorm-ts-node-esm": _drops("schema:drop"), "typeorm-ts-node-commonjs": _drops("schema:drop"), "drizzle-kit": _drops("drop"), "diesel": _drops("database reset|drop"),
    "sqlx": _drops("database drop|reset"), "dbmate": _drops("drop"), "goose": _drops("reset", "* reset", "down-to 0"), "migrate": _drops("* drop"), "bq": _drops("rm -r|-f|--recursive|--force"),
    "neo4j-admin": _drops("database delete|load"), "kafka-topics.sh": _drops("--delete"), "kafka-topics": _drops("--delete"), "nats": _drops("stream purge|rm|delete", "kv del|purge"), "rabbitmqctl": _drops("reset|force_reset|delete_vhost|purge_queue|delete_queue|stop_app"),
    "rabbitmqadmin": _drops("delete|purge"), "memcached-tool": _drops("* flush_all"), "cockroach": _drops("node decommission", "debug reset-quorum"), "nodetool": _drops("drain|decommission|clearsnapshot|removenode|assassinate"), "pg_ctl": _drops("stop -m"),
}  # fmt: skip
