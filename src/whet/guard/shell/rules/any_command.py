"""Rules that hold for a command of any name: what it writes, what it reads, and shells among its arguments."""

import re
from collections.abc import Iterator
from itertools import pairwise

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.paths import harm_of_writing, is_secret, is_settings_file, is_startup_file, is_temporary
from whet.guard.shell.model.placeholders import ENDLESS, PROCESS_FILE, is_known
from whet.guard.shell.model.programs import EDITORS, READERS
from whet.guard.shell.model.state import ShellState
from whet.guard.shell.rules.devices import disk_argument_hits
from whet.guard.shell.rules.remote_clients import by_any_name
from whet.guard.shell.rules.secrets import read_by

_CONNECTION = ("/dev/tcp/", "/dev/udp/")
# Commands that write the files they are given: whether it is the last operand, every one, or the value of an option.
_LAST = frozenset({"cp", "mv", "install", "ln", "rsync", "scp", "ditto", "gcp"})
_EVERY = EDITORS | {"tee", "shred", "touch", "sponge", "mkfifo", "mknod", "patch", "mkdir"}
_LASTING = frozenset({Harm.PERSISTENCE, Harm.ACCOUNTS})
_REPLACES = frozenset({"cp", "mv", "curl", "wget", "ln", "install", "scp"})
_OPTION = {
    "curl": ("o", "output"),
    "wget": ("OP", "output-document"),
    "sort": ("o", "output"),
    "gpg": ("o", "output"),
    "dd": ("", ""),
}
_EMPTY = frozenset({"", ":", "true"})  # they print nothing
_IN_PLACE = frozenset({"sed", "gsed", "perl", "ruby"})
_WRITES = _LAST | _EVERY | _OPTION.keys() | _IN_PLACE
_SHELL_PATH = re.compile(r"(?:^|[\s\"'=(!;|`,:{\[])(/usr)?(/local)?/bin/(ba|da|z|k|c|tc|a|fi|mk|pd|rba)?sh(?![\w./-])")
_TAKES_TEXT = frozenset({
    "cat", "tee", "grep", "egrep", "fgrep", "rg", "sed", "awk", "gawk", "sort", "uniq", "head", "tail", "wc", "tr", "cut", "diff", "read", "mapfile", "while", "xargs", "jq",
    "base64", "xxd", "sponge", "nl", "fold", "column", "bash", "sh", "zsh", "dash", "ksh", "",
})  # fmt: skip
_SHELL_SPOKEN = re.compile(
    r"^(?!#)[^\w\s/]{0,3}(?:exec|shell|system|sh)?\s*(?:/usr)?/bin/(ba|da|z|k|c|tc|a|fi)?sh(?:\s+[-\d<>&]\S*)*\s*$"
    r"|^\W{0,2}!+\s*(ba|da|z|k)?sh\s*$",
    re.MULTILINE,
)
_OUTPUT_OPTION = re.compile(
    r"(?:-o|-out|--(?:output|out|outfile|output-file|log-?file|dump-header|stderr|trace|trace-ascii|report-file))(?:=(.*))?$"
)
_OTHER_O = frozenset(
    {
        "grep",
        "egrep",
        "fgrep",
        "zgrep",
        "rg",
        "ag",
        "ls",
        "unzip",
        "tar",
        "ps",
        "stat",
        "find",
        "ssh",
        "scp",
        "mount",
        "set",
    }
)
_SHEBANG = re.compile(r"^#!.*", re.MULTILINE)
# Tools for which a shell's path is only text, or a file like any other.
_ONLY_TEXT = frozenset({
    "echo", "printf", "grep", "egrep", "fgrep", "rg", "ag", "sed", "awk", "gawk", "git", "cat", "ls", "ll", "file", "which", "stat", "ldd", "type", "test", "[", "[[", "head",
    "tail", "less", "more", "diff", "cmp", "sha256sum", "md5sum", "readlink", "realpath", "basename", "dirname", "command", "export", "declare", "chsh", "docker", "podman",
    "kubectl", "ssh", "python", "python3", "node", "perl", "ruby", "jq", "tr", "cut", "sort", "uniq", "wc", "find", "xargs", "env", "strings", "objdump", "readelf", "nm", "useradd",
    "usermod", "adduser", "hash", "whereis", "dpkg", "rpm", "apt-file", "brew", "set", "unset", "local", "readonly", "typeset", "alias", "sudo", "doas", "su", "exec", "time", "nohup",
    "timeout", "nice", "shellcheck", "shfmt", "nix-store", "make", "tee", "cd", "tmux", "screen", "crontab", "chmod", "chown", "ln", "cp", "mv", "install", "update-alternatives",
    "docker-compose", "nerdctl", "oc", "lima", "limactl", "multipass", "vagrant", "distrobox", "toolbox", "bash", "sh", "zsh", "dash", "ksh", "fish", "eval", "source", ".", "trap",
    "gh", "glab", "open", "code", "touch", "rm", "tar", "zip", "npm", "yarn", "mkdir", "case", "for", "if", "true", "false", ":", "return", "exit", "pgrep", "pkill", "ps", "lsof", "kill", "killall",
})  # fmt: skip
_SED_ADDS = re.compile(r"^(?:\d+|\$|/[^/]*/)?[iac]\\?\s*(.+)$", re.MULTILINE)


