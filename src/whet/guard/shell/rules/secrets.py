"""Commands that read keys, passwords and tokens: in files, through tools that print them, by searching."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.key_users import may_use_key
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.paths import is_private, is_secret
from whet.guard.shell.model.placeholders import PRIVATE_CONTENT, UNKNOWN, has_secret_content
from whet.guard.shell.model.programs import EDITORS, READERS
from whet.guard.shell.rules.rule import Rule, RuleHit, always, phrase

# Commands that use a key file or look at its metadata, but do not show its content.
_DO_NOT_SHOW_CONTENT = frozenset({
    "ssh", "ssh-add", "ssh-keygen", "ssh-copy-id", "autossh", "mosh", "sshfs", "ls", "ll", "exa", "eza", "tree",
    "stat", "chmod", "chown", "chgrp", "test", "[", "[[", "mkdir", "touch", "rm", "kubectl", "helm", "docker",
    "podman", "docker-compose", "k9s", "kubectx", "realpath", "basename", "dirname", "du", "sha256sum", "md5sum",
    "sha1sum", "shasum", "restorecon", "lsattr", "getfacl", "export", "declare", "local", "readonly", "typeset",
    "unset", "cd", "pushd", "find", "fd", "echo", "printf", "source", ".", "git-crypt", "age", "sops", "ansible",
    "ansible-playbook", "packer", "gitleaks", "trufflehog", "xattr", "mktemp", "gocryptfs", "ssh-agent", "set",
    "shred", "unlink", "trash", "diff-so-fancy", "which", "type", "mount", "umount", "for", "eval", "sh", "bash",
    "zsh", "sudo",
})  # fmt: skip
_PATH_HINT = re.compile(r"[/. ]|id_")  # a quick test before the slow patterns for paths
_KEY_OPTIONS = frozenset(
    {"-i", "--key", "--cert", "--cacert", "-e", "--rsh", "--netrc-file", "--kubeconfig", "-E", "--identity", "-F"}
)
_SECRET_WORD = re.compile(
    r"private.?key|aws_?(secret|access)|secret_?(access_?)?key|\bakia|api.?key|passw(or)?d|passphrase|credential"
    r"|\bsecrets?\b|_token\b|ghp_|xox[bp]|BEGIN (RSA|OPENSSH|EC|PGP)",
    re.IGNORECASE,
)
_OUTSIDE_PROJECT = re.compile(r"/|~|/(home|root|Users|etc|var|opt|srv|mnt)(/[^/]*)?/?|~/\.?[\w.]*/?|/\*|~/\*|~/\.\*")
_IN_WIDE_SEARCH = re.compile(rf"(~|/home|/root|/Users|/etc|/var|/srv|/opt|)/{UNKNOWN}/")
_SECRET_NAME = re.compile(r"pass(w|$|_|\b)|secret|token|cred|api.?key|private.?key", re.IGNORECASE)
_SHOWS_CREDENTIALS = "prints a password or a token"


def secret_file_hits(call: Call) -> Iterator[RuleHit]:
    """Yield secret files that a command reads. A key given with an option (`-i key`) is used, not shown."""
    name = call.name
    if name in _DO_NOT_SHOW_CONTENT:
        return
    is_reader = name in READERS
    for index, word in enumerate(call.args):
        if not call.cwd and not _PATH_HINT.search(word):
            continue
        path = _path_in(call, word)
        if not is_secret(path):
            if UNKNOWN in path and is_reader and _IN_WIDE_SEARCH.match(path) and is_private(path.rpartition("/")[2]):
                yield Harm.SECRETS, "reads passwords and keys in many folders"
            continue
        before = call.args[index - 1] if index else ""
        edits_in_project = name in EDITORS and word[0] not in "/~"
        is_target = name in ("cp", "mv", "ln") and index == len(call.args) - 1
        if edits_in_project or is_target or before in _KEY_OPTIONS:
            continue
        is_given_as_key = (before.startswith("-") or "=" in word) and may_use_key(
            name, before if "=" not in word else word
        )
        if is_reader or path.startswith("/etc/") or not is_given_as_key:
            yield Harm.SECRETS, f"reads {path}"


def _path_in(call: Call, word: str) -> str:
    """Return the path in `@file`, `x=@file`, `--file=path`, `if=path` or `file:///path`."""
    word = word.removeprefix("file://")
    if "@" in word and ":" not in word:
        word = word.rpartition("@")[2]
    elif "=" in word:
        word = word.partition("=")[2]
    return call.resolve(word)


def search_secrets(call: Call) -> Iterator[RuleHit]:
    """Refuse a search for words such as "password" in the history, the environment or files outside the project."""
    patterns = [word for word in call.args if word[:1] not in ("-", "/", "~")]
    searches_private_text = PRIVATE_CONTENT in (call.stdin or "") or any(word.endswith("history") for word in call.args)
    if searches_private_text and any(_SECRET_NAME.search(word) for word in patterns):
        yield Harm.SECRETS, "searches the history or the environment for passwords and keys"
    is_recursive = call.name not in ("grep", "egrep", "fgrep", "zgrep") or call.options.has(
        "rR", "recursive", "dereference-recursive"
    )
    is_outside_project = any(_OUTSIDE_PROJECT.fullmatch(call.resolve(word)) for word in call.args)
    searches_secrets = any(_SECRET_WORD.search(word) for word in call.args if not word.startswith("/"))
    if is_recursive and is_outside_project and searches_secrets:
        yield Harm.SECRETS, "searches files outside the project for passwords and keys"


def _if_shown(rule: Rule) -> Rule:
    """Return a rule that ignores calls whose output goes to another command: there a secret is used, not shown."""

    def rule_for_shown_output(call: Call) -> Iterator[RuleHit]:
        if "substitution" not in call.via and not call.output_used:
            yield from rule(call)

    return rule_for_shown_output


def export_secret_keys(call: Call) -> Iterator[RuleHit]:
    if not {"--export-secret-keys", "--export-secret-subkeys", "--export-secret-key"}.isdisjoint(call.args):
        yield Harm.SECRETS, "reads the secret keys"


def delete_secret_keys(call: Call) -> Iterator[RuleHit]:
    if any(word.startswith("--delete-secret") for word in call.args):
        yield Harm.DELETION, "deletes secret keys"


def print_secret_variable(call: Call) -> Iterator[RuleHit]:
    """Refuse `echo $AWS_SECRET_ACCESS_KEY` and `printenv DB_PASSWORD`."""
    if any(map(has_secret_content, call.args)) and not call.writes:
        yield Harm.SECRETS, _SHOWS_CREDENTIALS
    if call.name == "printenv" and any(_SECRET_NAME.search(word) for word in call.args):
        yield Harm.SECRETS, _SHOWS_CREDENTIALS


def remove_passphrase(call: Call) -> Iterator[RuleHit]:
    if call.options.has("p") and "" in values_of(call.args, "-N"):
        yield Harm.SECRETS, "removes the passphrase of a key"


def _prints(*patterns: str) -> tuple[Rule, ...]:
    return tuple(_if_shown(phrase(pattern, Harm.SECRETS, _SHOWS_CREDENTIALS)) for pattern in patterns)


_GIT_CREDENTIALS = ("credential fill", "credential-store|credential-cache|credential-libsecret|credential-manager get")
_SEARCHES = (search_secrets,)
_KEYS = (export_secret_keys, delete_secret_keys)
_DUMPS = (always(Harm.SECRETS, "reads the passwords of the machine"),)
RULES: dict[str, tuple[Rule, ...]] = {
    **dict.fromkeys(("echo", "printf", "printenv"), (_if_shown(print_secret_variable),)),
    "ssh-keygen": (remove_passphrase,),
    "getent": (phrase("shadow|gshadow", Harm.SECRETS, "reads the hashes of passwords"),),
    **dict.fromkeys(("grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "ugrep", "ug"), _SEARCHES),
    "gpg": _KEYS,
    "gpg2": _KEYS,
    **dict.fromkeys(
        ("unshadow", "mimipenguin", "secretsdump.py", "lazagne", "laZagne.py", "mimikatz", "hashdump"),
        _DUMPS,
    ),
    "security": (
        phrase(
            "find-generic-password|find-internet-password|dump-keychain|export",
            Harm.SECRETS,
            "reads a password of the keychain",
        ),
    ),
    "gh": _prints("auth token"),
    "glab": _prints("auth token"),
    "gcloud": _prints(
        "auth print-access-token|print-identity-token", "auth application-default print-access-token",
        "secrets versions access",
    ),
    "az": _prints(
        "account get-access-token", "keyvault secret show", "storage account keys", "acr credential show",
        "ad sp create-for-rbac",
    ),
    "aws": _prints(
        "configure get aws_secret_access_key|aws_session_token|aws_access_key_id", "configure export-credentials",
        "ecr get-login-password", "kms decrypt",
    ),
    "heroku": _prints("auth:token"),
    "fly": _prints("auth token"),
    "flyctl": _prints("auth token"),
    "npm": _prints("token list|create"),
    "doctl": _prints("auth token"),
    "pass": _prints("show"),
    "gopass": _prints("show"),
    "secret-tool": _prints("lookup|search"),
    "keyring": _prints("get"),
    "lpass": _prints("show|export"),
    "bw": _prints("get|export|list"),
    "op": _prints("read", "item get"),
    "kwallet-query": _prints("-r"),
    "chamber": _prints("read|export"),
    "credstash": _prints("get|getall"),
    "git": tuple(phrase(words, Harm.SECRETS, _SHOWS_CREDENTIALS) for words in _GIT_CREDENTIALS),
    "kubectl": _prints("config view --raw", "create token"),
    "oc": _prints("whoami -t|--show-token"),
    "doppler": _prints("secrets"),
    "infisical": _prints("secrets|export"),
    "argocd": _prints("admin initial-password"),
    "k3s": _prints("token"),
    "kubeadm": _prints("token create|list"),
    "rails": _prints("credentials:show"),
}  # fmt: skip
