"""Clouds, clusters, containers, databases: what a client takes away elsewhere."""

import re
from collections.abc import Iterator

from whet.guard.shell.call import Call
from whet.guard.shell.dangers.network import LOCAL
from whet.guard.shell.dangers.rule import Verdict, always, phrase
from whet.guard.shell.harm import Harm
from whet.guard.shell.paths import is_private, is_secret

_GONE = "deletes what runs or lies elsewhere"
_DELETES = re.compile(
    r"(delete|terminate|destroy|purge|deregister|remove|disassociate|revoke|wipe|reset|erase|disable|seal|evict)(-.*)?|rb|nuke|undeploy|down"
)


def amazon(call: Call) -> Iterator[Verdict]:
    words = call.options.operands
    if words[1:2] == ["authorize-security-group-ingress"]:
        yield from _let_in(call)
    if words[:2] == ["s3", "rm"] and call.options.has("", "recursive"):
        yield Harm.INFRASTRUCTURE, "deletes a tree of a bucket"
    elif words[:2] == ["s3", "rb"] or (words[:2] == ["s3", "sync"] and call.options.has("", "delete")):
        yield Harm.INFRASTRUCTURE, "deletes what is in a bucket"
    elif len(words) > 1 and re.match(
        r"(delete|terminate|deregister|purge|remove|revoke|reset|disable|stop)-|schedule-key-deletion", words[1]
    ):
        yield Harm.INFRASTRUCTURE, _GONE
    elif (
        words[:1] == ["iam"]
        and len(words) > 1
        and re.match(r"(create-access-key|attach|put|add-user|create-user|create-login|update-assume)", words[1])
    ):
        yield Harm.ACCOUNTS, "changes who may use the account"
    elif words[:2] in (["s3", "cp"], ["s3", "sync"], ["s3", "mv"]) and len(words) > 3 and words[3].startswith("s3://"):
        if words[2] not in (".", "./") and is_private(call.here(words[2])):
            yield Harm.EXFILTRATION, f"sends {words[2]} away"
    elif words[:2] == ["secretsmanager", "get-secret-value"] or (
        words[:2] == ["ssm", "get-parameter"] and call.options.has("", "with-decryption")
    ):
        yield Harm.SECRETS, "reads a secret"


def _let_in(call: Call) -> Iterator[Verdict]:
    """Everybody may come to what is served to everybody, not to the rest."""
    said = " ".join(call.args)
    if ("0.0.0.0/0" in said or "::/0" in said) and not re.search(r"(port[= ]|FromPort=|tcp:)(80|443)\b", said):
        yield Harm.FIREWALL, "opens the firewall to everybody"


def by_verb(call: Call) -> Iterator[Verdict]:
    """`gcloud compute instances delete x`, `az group delete`, `heroku apps:destroy`."""
    if call.name == "gcloud" and (
        call.options.operands[:4] == ["iam", "service-accounts", "keys", "create"]
        or "add-iam-policy-binding" in call.options.operands
    ):
        yield Harm.ACCOUNTS, "changes who may use the account"
    if call.name == "gcloud" and {"firewall-rules", "create"} <= set(call.options.operands):
        yield from _let_in(call)
    for word in call.options.operands[:5]:
        if _DELETES.fullmatch(word.rpartition(":")[2]) and (word != "down" or call.name in ("pulumi",)):
            yield Harm.INFRASTRUCTURE, _GONE
            return


def kubernetes(call: Call) -> Iterator[Verdict]:
    words = _after_options(call.args)
    everything = call.options.has("", "all", "all-namespaces") or "-A" in call.args
    if words[:1] == ["delete"]:
        one_of_many = (
            len(words) > 1
            and re.match(r"(pods?|po|jobs?)(/|$)", words[1])
            and not everything
            and not call.options.has("", "force")
        )
        if not one_of_many or (len(words) == 2 and "/" not in words[1]):
            yield Harm.INFRASTRUCTURE, "deletes what runs in a cluster"
    elif words[:1] in (["drain"], ["cordon"], ["taint"]) or (
        words[:1] == ["replace"] and call.options.has("", "force")
    ):
        yield Harm.INFRASTRUCTURE, "takes away what runs in a cluster"
    elif words[:1] == ["scale"] and any(word in ("--replicas=0", "0") for word in call.args):
        yield Harm.INFRASTRUCTURE, "stops what runs in a cluster"
    elif words[:2] in (["get", "secret"], ["get", "secrets"]) and any(
        word.startswith(("-o", "--output", "-oyaml")) for word in call.args
    ):
        yield Harm.SECRETS, "reads the secrets of a cluster"
    elif words[:1] == ["cp"] and any(is_secret(call.here(path)) for path in words[1:]):
        yield Harm.EXFILTRATION, "sends a secret into a cluster"
    elif words[:1] in (["apply"], ["create"]) and any(
        word.startswith("http://") and not LOCAL.fullmatch(word) for word in call.args
    ):
        yield Harm.PACKAGES, "takes what a cluster runs over a connection that anybody on the way can change"
    elif words[:2] == ["create", "clusterrolebinding"]:
        yield Harm.PRIVILEGE, "gives rights over a whole cluster"


def _after_options(args: list[str]) -> list[str]:
    words, place = [], 0
    while place < len(args):
        if args[place].startswith("-"):
            place += (
                2
                if args[place]
                in (
                    "-n",
                    "--namespace",
                    "--context",
                    "--kubeconfig",
                    "-f",
                    "-l",
                    "--filename",
                    "--selector",
                    "-o",
                    "-c",
                )
                else 1
            )
            continue
        words.append(args[place])
        place += 1
    return words


