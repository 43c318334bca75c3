"""Commands that delete, stop or open resources of clouds, clusters, containers and backups."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.hosts import KNOWN_HOSTS, LOCAL
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.paths import is_private, is_secret
from whet.guard.shell.rules.rule import RuleHit, phrase

_DELETES_REMOTE = "deletes remote resources"
_RUNS_ELSEWHERE = "runs commands on other machines"
_AWS_DELETING_VERB = re.compile(
    r"(delete|terminate|deregister|purge|remove|revoke|reset|disable|stop)-|schedule-key-deletion"
)
_AWS_ACCESS_VERB = re.compile(r"(create-access-key|attach|put|add-user|create-user|create-login|update-assume)")
_PUBLIC_PORT = re.compile(r"(port[= ]|FromPort=|tcp:)(80|443)\b")
_KUBECTL_VALUED_OPTIONS = frozenset(
    {"-n", "--namespace", "--context", "--kubeconfig", "-f", "-l", "--filename", "--selector", "-o", "-c"}
)
_REPLACEABLE_RESOURCE = re.compile(r"(pods?|po|jobs?)(/|$)")
_MANIFEST_HOSTS = re.compile(rf"{KNOWN_HOSTS}|(.*\.)?(k8s\.io|github\.io|gitlab\.io|istio\.io|projectcalico\.org)")
_POD_SECRET_FOLDERS = (":/var/lib/etcd", ":/run/secrets", ":/var/run/secrets")


def aws(call: Call) -> Iterator[RuleHit]:
    """Refuse `aws` commands that delete resources, change access, read secrets or send private files."""
    words, options = call.options.operands, call.options
    service, verb = "".join(words[:1]), "".join(words[1:2])
    if verb == "authorize-security-group-ingress":
        yield from _open_firewall_hits(call)
    if service == "s3" and verb == "rm" and options.has("", "recursive"):
        yield Harm.INFRASTRUCTURE, "deletes a folder of a bucket"
    elif service == "s3" and (verb == "rb" or (verb == "sync" and options.has("", "delete"))):
        yield Harm.INFRASTRUCTURE, "deletes the content of a bucket"
    elif service == "s3" and verb == "mv" and options.has("", "recursive") and "".join(words[2:3]).startswith("s3://"):
        yield Harm.INFRASTRUCTURE, "moves the content of a bucket away", True
    elif _AWS_DELETING_VERB.match(verb):
        yield Harm.INFRASTRUCTURE, _DELETES_REMOTE
    elif service == "iam" and _AWS_ACCESS_VERB.match(verb):
        yield Harm.ACCOUNTS, "changes who may use a cloud account"
    elif service == "s3" and verb in ("cp", "sync", "mv") and len(words) > 3 and words[3].startswith("s3://"):
        if words[2] not in (".", "./") and is_private(call.resolve(words[2])):
            yield Harm.EXFILTRATION, f"sends {words[2]} away"
    elif words[:2] == ["secretsmanager", "get-secret-value"] or (
        service == "ssm" and verb.startswith("get-parameter") and options.has("", "with-decryption")
    ):
        yield Harm.SECRETS, "reads a secret"


def aws_commands(call: Call) -> Iterator[RuleHit]:
    """Refuse `aws ssm send-command`: the commands that run on other machines are not judged."""
    if call.options.operands[:2] == ["ssm", "send-command"]:
        yield Harm.INFRASTRUCTURE, _RUNS_ELSEWHERE
    if call.options.operands[:2] == ["organizations", "leave-organization"]:
        yield Harm.INFRASTRUCTURE, _DELETES_REMOTE


def _open_firewall_hits(call: Call) -> Iterator[RuleHit]:
    """Refuse opening a port to every address, except the ports 80 and 443."""
    arguments = " ".join(call.args)
    opens_to_all = "0.0.0.0/0" in arguments or "::/0" in arguments
    if opens_to_all and not _PUBLIC_PORT.search(arguments):
        yield Harm.FIREWALL, "opens the firewall to every address"


def gcloud(call: Call) -> Iterator[RuleHit]:
    words = call.options.operands
    if words[:4] == ["iam", "service-accounts", "keys", "create"] or "add-iam-policy-binding" in words:
        yield Harm.ACCOUNTS, "changes who may use a cloud account"
    if {"firewall-rules", "create"} <= set(words):
        yield from _open_firewall_hits(call)
    if words[:2] == ["storage", "rm"]:
        yield Harm.INFRASTRUCTURE, _DELETES_REMOTE


def kubernetes(call: Call) -> Iterator[RuleHit]:
    """Refuse `kubectl` commands that delete, stop or expose resources, or read secrets."""
    words = _kubectl_operands(call.args)
    verb = "".join(words[:1])
    match verb:
        case "delete" if not _deletes_one_pod(call, words):
            yield Harm.INFRASTRUCTURE, "deletes resources of a cluster"
        case "drain" | "taint":
            yield Harm.INFRASTRUCTURE, "evicts or replaces workloads of a cluster"
        case "replace" if call.options.has("", "force"):
            yield Harm.INFRASTRUCTURE, "evicts or replaces workloads of a cluster"
        case "scale" if "--replicas=0" in call.args or "0" in call.args:
            yield Harm.INFRASTRUCTURE, "stops workloads of a cluster"
        case "get" if words[1:2] in (["secret"], ["secrets"]):
            if any(word.startswith(("-o", "--output")) for word in call.args):
                yield Harm.SECRETS, "reads the secrets of a cluster"
        case "proxy":
            if any(value not in ("127.0.0.1", "localhost") for value in values_of(call.args, "--address")):
                yield Harm.PRIVILEGE, "opens a cluster to the network"
        case "cp":
            yield from _kubectl_copy_hits(call, words)
        case "apply" | "create" if _has_unencrypted_address(call):
            yield Harm.PACKAGES, "takes cluster resources over an unencrypted connection"
        case "apply" | "create" | "replace" if host := _unknown_host(call):
            yield Harm.PACKAGES, f"takes cluster resources from {host}, which the guard does not know", True
        case "create" if words[1:2] == ["clusterrolebinding"]:
            yield Harm.PRIVILEGE, "grants permissions for a whole cluster"
        case "run" if "--privileged" in call.args:
            yield Harm.PRIVILEGE, "starts a container with every privilege"


def _deletes_one_pod(call: Call, words: list[str]) -> bool:
    """True for `kubectl delete pod name`: the cluster starts a deleted pod or job again."""
    deletes_all = call.options.has("", "all", "all-namespaces") or "-A" in call.args
    if deletes_all or call.options.has("", "force") or len(words) < 2:
        return False
    has_name = len(words) > 2 or "/" in words[1]
    return has_name and _REPLACEABLE_RESOURCE.match(words[1]) is not None


def _kubectl_copy_hits(call: Call, words: list[str]) -> Iterator[RuleHit]:
    if any(folder in word for word in words for folder in _POD_SECRET_FOLDERS):
        yield Harm.SECRETS, "reads the secrets of a cluster"
    elif any(is_secret(call.resolve(path)) for path in words[1:]):
        yield Harm.EXFILTRATION, "sends a secret into a cluster"


def _has_unencrypted_address(call: Call) -> bool:
    return any(word.startswith("http://") and not LOCAL.fullmatch(word) for word in call.args)


def _unknown_host(call: Call) -> str:
    """Return the host of a manifest that is neither a forge nor a project of Kubernetes, or ""."""
    hosts = (re.match(r"https://([^/:]+)", word) for word in values_of(call.args, "-f"))
    return next((host[1] for host in hosts if host and not _MANIFEST_HOSTS.fullmatch(host[1])), "")


def _kubectl_operands(args: list[str]) -> list[str]:
    """Return the arguments that are neither options nor their values."""
    words, index = [], 0
    while index < len(args):
        if args[index].startswith("-"):
            index += 2 if args[index] in _KUBECTL_VALUED_OPTIONS else 1
            continue
        words.append(args[index])
        index += 1
    return words


def terraform(call: Call) -> Iterator[RuleHit]:
    words = call.options.operands
    destroys = "destroy" in words[:3] or call.options.has("", "destroy") or "-destroy" in call.args
    forgets_resources = words[:2] in (["state", "rm"], ["workspace", "delete"]) or words[:1] == ["force-unlock"]
    overwrites_state = words[:2] == ["state", "push"] and not {"-force", "--force"}.isdisjoint(call.args)
    if destroys or forgets_resources or overwrites_state:
        yield Harm.INFRASTRUCTURE, _DELETES_REMOTE
    elif words[:1] == ["apply"] and any(word.lstrip("-").startswith("auto-approve") for word in call.args):
        yield Harm.INFRASTRUCTURE, "changes remote resources without asking for confirmation"


def ansible(call: Call) -> Iterator[RuleHit]:
    """Refuse `ansible all -m reboot` and `ansible all -m file -a 'path=/srv state=absent'`."""
    values = (*values_of(call.args, "-m"), *values_of(call.args, "--module-name"))
    modules = {value.rpartition(".")[2] for value in values}
    if not modules.isdisjoint(("reboot", "shutdown", "win_reboot")):
        yield Harm.POWER, "stops or restarts machines"
    if "state=absent" in " ".join(call.args):
        yield Harm.INFRASTRUCTURE, "deletes something on many machines"


def delete_backups(call: Call) -> Iterator[RuleHit]:
    """Refuse deleting backups, except `forget` with a rule that keeps others (`--keep-daily 7`)."""
    words = call.options.operands
    deletes = not {"delete", "purge", "remove", "remove-all-but-n-full"}.isdisjoint(words)
    keeps_none = re.search(r"--keep-last[= ]0", " ".join(call.args)) is not None
    forgets_all = words[:1] == ["forget"] and not any(word.startswith("--keep") for word in call.args)
    if deletes or keeps_none or forgets_all:
        yield Harm.INFRASTRUCTURE, "deletes backups"


RULES = {
    "aws": (aws, aws_commands),
    "az": (
        phrase("vm|vmss run-command invoke|create", Harm.INFRASTRUCTURE, _RUNS_ELSEWHERE),
        phrase("aks command invoke", Harm.INFRASTRUCTURE, _RUNS_ELSEWHERE),
    ),
    "kubectl": (kubernetes,),
    "oc": (kubernetes,),
    "k": (kubernetes,),
    "terraform": (terraform,),
    "tofu": (terraform,),
    "terragrunt": (terraform,),
    "gcloud": (gcloud,),
    "ansible": (ansible,),
    **dict.fromkeys(
        ("restic", "borg", "duplicity", "tmutil", "rdiff-backup", "kopia", "bupstash"),
        (delete_backups,),
    ),
    "vercel": (phrase("rm|remove", Harm.INFRASTRUCTURE, _DELETES_REMOTE),),
    "helm": (phrase("uninstall|delete|del|un", Harm.INFRASTRUCTURE, _DELETES_REMOTE),),
    "gsutil": (
        phrase("rm -r|-R", Harm.INFRASTRUCTURE, _DELETES_REMOTE),
        phrase("rb", Harm.INFRASTRUCTURE, _DELETES_REMOTE),
    ),
    "s3cmd": (phrase("del|rb|rm|expire", Harm.INFRASTRUCTURE, _DELETES_REMOTE),),
    "mc": (phrase("rm|rb", Harm.INFRASTRUCTURE, _DELETES_REMOTE),),
    "rclone": (phrase("purge|delete|sync|deletefile|cleanup", Harm.INFRASTRUCTURE, _DELETES_REMOTE),),
    "vagrant": (phrase("destroy", Harm.INFRASTRUCTURE, _DELETES_REMOTE),),
    "docker": (
        phrase("volume rm|prune|remove", Harm.INFRASTRUCTURE, "deletes the data of containers"),
        phrase("system prune --volumes", Harm.INFRASTRUCTURE, "deletes the data of containers"),
        phrase(
            "system prune -a|--all -f|--force",
            Harm.INFRASTRUCTURE,
            "deletes every image and container that does not run",
        ),
        phrase("swarm leave --force|-f", Harm.INFRASTRUCTURE, _DELETES_REMOTE),
        phrase("stack|secret|config rm|remove", Harm.INFRASTRUCTURE, _DELETES_REMOTE),
        phrase("node rm", Harm.INFRASTRUCTURE, _DELETES_REMOTE),
    ),
    "podman": (
        phrase("volume rm|prune", Harm.INFRASTRUCTURE, "deletes the data of containers"),
        phrase("system reset|prune", Harm.INFRASTRUCTURE, "deletes the data of containers"),
    ),
    "nomad": (phrase("* stop -purge", Harm.INFRASTRUCTURE, _DELETES_REMOTE),),
    "pulumi": (
        phrase("stack rm", Harm.INFRASTRUCTURE, _DELETES_REMOTE),
        phrase("up|update -y|--yes", Harm.INFRASTRUCTURE, "changes remote resources without asking for confirmation"),
    ),
    "railway": (phrase("down", Harm.INFRASTRUCTURE, _DELETES_REMOTE),),
    "dockerd": (
        phrase("-H|--host", Harm.PRIVILEGE, "opens the docker socket, and with it the machine, to the network"),
    ),
}  # fmt: skip
