"""Keys, passwords and tokens: files that hold them, tools that print them, searches for them."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.paths import is_private, is_secret
from whet.guard.shell.model.placeholders import PRIVATE_CONTENT, UNKNOWN
from whet.guard.shell.model.programs import EDITORS, READERS
from whet.guard.shell.rules.rule import Rule, RuleHit, always, phrase

# They take a key to use it, or only look at the file around it.
_USES = frozenset({
    "ssh", "ssh-add", "ssh-keygen", "ssh-copy-id", "autossh", "mosh", "sshfs", "ls", "ll", "exa", "eza", "tree", "stat", "chmod", "chown", "chgrp", "test", "[", "[[", "mkdir", "touch", "rm", "kubectl",
    "helm", "docker", "podman", "docker-compose", "k9s", "kubectx", "realpath", "basename", "dirname", "du", "sha256sum", "md5sum", "sha1sum", "shasum", "restorecon", "lsattr", "getfacl", "export",
    "declare", "local", "readonly", "typeset", "unset", "cd", "pushd", "find", "fd", "echo", "printf", "source", ".", "git-crypt", "age", "sops", "ansible", "ansible-playbook", "packer", "gitleaks",
    "trufflehog", "xattr", "mktemp", "gocryptfs", "ssh-agent", "set", "shred", "unlink", "trash", "diff-so-fancy", "which", "type", "mount", "umount", "for", "eval", "sh", "bash", "zsh", "sudo",
})  # fmt: skip
_KEY_OPTIONS = frozenset(
    {"-i", "--key", "--cert", "--cacert", "-e", "--rsh", "--netrc-file", "--kubeconfig", "-E", "--identity", "-F"}
)
_WORTH_HAVING = re.compile(
    r"private.?key|aws_?(secret|access)|secret_?(access_?)?key|\bakia|api.?key|passw(or)?d|passphrase|credential|\bsecrets?\b|_token\b|ghp_|xox[bp]|BEGIN (RSA|OPENSSH|EC|PGP)",
    re.IGNORECASE,
)
_FAR = re.compile(r"/|~|/(home|root|Users|etc|var|opt|srv|mnt)(/[^/]*)?/?|~/\.?[\w.]*/?|/\*|~/\*|~/\.\*")
_ANYBODYS = re.compile(rf"(~|/home|/root|/Users|/etc|/var|/srv|/opt|)/{UNKNOWN}/")
_IN_NAMES = re.compile(r"pass(w|$|_|\b)|secret|token|cred|api.?key|private.?key", re.IGNORECASE)
_PRINTS = "prints a password or a token"


def read_by(call: Call) -> Iterator[RuleHit]:
    """A key that a tool is given with an option is used; what a reader is given is shown."""
    name = call.name
    if name in _USES:
        return
    reader = name in READERS
    for place, word in enumerate(call.args):
        if not (call.cwd or "." in word or "/" in word or "id_" in word or " " in word):
            continue
        path = _path_in(call, word)
        if not is_secret(path):
            if UNKNOWN in path and reader and _ANYBODYS.match(path) and is_private(path):
                yield Harm.SECRETS, "reads passwords and keys in many folders"
            continue
        before = call.args[place - 1] if place else ""
        if name in EDITORS and word[0] not in "/~":
            continue
        if before in _KEY_OPTIONS or (name in ("cp", "mv", "ln") and place == len(call.args) - 1):
            continue
        if reader or path.startswith("/etc/") or not (before.startswith("-") or "=" in word):
            yield Harm.SECRETS, f"reads {path}"


def _path_in(call: Call, word: str) -> str:
    """The path in `@file`, `x=@file`, `--file=path`, `if=path`, `file:///path`."""
    word = word.removeprefix("file://")
    if "@" in word and ":" not in word:
        word = word.rpartition("@")[2]
    elif "=" in word:
        word = word.partition("=")[2]
    return call.resolve(word)


def looked_for(call: Call) -> Iterator[RuleHit]:
    """A word that stands beside keys, looked for in everybody's files and not in those of a project."""
    patterns = [word for word in call.args if word[:1] not in ("-", "/", "~")]
    in_private = PRIVATE_CONTENT in (call.stdin or "") or any(word.endswith("history") for word in call.args)
    if in_private and any(_IN_NAMES.search(word) for word in patterns):
        yield Harm.SECRETS, "searches the history or the environment for passwords and keys"
    recursive = call.name not in ("grep", "egrep", "fgrep", "zgrep") or call.options.has(
        "rR", "recursive", "dereference-recursive"
    )
    if (
        recursive
        and any(_FAR.fullmatch(call.resolve(word)) for word in call.args)
        and any(_WORTH_HAVING.search(word) for word in call.args if not word.startswith("/"))
    ):
        yield Harm.SECRETS, "searches files outside the project for passwords and keys"


