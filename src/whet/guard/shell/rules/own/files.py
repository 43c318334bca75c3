"""Commands of any name that are given a file of whet or of `.git`.

Programs that only read are allowed, programs that are known to change their arguments are refused. Any other program is
refused for whet's state folder, and raised to a person for the other files.
"""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.programs import EDITORS
from whet.guard.shell.model.protected import Owner, has_glob, owner_of
from whet.guard.shell.rules.rule import RuleHit

_READ = frozenset({
    "", "ack", "ag", "age", "basename", "bat", "batcat", "cat", "cd", "cksum", "cmp", "colordiff", "column", "comm",
    "cut", "declare", "delta", "diff", "dirname", "du", "echo", "egrep", "exa", "export", "eza", "fd", "fgrep", "file",
    "find", "for", "getfacl", "git", "glow", "grep", "head", "hexdump", "icdiff", "join", "jq", "less", "ll", "local",
    "ls", "lsattr", "lsd", "lsof", "md5sum", "more", "nl", "od", "open", "paste", "printf", "pushd", "pv", "readlink",
    "readonly", "realpath", "rev", "rg", "sdiff", "set", "sha1sum", "sha256sum", "sha512sum", "shasum", "shellcheck",
    "sort", "stat", "strings", "tac", "tail", "taplo", "test", "tomlq", "tree", "type", "typeset", "ug", "ugrep",
    "uniq", "wc", "which", "whet", "xxd", "yq", "zcat", "zgrep", "[", "[[", "dasel", "fzf", "alias", "eval", "trap",
    "unset", "read", "mapfile", "readarray", "true", "false", ":", "exit", "return",
})  # fmt: skip
# Programs that read their operands and write the last one or the value of an option.
_COPY = frozenset({"cp", "gcp", "rsync", "scp", "sftp", "ditto", "install", "curl", "wget", "zip", "docker", "kubectl"})
# Programs whose arguments belong to a command that is judged by itself.
_STARTERS = frozenset({
    "bash", "sh", "zsh", "dash", "ksh", "fish", "xargs", "gxargs", "parallel", "gfind", "fdfind", "ssh", "mosh", "tmux",
    "screen", "eval", "source", ".", "su", "runuser", "busybox", "podman", "nerdctl", "docker-compose", "oc", "expect",
})  # fmt: skip
_CONTAINERS = frozenset({"docker", "podman", "nerdctl", "docker-compose"})
_ARCHIVE = frozenset({"tar", "bsdtar", "unzip", "cpio", "7z", "7za", "unrar", "bsdcpio"})
_SED = frozenset({"sed", "gsed", "ssed"})
_STREAM_EDITORS = _SED | {"awk", "gawk", "mawk", "nawk"}
_DATABASES = frozenset({
    "sqlite3", "sqlite", "litecli", "sqlite-utils", "duckdb", "datasette", "usql", "sqldiff", "sqlite3_analyzer",
})  # fmt: skip
_CHANGE = EDITORS | _DATABASES | frozenset({
    "bunzip2", "bzip2", "chattr", "chgrp", "chmod", "chown", "crudini", "csplit", "dos2unix", "fallocate", "gunzip",
    "gzip", "link", "ln", "mkdir", "mkfifo", "mknod", "mmv", "mv", "patch", "prename", "rename", "rename.ul", "rm",
    "rmdir", "script", "rpl", "sd", "setfacl", "shred", "split", "sponge", "srm", "tee", "touch", "trash", "trash-put",
    "truncate", "unix2dos", "unlink", "unxz", "wipe", "xz", "zstd", "ex", "ed", "toml", "toml-cli", "mktemp", "rimraf",
    "del-cli", "git-crypt", "sqlite3-cli", "setfattr", "xattr", "vipe", "gzexe", "uudecode", "objcopy",
})  # fmt: skip
_WRITES_IN_PLACE = re.compile(r"-i\w*|-[a-z]*i|--in-?place(=.*)?|--write|-w|inplace|put|delete|fmt|format")
_ONLY_CHECKS = frozenset({"--check", "--diff", "--dry-run", "--lint", "lint", "check", "validate"})
_LINKS = re.compile(r"-[a-zA-Z]*[ls][a-zA-Z]*|--link|--symbolic-link")
_LEFT_OUT = re.compile(r"--?(\w+-)*(exclude|ignore|skip|omit|not|prune|filter|glob|iglob|hidden)([-\w]*)|-[xIgE]")
_OUTPUT = re.compile(
    r"-[a-zA-Z]*[oO]|--?\w*out\w*([-_]\w+)*|--?(attest|dump|save|log|report|dest|tee)\w*([-_]\w+)*"
    r"|--?([\w-]+-)?dir(ectory)?|of|-C|-d|-D|-Logfile"
)
# Programs whose short options of these names do not name an output.
_OTHER_OPTIONS = _READ - {"sort", "tree", "whet", "yq", "jq"} | {"kubectl", "docker", "ssh", "make", "cmake", "curl"}
# Programs that start a hook, or do nothing to it but what is judged elsewhere.
_MAY_NAME_HOOKS = (
    _READ
    | _COPY
    | _STARTERS
    | _CHANGE - {"csplit", "objcopy", "patch", "script", "split"}
    | {"perl", "ruby", "sed", "gsed"}
)
_HOOK = re.compile(r"(.*/)?\.git/hooks/[^/]*")
_IN_STATEMENT = re.compile(r"\.whet/|whet\.(toml|signers|passkeys)")

