"""Clouds, clusters, containers, databases: what a client takes away elsewhere."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.paths import is_private, is_secret
from whet.guard.shell.rules.network import LOCAL
from whet.guard.shell.rules.rule import RuleHit, phrase

_GONE = "deletes remote resources"


def amazon(call: Call) -> Iterator[RuleHit]:
    words = call.options.operands
    if words[1:2] == ["authorize-security-group-ingress"]:
        yield from _let_in(call)
    if words[:2] == ["s3", "rm"] and call.options.has("", "recursive"):
        yield Harm.INFRASTRUCTURE, "deletes a folder of a bucket"
    elif words[:2] == ["s3", "rb"] or (words[:2] == ["s3", "sync"] and call.options.has("", "delete")):
        yield Harm.INFRASTRUCTURE, "deletes the content of a bucket"
    elif len(words) > 1 and re.match(
        r"(delete|terminate|deregister|purge|remove|revoke|reset|disable|stop)-|schedule-key-deletion", words[1]
    ):
        yield Harm.INFRASTRUCTURE, _GONE
    elif (
        words[:1] == ["iam"]
        and len(words) > 1
        and re.match(r"(create-access-key|attach|put|add-user|create-user|create-login|update-assume)", words[1])
    ):
        yield Harm.ACCOUNTS, "changes who may use a cloud account"
    elif words[:2] in (["s3", "cp"], ["s3", "sync"], ["s3", "mv"]) and len(words) > 3 and words[3].startswith("s3://"):
        if words[2] not in (".", "./") and is_private(call.resolve(words[2])):
            yield Harm.EXFILTRATION, f"sends {words[2]} away"
    elif words[:2] == ["secretsmanager", "get-secret-value"] or (
        words[:1] == ["ssm"]
        and words[1:2]
        and words[1].startswith("get-parameter")
        and call.options.has("", "with-decryption")
    ):
        yield Harm.SECRETS, "reads a secret"


def _let_in(call: Call) -> Iterator[RuleHit]:
    """Everybody may come to what is served to everybody, not to the rest."""
    said = " ".join(call.args)
    if ("0.0.0.0/0" in said or "::/0" in said) and not re.search(r"(port[= ]|FromPort=|tcp:)(80|443)\b", said):
        yield Harm.FIREWALL, "opens the firewall to every address"


def google(call: Call) -> Iterator[RuleHit]:
    words = call.options.operands
    if words[:4] == ["iam", "service-accounts", "keys", "create"] or "add-iam-policy-binding" in words:
        yield Harm.ACCOUNTS, "changes who may use a cloud account"
    if {"firewall-rules", "create"} <= set(words):
        yield from _let_in(call)
    if words[:2] == ["storage", "rm"]:
        yield Harm.INFRASTRUCTURE, _GONE


def kubernetes(call: Call) -> Iterator[RuleHit]:
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
            yield Harm.INFRASTRUCTURE, "deletes resources of a cluster"
    elif words[:1] in (["drain"], ["cordon"], ["taint"]) or (
        words[:1] == ["replace"] and call.options.has("", "force")
    ):
        yield Harm.INFRASTRUCTURE, "evicts or replaces workloads of a cluster"
    elif words[:1] == ["scale"] and any(word in ("--replicas=0", "0") for word in call.args):
        yield Harm.INFRASTRUCTURE, "stops workloads of a cluster"
    elif words[:2] in (["get", "secret"], ["get", "secrets"]) and any(
        word.startswith(("-o", "--output", "-oyaml")) for word in call.args
    ):
        yield Harm.SECRETS, "reads the secrets of a cluster"
    elif words[:1] == ["proxy"] and any(
        value not in ("127.0.0.1", "localhost") for value in values_of(call.args, "--address")
    ):
        yield Harm.PRIVILEGE, "opens a cluster to the network"
    elif words[:1] == ["cp"] and any(
        ":/var/lib/etcd" in word or ":/run/secrets" in word or ":/var/run/secrets" in word for word in words
    ):
        yield Harm.SECRETS, "reads the secrets of a cluster"
    elif words[:1] == ["cp"] and any(is_secret(call.resolve(path)) for path in words[1:]):
        yield Harm.EXFILTRATION, "sends a secret into a cluster"
    elif words[:1] in (["apply"], ["create"]) and any(
        word.startswith("http://") and not LOCAL.fullmatch(word) for word in call.args
    ):
        yield Harm.PACKAGES, "takes cluster resources over an unencrypted connection"
    elif words[:1] == ["run"] and "--privileged" in call.args:
        yield Harm.PRIVILEGE, "starts a container with every privilege"
    elif words[:2] == ["create", "clusterrolebinding"]:
        yield Harm.PRIVILEGE, "grants permissions for a whole cluster"


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


def terraform(call: Call) -> Iterator[RuleHit]:
    words = call.options.operands
    if (
        words[:1] == ["destroy"]
        or call.options.has("", "destroy")
        or "-destroy" in call.args
        or "destroy" in words[1:3]
        or words[:2] in (["state", "rm"], ["workspace", "delete"])
        or words[:1] == ["force-unlock"]
        or (words[:2] == ["state", "push"] and not {"-force", "--force"}.isdisjoint(call.args))
    ):
        yield Harm.INFRASTRUCTURE, _GONE
    elif words[:1] == ["apply"] and any(word.lstrip("-").startswith("auto-approve") for word in call.args):
        yield Harm.INFRASTRUCTURE, "changes remote resources without asking for confirmation"


def played(call: Call) -> Iterator[RuleHit]:
    """`ansible all -m reboot`, `ansible all -m file -a 'path=/srv state=absent'`."""
    modules = {
        value.rpartition(".")[2] for value in (*values_of(call.args, "-m"), *values_of(call.args, "--module-name"))
    }
    if not modules.isdisjoint(("reboot", "shutdown", "win_reboot")):
        yield Harm.POWER, "stops or restarts machines"
    if "state=absent" in " ".join(call.args):
        yield Harm.INFRASTRUCTURE, "deletes something on many machines"


def commanded(call: Call) -> Iterator[RuleHit]:
    """`aws ssm send-command`: what is run on other machines is not looked into."""
    if call.options.operands[:2] == ["ssm", "send-command"]:
        yield Harm.INFRASTRUCTURE, "runs commands on other machines"
    if call.options.operands[:2] == ["organizations", "leave-organization"]:
        yield Harm.INFRASTRUCTURE, _GONE


def forgotten(call: Call) -> Iterator[RuleHit]:
    """Backups: one that is dropped by a rule of its own (`--keep-daily 7`) has others beside it."""
    words = call.options.operands
    if (
        "delete" in words
        or "purge" in words
        or "remove-all-but-n-full" in words
        or re.search(r"--keep-last[= ]0", " ".join(call.args))
    ) or (words[:1] == ["forget"] and not any(word.startswith("--keep") for word in call.args)):
        yield Harm.INFRASTRUCTURE, "deletes backups"


RULES = {
    "aws": (amazon, commanded), "kubectl": (kubernetes,), "oc": (kubernetes,), "k": (kubernetes,), "terraform": (terraform,), "tofu": (terraform,), "terragrunt": (terraform,),
    "gcloud": (google,), "ansible": (played,), **dict.fromkeys(("restic", "borg", "duplicity", "tmutil", "rdiff-backup", "kopia", "bupstash"), (forgotten,)),
    "vercel": (phrase("rm|remove", Harm.INFRASTRUCTURE, _GONE),), "helm": (phrase("uninstall|delete|del|un", Harm.INFRASTRUCTURE, _GONE),),
    "gsutil": (phrase("rm -r|-R", Harm.INFRASTRUCTURE, _GONE), phrase("rb", Harm.INFRASTRUCTURE, _GONE)), "s3cmd": (phrase("del|rb|rm|expire", Harm.INFRASTRUCTURE, _GONE),),
    "mc": (phrase("rm|rb", Harm.INFRASTRUCTURE, _GONE),), "rclone": (phrase("purge|delete|sync|deletefile|cleanup", Harm.INFRASTRUCTURE, _GONE),), "vagrant": (phrase("destroy", Harm.INFRASTRUCTURE, _GONE),),
    "docker": (phrase("volume rm|prune|remove", Harm.INFRASTRUCTURE, "deletes the data of containers"), phrase("system prune --volumes", Harm.INFRASTRUCTURE, "deletes the data of containers"),
               phrase("system prune -a|--all -f|--force", Harm.INFRASTRUCTURE, "deletes every image and container that does not run"), phrase("swarm leave --force|-f", Harm.INFRASTRUCTURE, _GONE), phrase("stack|secret|config rm|remove", Harm.INFRASTRUCTURE, _GONE), phrase("node rm", Harm.INFRASTRUCTURE, _GONE)),
    "podman": (phrase("volume rm|prune", Harm.INFRASTRUCTURE, "deletes the data of containers"), phrase("system reset|prune", Harm.INFRASTRUCTURE, "deletes the data of containers")),
    "nomad": (phrase("* stop -purge", Harm.INFRASTRUCTURE, _GONE),), "pulumi": (phrase("stack rm", Harm.INFRASTRUCTURE, _GONE), phrase("up|update -y|--yes", Harm.INFRASTRUCTURE, "changes remote resources without asking for confirmation")), "railway": (phrase("down", Harm.INFRASTRUCTURE, _GONE),),
    "dockerd": (phrase("-H|--host", Harm.PRIVILEGE, "opens the docker socket, and with it the machine, to the network"),),
}  # fmt: skip