def terraform(call: Call) -> Iterator[Verdict]:
    words = call.options.operands
    if (
        words[:1] == ["destroy"]
        or call.options.has("", "destroy")
        or "-destroy" in call.args
        or words[:2] in (["state", "rm"], ["workspace", "delete"])
    ):
        yield Harm.INFRASTRUCTURE, _GONE
    elif words[:1] == ["apply"] and any(word.lstrip("-").startswith("auto-approve") for word in call.args):
        yield Harm.INFRASTRUCTURE, "changes what runs elsewhere with nobody asked"


def redis(call: Call) -> Iterator[Verdict]:
    if {word.lower() for word in call.args} & {"flushall", "flushdb", "shutdown"} or [
        word.lower() for word in call.args[-4:-2]
    ] == ["config", "set"]:
        yield Harm.DATABASE, "empties a database"


def framework(call: Call) -> Iterator[Verdict]:
    """`manage.py flush`, `rails db:drop`, `artisan migrate:fresh`."""
    gone = {
        "flush",
        "reset_db",
        "db:drop",
        "db:drop:all",
        "db:reset",
        "db:purge",
        "migrate:fresh",
        "migrate:reset",
        "db:wipe",
        "sqlflush",
        "db:schema:load",
    }
    if not gone.isdisjoint(call.args):
        yield Harm.DATABASE, "empties or drops the database"


def alembic(call: Call) -> Iterator[Verdict]:
    if call.options.operands[:2] == ["downgrade", "base"]:
        yield Harm.DATABASE, "drops every table that migrations made"


_DROPS = (always(Harm.DATABASE, "drops a database or who may use it"),)
RULES = {
    "aws": (amazon,), "kubectl": (kubernetes,), "oc": (kubernetes,), "k": (kubernetes,), "terraform": (terraform,), "tofu": (terraform,), "terragrunt": (terraform,),
    **dict.fromkeys(("gcloud", "az", "heroku", "doctl", "fly", "flyctl", "eksctl", "pulumi", "ibmcloud", "linode-cli", "hcloud", "oci", "aliyun", "scw",
                     "netlify", "cdk", "serverless", "sls", "vault", "consul", "rancher", "openstack", "civo", "exo", "sam", "wrangler", "firebase",
                     "supabase", "railway", "render", "virsh", "prlctl", "VBoxManage", "govc", "kops", "velero", "rabbitmqctl"), (by_verb,)),
    "vercel": (phrase("rm|remove", Harm.INFRASTRUCTURE, _GONE),), "helm": (phrase("uninstall|delete|del|un", Harm.INFRASTRUCTURE, _GONE),),
    "gsutil": (phrase("rm -r|-R", Harm.INFRASTRUCTURE, _GONE), phrase("rb", Harm.INFRASTRUCTURE, _GONE)), "s3cmd": (phrase("del|rb|rm|expire", Harm.INFRASTRUCTURE, _GONE),),
    "mc": (phrase("rm|rb", Harm.INFRASTRUCTURE, _GONE),), "rclone": (phrase("purge|delete|sync|deletefile|cleanup", Harm.INFRASTRUCTURE, _GONE),), "vagrant": (phrase("destroy", Harm.INFRASTRUCTURE, _GONE),),
    "docker": (phrase("volume rm|prune|remove", Harm.INFRASTRUCTURE, "deletes the data of containers"), phrase("system prune --volumes", Harm.INFRASTRUCTURE, "deletes the data of containers"),
               phrase("system prune -a|--all -f|--force", Harm.INFRASTRUCTURE, "deletes every image and container that does not run"), phrase("swarm leave --force|-f", Harm.INFRASTRUCTURE, _GONE), phrase("stack rm", Harm.INFRASTRUCTURE, _GONE)),
    "podman": (phrase("volume rm|prune", Harm.INFRASTRUCTURE, "deletes the data of containers"), phrase("system reset|prune", Harm.INFRASTRUCTURE, "deletes the data of containers")),
    "nomad": (by_verb, phrase("* stop -purge", Harm.INFRASTRUCTURE, _GONE)), "redis-cli": (redis,), "valkey-cli": (redis,), "dropdb": _DROPS, "dropuser": _DROPS, "mysqladmin": (phrase("* drop|shutdown|flush-privileges", Harm.DATABASE, "drops a database or stops it"),),
    "pg_dropcluster": _DROPS, "etcdctl": (phrase("del", Harm.DATABASE, "deletes keys of a cluster"),), "influx": (phrase("delete", Harm.DATABASE, "deletes what a database holds"),),
    **dict.fromkeys(("manage.py", "python", "python3", "rails", "rake", "artisan", "php", "django-admin", "bin/rails"), (framework,)),
    "alembic": (alembic,), "prisma": (phrase("migrate reset", Harm.DATABASE, "empties the database"), phrase("db push --force-reset", Harm.DATABASE, "empties the database")),
    "npx": (phrase("prisma migrate reset", Harm.DATABASE, "empties the database"),), "pg_restore": (phrase("-c|--clean", Harm.DATABASE, "drops what it restores first"),),
    "flyway": (phrase("clean", Harm.DATABASE, "drops everything in a database"),), "sequelize": (phrase("db:drop", Harm.DATABASE, "drops a database"),),
    "kafka-topics.sh": (phrase("--delete", Harm.DATABASE, "deletes a topic"),), "kafka-topics": (phrase("--delete", Harm.DATABASE, "deletes a topic"),),
}  # fmt: skip