# The names of changed files in a diff.
_IN_PATCH = re.compile(
    r"^(?:\+\+\+|---|rename to|rename from) .*(?:\bwhet\.(?:toml|signers|passkeys)\b|\.whet/|\.git/)", re.MULTILINE
)


def own_file_hits(call: Call, *, is_wrapper: bool, is_launcher: bool) -> Iterator[RuleHit]:
    """Yield the files of whet or git that a command may change.

    A launcher, such as an interpreter, may have any argument but one in the state folder. A wrapper, such as `env`, is not
    judged by the arguments of the command that it starts: that command is judged by itself.
    """
    is_starter = is_wrapper or call.name in _STARTERS
    if call.name in _DATABASES and _IN_STATEMENT.search(f"{' '.join(call.args)} {call.stdin or ''}"):
        yield Harm.WHET, "opens the state of whet with a database program"
    if call.name in ("patch", "git") and call.stdin and _IN_PATCH.search(call.stdin):
        yield Harm.WHET, "applies a patch to files of whet"
    if not is_starter and call.path and not _is_known(call.name) and owner_of(call.cwd) is Owner.WHET:
        yield Harm.WHET, "runs a program in the state folder of whet"
    yield from _mount_hits(call)
    if not is_wrapper and not is_launcher and call.name not in _MAY_NAME_HOOKS:
        yield from _hook_hits(call)
    for index, word in enumerate(call.args):
        before = call.args[index - 1] if index else ""
        option, equals, value = word.partition("=")
        path = value if equals and option else word
        if len(word) > 2 and word[0] == "-" and word[1].isalpha() and not equals:
            option, equals, path = word[:2], "=", word[2:]  # `-o.whet`
        owner = owner_of(call.resolve(path.removeprefix("file:").partition("?")[0] if ":" in path else path))
        if owner is None or word.startswith("!") or _LEFT_OUT.fullmatch(option if equals else before):
            continue
        yield from _judge(call, path, owner, option if equals else before)
        if not is_starter and not has_glob(path) and not _is_known(call.name) and _ONLY_CHECKS.isdisjoint(call.args):
            yield from _judge_unknown_program(call, path, owner, is_launcher=is_launcher)


def _hook_hits(call: Call) -> Iterator[RuleHit]:
    """Raise a hook of git that is given to a program which may write it: `ffmpeg -i x .git/hooks/pre-commit`."""
    for word in call.args:
        path = word.partition("=")[2] if word[:1] == "-" or "=" in word else word
        if _HOOK.fullmatch(call.resolve(path)) and _ONLY_CHECKS.isdisjoint(call.args):
            yield Harm.PERSISTENCE, f"gives {path}, a hook of git, to a program that may change it", True