def any_command_hits(call: Call, state: ShellState) -> Iterator[tuple[Harm, str, bool]]:
    if call.stdin and call.name not in _TAKES_TEXT and "sh" in call.stdin and _SHELL_SPOKEN.search(call.stdin):
        yield Harm.SHELL_ESCAPE, f"tells {call.name} to open a shell", False
    if call.writes or call.reads:
        yield from _redirected(call, state)
    if not call.args:
        return
    name, said = call.name, " ".join(call.args)
    names_files = call.cwd or "/" in said or "." in said or "~" in said or "id_" in said or state.links
    if names_files:
        yield from _on_files(call, state)
    if name in _ONLY_TEXT:
        return
    for harm, reason, *_ in by_any_name(call):
        yield harm, reason, False
    if "sh" in said and _SHELL_PATH.search(said):
        yield Harm.SHELL_ESCAPE, f"hands a shell to {name}", False
    if state.files or state.substitution_outputs:
        for word in call.args:
            if (text := _handed(call, word, state)) and _SHELL_PATH.search(_SHEBANG.sub("", text)):
                yield Harm.SHELL_ESCAPE, f"hands {name} a file that starts a shell", False


def _on_files(call: Call, state: ShellState) -> Iterator[tuple[Harm, str, bool]]:
    name, args = call.name, call.args
    if name in _WRITES:
        for path in _written(call):
            if (harm := harm_of_writing(call.resolve(path))) is not None:
                yield harm, f"writes {path}", False
            elif name == "tee" and is_settings_file(call.resolve(path)):
                state.startup_writes.append((path, call.span))
            elif is_startup_file(call.resolve(path)):
                if name == "tee":
                    state.startup_writes.append((path, call.span))
                elif name in _IN_PLACE:
                    added = "\n".join(line for word in args for line in _SED_ADDS.findall(word))
                    state.files[path] = f"{state.files.get(path, '')}\n{added}"
                    state.startup_writes.append((path, call.span))
                elif name in _REPLACES and not _is_own_hook(call, path):
                    yield Harm.PERSISTENCE, f"replaces {path}", False
    yield from _named_outputs(call)
    if "inplace" in args and name in ("awk", "gawk"):
        for path in call.options.operands[2:]:
            if (harm := harm_of_writing(call.resolve(path))) is not None:
                yield harm, f"writes {path}", False
    for harm, reason, *_ in read_by(call):
        yield harm, reason, False
    for harm, reason, *_ in disk_argument_hits(call):
        yield harm, reason, False
    if name not in _ONLY_TEXT and name not in READERS:
        for option, path in pairwise(args):
            if option[:1] == "-" and "/" in path and (harm := harm_of_writing(path)) in _LASTING:
                yield harm, f"is told to write {path}", False


def _handed(call: Call, word: str, state: ShellState) -> str:
    """What is in a file that this text wrote and an argument names, `--script=file` too."""
    path = word.partition("=")[2] if word[:1] == "-" else word
    if path.startswith(PROCESS_FILE):
        return state.substitution_output(path) if call.name not in READERS else ""
    return state.files.get(path, "")


def _named_outputs(call: Call) -> Iterator[tuple[Harm, str, bool]]:
    """Whatever a tool is: an option that is called `output` or `log-file` names what it writes."""
    for place, word in enumerate(call.args):
        if word[:1] == "-" and (shape := _OUTPUT_OPTION.match(word)) and (word[1] == "-" or call.name not in _OTHER_O):
            path = shape[1] if shape[1] is not None else call.args[place + 1] if place + 1 < len(call.args) else ""
            if path.startswith(("/", "~", ".")):
                if (harm := harm_of_writing(call.resolve(path))) is not None:
                    yield harm, f"writes {path}", False
                elif is_startup_file(call.resolve(path)):
                    yield Harm.PERSISTENCE, f"replaces {path}", False


def _is_own_hook(call: Call, path: str) -> bool:
    """A hook of the repository that is put in place from a file of the repository."""
    sources = [word for word in call.options.operands if word != path]
    local = call.name in ("cp", "mv", "ln", "install") and not any(map(is_temporary, sources))
    return local and bool(sources) and ("/hooks/" in path or "/.husky/" in f"/{path}")


def _redirected(call: Call, state: ShellState) -> Iterator[tuple[Harm, str, bool]]:
    for path in (*call.writes, *call.reads):
        if path.startswith(_CONNECTION):
            yield Harm.REVERSE_SHELL, "opens a connection from the shell", False
    for written in call.writes:
        path = call.resolve(written)
        if path.startswith(_CONNECTION):
            continue
        if (harm := harm_of_writing(path)) is not None:
            yield harm, f"writes {path}", False
        elif is_startup_file(path) or is_settings_file(path):
            state.startup_writes.append((path, call.span))
        elif "*" in written and call.path in _EMPTY and not call.stdin:
            yield Harm.DELETION, f"empties every file that matches {written}", False
    if (
        not call.path
        and call.stdin
        and ENDLESS in call.stdin
        and not all(path.startswith("/dev/") for path in call.writes)
    ):
        yield Harm.EXHAUSTION, "fills the disk without end", False
    for read in call.reads:
        if is_known(read) and is_secret(call.resolve(read)):
            yield Harm.SECRETS, f"reads {read}", False


def _written(call: Call) -> list[str]:
    name, options = call.name, call.options
    if name in _LAST:
        into = options.value("t", "target-directory")
        return into or (options.operands[-1:] if len(options.operands) > 1 else [])
    if name in _OPTION:
        letters, long = _OPTION[name]
        return [value for value in options.value(letters, long) if value != "-"] if long else []
    if name in _IN_PLACE:
        return (
            options.operands[1:]
            if options.has("i", "in-place") and not options.value("e")
            else options.operands
            if options.has("i", "in-place")
            else []
        )
    return options.operands