def _unless_handed_on(rule: Rule) -> Rule:
    """What a substitution or a pipe hands to a tool is used; what is left is for everybody to read."""

    def looked_at(call: Call) -> Iterator[RuleHit]:
        if "substitution" not in call.via and not call.output_used:
            yield from rule(call)

    return looked_at


def exported(call: Call) -> Iterator[RuleHit]:
    if not {"--export-secret-keys", "--export-secret-subkeys", "--export-secret-key"}.isdisjoint(call.args):
        yield Harm.SECRETS, "reads the secret keys"


def spoken(call: Call) -> Iterator[RuleHit]:
    """`echo $AWS_SECRET_ACCESS_KEY`, `printenv DB_PASSWORD`."""
    if any(PRIVATE_CONTENT in word for word in call.args) and not call.writes:
        yield Harm.SECRETS, _PRINTS
    if call.name == "printenv" and any(_IN_NAMES.search(word) for word in call.args):
        yield Harm.SECRETS, _PRINTS


def bared(call: Call) -> Iterator[RuleHit]:
    if call.options.has("p") and "" in values_of(call.args, "-N"):
        yield Harm.SECRETS, "removes the passphrase of a key"


def _prints(*phrases: str) -> tuple[Rule, ...]:
    return tuple(_unless_handed_on(phrase(one, Harm.SECRETS, _PRINTS)) for one in phrases)


_SEARCHES = (looked_for,)
_KEYS = (exported,)
_DUMPS = (always(Harm.SECRETS, "reads the passwords of the machine"),)
RULES: dict[str, tuple[Rule, ...]] = {
    **dict.fromkeys(("echo", "printf", "printenv"), (_unless_handed_on(spoken),)), "ssh-keygen": (bared,),
    **dict.fromkeys(("grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "ugrep", "ug"), _SEARCHES), "gpg": _KEYS, "gpg2": _KEYS,
    **dict.fromkeys(("unshadow", "mimipenguin", "secretsdump.py", "lazagne", "laZagne.py", "mimikatz", "hashdump"), _DUMPS),
    "security": (phrase("find-generic-password|find-internet-password|dump-keychain|export", Harm.SECRETS, "reads a password of the keychain"),),
    "gh": _prints("auth token"), "glab": _prints("auth token"), "gcloud": _prints("auth print-access-token|print-identity-token", "auth application-default print-access-token", "secrets versions access"),
    "az": _prints("account get-access-token", "keyvault secret show", "storage account keys", "acr credential show", "ad sp create-for-rbac"),
    "aws": _prints("configure get aws_secret_access_key|aws_session_token|aws_access_key_id", "configure export-credentials", "ecr get-login-password", "kms decrypt"),
    "heroku": _prints("auth:token"), "fly": _prints("auth token"), "flyctl": _prints("auth token"), "npm": _prints("token list|create"), "doctl": _prints("auth token"),
    "pass": _prints("show"), "gopass": _prints("show"), "secret-tool": _prints("lookup|search"), "keyring": _prints("get"), "lpass": _prints("show|export"), "bw": _prints("get|export|list"),
    "op": _prints("read", "item get"), "kwallet-query": _prints("-r"), "chamber": _prints("read|export"), "credstash": _prints("get|getall"), "git": _prints("credential fill"),
    "kubectl": _prints("config view --raw", "create token"), "oc": _prints("whoami -t|--show-token"), "doppler": _prints("secrets"), "infisical": _prints("secrets|export"),
    "argocd": _prints("admin initial-password"), "k3s": _prints("token"), "kubeadm": _prints("token create|list"), "rails": _prints("credentials:show"),
}  # fmt: skip