def _mount_hits(call: Call) -> Iterator[RuleHit]:
    """Refuse `docker run -v .whet:/x`, unless the container may only read the folder."""
    if call.name not in _CONTAINERS:
        return
    for option in ("-v", "--volume", "--mount"):
        for value in values_of(call.args, option):
            fields = dict(field.partition("=")[::2] for field in value.split(","))
            source = fields.get("source") or fields.get("src") or value.partition(":")[0]
            only_reads = "readonly" in fields or "ro" in fields or value.endswith(":ro")
            owner = owner_of(call.resolve(source))
            if owner is not None and not only_reads:
                yield _harm(owner), f"lets a container change {source}"


def _judge(call: Call, path: str, owner: Owner, option: str) -> Iterator[RuleHit]:
    """Judge one protected path among the arguments; `option` is the word that the path belongs to or follows."""
    is_output = _OUTPUT.fullmatch(option) and (call.name not in _OTHER_OPTIONS or option.startswith("--out"))
    if is_output or call.name in _CHANGE or _is_changed(call, path):
        yield _harm(owner), f"changes {path}, which belongs to {owner}"


def _judge_unknown_program(call: Call, path: str, owner: Owner, *, is_launcher: bool) -> Iterator[RuleHit]:
    """Refuse the state folder and changes in place; raise the other files to a person."""
    is_state = owner is Owner.WHET and ".whet" in path
    if is_state or (not is_launcher and any(map(_WRITES_IN_PLACE.fullmatch, call.args))):
        yield _harm(owner), f"changes {path}, which belongs to {owner}"
    elif not is_launcher and (owner is Owner.WHET or not path.rstrip("/").endswith(".git")):
        yield _harm(owner), f"gives {path}, which belongs to {owner}, to a program that may change it", True


def _harm(owner: Owner) -> Harm:
    return Harm.WHET if owner is Owner.WHET else Harm.GIT_HISTORY


def _is_known(name: str) -> bool:
    return name in _READ or name in _COPY or name in _ARCHIVE or name in _STREAM_EDITORS


def _is_changed(call: Call, path: str) -> bool:
    """True if the program changes the path, by its position or by an option of the program."""
    name, operands = call.name, call.options.operands
    if name in _COPY:
        links = name in ("cp", "gcp") and any(map(_LINKS.fullmatch, call.args))
        arrives_here = (
            len(operands) > 1 and operands[-1].rstrip("/") == "." and owner_of(path.rstrip("/").rpartition("/")[2])
        )
        return (
            links
            or bool(arrives_here)
            or "--remove-source-files" in call.args
            or (len(operands) > 1 and operands[-1] == path)
        )
    if name in _ARCHIVE:
        return path in operands and _extracts(call)
    if name in _STREAM_EDITORS:  # the first operand is the script
        prints_to_variable = path not in operands and name not in _SED and any(">" in word for word in call.args)
        in_place = path in operands[1:] and any(map(_WRITES_IN_PLACE.fullmatch, call.args))
        return prints_to_variable or in_place
    if name in ("yq", "tomlq", "dasel", "taplo", "jq"):
        return any(map(_WRITES_IN_PLACE.fullmatch, call.args))
    # `uniq input output`, `xxd -r input output`
    return name in ("uniq", "xxd") and len(operands) > 1 and operands[-1] == path


def _extracts(call: Call) -> bool:
    """True if an archive tool writes the members that it is given: `tar xf a.tar whet.toml`."""
    first = call.args[0] if call.args else ""
    if call.name in ("tar", "bsdtar"):
        return "x" in first.partition("=")[0] or call.options.has("x", "extract", "get")
    if call.name in ("7z", "7za", "unrar"):
        return first in ("x", "e")
    return call.name == "unzip" or call.options.has("pi", "pass-through", "extract")
