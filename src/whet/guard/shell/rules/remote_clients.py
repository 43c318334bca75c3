"""Clients of something elsewhere: the word that takes it away is the same in most of them, and so is giving it to all."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.rules.rule import Rule, RuleHit

_GONE = "deletes remote resources"
_TAKES_AWAY = re.compile(
    r"(delete|terminate|destroy|purge|deregister|remove|disassociate|revoke|wipe|reset|erase|disable|seal|evict|undefine|unregister(vm)?|nuke|undeploy|uninstall|leave|decommission|teardown)(-.*)?|rb"
)
# For whatever tool: words that leave little doubt, where they stand as the verb.
_ANYWHERE = frozenset(
    {
        "destroy",
        "drop",
        "drop-all",
        "purge",
        "wipe",
        "nuke",
        "erase",
        "undeploy",
        "force-delete",
        "delete-all",
        "destroy-all",
        "factory-reset",
    }
)
_GUARDS = frozenset(
    {"firewall", "selinux", "apparmor", "antivirus", "audit", "protection", "realtime-protection", "secureboot"}
)
_OFF = frozenset({"disable", "stop", "off", "disabled", "unload", "teardown"})
_MAY = frozenset({
    "git", "pip", "pip3", "uv", "npm", "pnpm", "yarn", "poetry", "pdm", "conda", "mamba", "gem", "bundle", "cargo", "go", "make", "just", "task", "rake", "rails", "python", "python3", "node", "ruby", "perl", "php", "java",
    "dotnet", "npx", "bunx", "bun", "deno", "hg", "jj", "svn", "kubectl", "man", "tldr", "which", "type", "awk", "jq", "yq", "sed", "xargs", "ssh", "curl", "wget", "http", "brew", "apt", "apt-get", "dnf", "yum", "dpkg",
    "pytest", "tox", "nox", "ctest", "mix", "sbt", "gradle", "mvn", "kind", "minikube", "k3d", "colima", "ccache", "pre-commit", "pkill", "pgrep", "killall", "touch", "mkdir", "cp", "mv", "rm", "ln", "cat", "ls",
    "for", "set", "export", "declare", "local", "read", "test", "[", "[[", "cd", "find", "fd", "docker", "podman", "docker-compose", "apropos", "whatis", "trap", "tmux", "screen", "watch", "timeout", "time", "sudo", "env",
    "vim", "vi", "nvim", "nano", "code", "open", "rg", "ag", "grep", "egrep", "fgrep", "echo", "printf", "diff", "tee", "tr", "cut", "sort", "bash", "sh", "zsh", "eval", "command", "case", "iptables", "ip6tables", "nft", "tc",
})  # fmt: skip
_FOR_ALL = re.compile(
    r"allUsers|allAuthenticatedUsers|public-read(-write)?\b|\"Principal\"\s*:\s*(\{\s*\"AWS\"\s*:\s*)?\"\*\"|--group-names? all\b|--public-access[= ](blob|container)|--allow-blob-public-access[= ]true|--visibility[= ]public"
    r"|--source-address-prefixes?[= ](\*|Internet|0\.0\.0\.0/0)"
)
_TO_NOTHING = re.compile(
    r"\"?replicas\"?\s*[:=]\s*0\b|--desired-(count|capacity)[= ]0\b|--max-size[= ]0\b|ps:scale \S+=0\b|--num-nodes[= ]0\b|scale count 0\b|--min-instances[= ]0 --max-instances[= ]0"
)
_UNGUARDED = re.compile(
    r"--no-(disable-api-termination|deletion-protection|enable-deletion-protection|termination-protection)\b"
)
_RIGHTS = re.compile(
    r"role assignment create|ad sp create-for-rbac|policy write|auth enable|auth/\S+/users/|operator (init|generate-root|rekey)|ssh-key add|gpg-key add|deploy-key add|auth refresh .*(admin|delete_repo)"
    r"|/(collaborators|memberships|keys|hooks)\b.*|auth reconcile|edit (cluster)?role|enforce=privileged|create-login-profile|set-iam-policy|admin policy (attach|set)"
)


def taken_away(call: Call) -> Iterator[RuleHit]:
    """`gcloud compute instances delete x`, `az group delete`, `heroku apps:destroy`."""
    for word in call.options.operands[:5]:
        if _TAKES_AWAY.fullmatch(word.rpartition(":")[2]):
            yield Harm.INFRASTRUCTURE, _GONE
            return


def opened_or_emptied(call: Call) -> Iterator[RuleHit]:
    said = " ".join(call.args)
    if _FOR_ALL.search(said):
        yield Harm.PERMISSIONS, "makes remote data public"
    if _TO_NOTHING.search(said):
        yield Harm.INFRASTRUCTURE, "stops remote services"
    if "security.privileged=true" in said:
        yield Harm.PRIVILEGE, "starts a privileged virtual machine"
    if _UNGUARDED.search(said):
        yield Harm.INFRASTRUCTURE, "removes the deletion protection of a remote resource"
    if _RIGHTS.search(said) and (
        call.name != "gh" or "api" not in call.args or not {"PUT", "POST", "PATCH"}.isdisjoint(call.args)
    ):
        yield Harm.ACCOUNTS, "changes who may use remote resources"


def by_any_name(call: Call) -> Iterator[RuleHit]:
    """A tool that nothing is known of, told to destroy: `dbmate drop`, `qm destroy 100`."""
    if call.name in _MAY or call.name in RULES or "/" in call.path or "." in call.name:
        return
    said = call.options.operands[:4]
    if not _GUARDS.isdisjoint(said) and not _OFF.isdisjoint(said):
        yield Harm.FIREWALL, "switches off a protection of the machine"
    for word in said[:3]:
        if word in _ANYWHERE:
            yield Harm.INFRASTRUCTURE, f"tells {call.name} to {word}"
            return


_CLIENT = (taken_away, opened_or_emptied)
RULES: dict[str, tuple[Rule, ...]] = {
    **dict.fromkeys(("gcloud", "az", "heroku", "doctl", "fly", "flyctl", "eksctl", "pulumi", "ibmcloud", "linode-cli", "hcloud", "oci", "aliyun", "scw", "netlify", "cdk", "serverless", "sls", "vault", "bao", "consul",
                     "rancher", "openstack", "civo", "exo", "sam", "wrangler", "firebase", "supabase", "railway", "render", "virsh", "prlctl", "VBoxManage", "govc", "kops", "velero", "nomad", "argocd", "flux", "lxc", "incus",
                     "multipass", "qm", "pct", "jenkins-cli", "copilot", "eb", "amplify", "vultr-cli", "upctl", "ionosctl", "cf", "dokku", "nats", "tkn", "istioctl", "linkerd", "cilium", "boundary", "waypoint", "rosa", "tctl", "tsh",
                     "tailscale", "zerotier-cli", "cloudflared", "flarectl", "pscale", "turso", "neonctl", "atlas", "confluent", "databricks", "snow", "dapr", "kn", "kubeadm", "clusterctl"), _CLIENT),
    **dict.fromkeys(("aws", "kubectl", "oc", "k", "gsutil", "s3cmd", "mc", "gh", "glab", "helm"), (opened_or_emptied,)),
}  # fmt: skip
