"""Clients of clouds and other remote services: most use the same words for deleting, publishing and stopping."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.rules.rule import Rule, RuleHit

_DELETES_REMOTE = "deletes remote resources"
_DELETING_WORD = re.compile(
    r"(delete|empty|terminate|destroy|purge|deregister|remove|disassociate|revoke|wipe|reset|erase|disable|seal|evict"
    r"|undefine|unregister(vm)?|nuke|undeploy|uninstall|leave|decommission|teardown)(-.*)?|rb"
)
# Verbs that are destructive for any tool.
_DESTRUCTIVE_VERBS = frozenset({
    "destroy", "drop", "drop-all", "purge", "wipe", "nuke", "erase", "undeploy", "force-delete", "delete-all",
    "destroy-all", "factory-reset",
})  # fmt: skip
_PROTECTIONS = frozenset(
    {"firewall", "selinux", "apparmor", "antivirus", "audit", "protection", "realtime-protection", "secureboot"}
)
_SWITCH_OFF = frozenset({"disable", "stop", "off", "disabled", "unload", "teardown"})
_KNOWN_TOOLS = frozenset({
    "git", "pip", "pip3", "uv", "npm", "pnpm", "yarn", "poetry", "pdm", "conda", "mamba", "gem", "bundle",
    "cargo", "go", "make", "just", "task", "rake", "rails", "python", "python3", "node", "ruby", "perl", "php",
    "java", "dotnet", "npx", "bunx", "bun", "deno", "hg", "jj", "svn", "kubectl", "man", "tldr", "which", "type",
    "awk", "jq", "yq", "sed", "xargs", "ssh", "curl", "wget", "http", "brew", "apt", "apt-get", "dnf", "yum",
    "dpkg", "pytest", "tox", "nox", "ctest", "mix", "sbt", "gradle", "mvn", "kind", "minikube", "k3d", "colima",
    "ccache", "pre-commit", "pkill", "pgrep", "killall", "touch", "mkdir", "cp", "mv", "rm", "ln", "cat", "ls",
    "for", "set", "export", "declare", "local", "read", "test", "[", "[[", "cd", "find", "fd", "docker",
    "podman", "docker-compose", "apropos", "whatis", "trap", "tmux", "screen", "watch", "timeout", "time",
    "sudo", "env", "vim", "vi", "nvim", "nano", "code", "open", "rg", "ag", "grep", "egrep", "fgrep", "echo",
    "printf", "diff", "tee", "tr", "cut", "sort", "bash", "sh", "zsh", "eval", "command", "case", "iptables",
    "ip6tables", "nft", "tc",
})  # fmt: skip
_MAKES_PUBLIC = re.compile(
    r"allUsers|allAuthenticatedUsers|public-read(-write)?\b|\"Principal\"\s*:\s*(\{\s*\"AWS\"\s*:\s*)?\"\*\""
    r"|--group-names? all\b|--public-access[= ](blob|container)|--allow-blob-public-access[= ]true"
    r"|--visibility[= ]public|publicAccessCidrs=\S*0\.0\.0\.0/0"
    r"|--source-address-prefixes?[= ](\*|Internet|0\.0\.0\.0/0)"
)
_WITHOUT_SIGN_IN = re.compile(r"--allow-unauthenticated\b|--auth-type[= ]NONE\b|--authorization-type[= ]NONE\b")
_SCALES_TO_ZERO = re.compile(
    r"\"?replicas\"?\s*[:=]\s*0\b|--desired-(count|capacity)[= ]0\b|--max-size[= ]0\b|ps:scale \S+=0\b"
    r"|--num-nodes[= ]0\b|scale count 0\b|--min-instances[= ]0 --max-instances[= ]0"
)
_RUNS_AT_START = re.compile(r"startup-script(-url)?=|modify-instance-attribute .*--user-data\b")
_REMOVES_PROTECTION = re.compile(
    r"--no-(disable-api-termination|deletion-protection|enable-deletion-protection|termination-protection)\b"
)
_CHANGES_ACCESS = re.compile(
    r"role assignment create|ad sp create-for-rbac|policy write|auth enable|auth/\S+/users/|operator (init"
    r"|generate-root|rekey)|ssh-key add|gpg-key add|deploy-key add|auth refresh .*(admin|delete_repo)"
    r"|/(collaborators|memberships|keys|hooks)\b.*|auth reconcile|(edit|patch) (cluster)?role|enforce=privileged"
    r"|(create|update)-login-profile|users set-password|token create|set-iam-policy|admin policy (attach|set)"
)


def delete_resource(call: Call) -> Iterator[RuleHit]:
    """Refuse `gcloud compute instances delete x`, `az group delete`, `heroku apps:destroy`."""
    for word in call.options.operands[:5]:
        if _DELETING_WORD.fullmatch(word.rpartition(":")[2]):
            yield Harm.INFRASTRUCTURE, _DELETES_REMOTE
            return


def expose_or_stop(call: Call) -> Iterator[RuleHit]:
    arguments = " ".join(call.args)
    if _MAKES_PUBLIC.search(arguments):
        yield Harm.PERMISSIONS, "makes remote data public"
    if _WITHOUT_SIGN_IN.search(arguments):
        yield Harm.PERMISSIONS, "lets everybody call a remote service without signing in", True
    if _SCALES_TO_ZERO.search(arguments):
        yield Harm.INFRASTRUCTURE, "stops remote services"
    if "security.privileged=true" in arguments:
        yield Harm.PRIVILEGE, "starts a privileged virtual machine"
    if _RUNS_AT_START.search(arguments):
        yield Harm.INFRASTRUCTURE, "gives a remote machine a program that it runs at its start", True
    if _REMOVES_PROTECTION.search(arguments):
        yield Harm.INFRASTRUCTURE, "removes the deletion protection of a remote resource"
    is_api_read = call.name == "gh" and "api" in call.args and {"PUT", "POST", "PATCH"}.isdisjoint(call.args)
    if _CHANGES_ACCESS.search(arguments) and not is_api_read:
        yield Harm.ACCOUNTS, "changes who may use remote resources"


def destructive_verb_hits(call: Call) -> Iterator[RuleHit]:
    """Yield destructive verbs of a tool that has no rules of its own: `dbmate drop`, `qm destroy 100`."""
    if call.name in _KNOWN_TOOLS or call.name in RULES or "/" in call.path or "." in call.name:
        return
    words = call.options.operands[:4]
    if not _PROTECTIONS.isdisjoint(words) and not _SWITCH_OFF.isdisjoint(words):
        yield Harm.FIREWALL, "switches off a protection of the machine"
    for word in words[:3]:
        if word in _DESTRUCTIVE_VERBS:
            yield Harm.INFRASTRUCTURE, f"tells {call.name} to {word}"
            return


_CLIENT_RULES = (delete_resource, expose_or_stop)
RULES: dict[str, tuple[Rule, ...]] = {
    **dict.fromkeys(
        (
            "gcloud", "az", "heroku", "doctl", "fly", "flyctl", "eksctl", "pulumi", "ibmcloud", "linode-cli",
            "hcloud", "oci", "aliyun", "scw", "netlify", "cdk", "serverless", "sls", "vault", "bao", "consul",
            "rancher", "openstack", "civo", "exo", "sam", "wrangler", "firebase", "supabase", "railway", "render",
            "virsh", "prlctl", "VBoxManage", "govc", "kops", "velero", "nomad", "argocd", "flux", "lxc", "incus",
            "multipass", "qm", "pct", "jenkins-cli", "copilot", "eb", "amplify", "vultr-cli", "upctl", "ionosctl",
            "cf", "dokku", "nats", "tkn", "istioctl", "linkerd", "cilium", "boundary", "waypoint", "rosa", "tctl",
            "tsh", "tailscale", "zerotier-cli", "cloudflared", "flarectl", "pscale", "turso", "neonctl", "atlas",
            "confluent", "databricks", "snow", "dapr", "kn", "kubeadm", "clusterctl",
        ),
        _CLIENT_RULES,
    ),
    **dict.fromkeys(("aws", "kubectl", "oc", "k", "gsutil", "s3cmd", "mc", "gh", "glab", "helm"), (expose_or_stop,)),
}  # fmt: skip
