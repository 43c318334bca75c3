"""Rules for commands of any name: files they write and read, and shells among their arguments or input."""

import re
from collections.abc import Iterator
from itertools import pairwise

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.hosts import LOCAL
from whet.guard.shell.model.paths import harm_of_writing, is_private, is_secret, is_settings_file, is_startup_file
from whet.guard.shell.model.placeholders import ENDLESS, EVERY_ITEM, PROCESS_FILE, is_known
from whet.guard.shell.model.programs import EDITORS, READERS
from whet.guard.shell.model.queries import is_query
from whet.guard.shell.model.state import ShellState
from whet.guard.shell.rules.devices import disk_argument_hits
from whet.guard.shell.rules.own.hooks import is_own_hook
from whet.guard.shell.rules.remote_clients import destructive_verb_hits
from whet.guard.shell.rules.secrets import secret_file_hits

# A quick test for paths in arguments, so that most commands skip the slower rules for files.
_PATH_HINT = re.compile(r"[/.~]|id_")
_CONNECTION_FILES = ("/dev/tcp/", "/dev/udp/")
# Commands that write files they are given: the last operand, every operand, or the value of an option.
_WRITE_LAST = frozenset({"cp", "mv", "install", "ln", "rsync", "scp", "ditto", "gcp"})
_WRITE_EVERY = EDITORS | {"tee", "shred", "touch", "sponge", "mkfifo", "mknod", "patch", "mkdir"}
_WRITE_OPTION = {
    "curl": ("o", "output"),
    "wget": ("OP", "output-document"),
    "sort": ("o", "output"),
    "gpg": ("o", "output"),
    "dd": ("", ""),
}
_ADDRESS = re.compile(r"(?!file:)[a-z][a-z0-9+.-]*://[\w\[]")
_NAMES_CREDENTIALS = re.compile(
    r"key|cert|ident|conf|ca\b|pem|auth|token|netrc|pass|secret|login|cookie", re.IGNORECASE
)
_LOG_IN = frozenset(
    {"ssh", "scp", "sftp", "rsync", "mosh", "autossh", "sshfs", "sshuttle", "curl", "ansible", "sshpass"}
)
_KEY_FILE = re.compile(r"(.*/)?\.ssh/id_[\w.-]+")
_PRINT_NOTHING = frozenset({"", ":", "true"})
_LASTING_HARMS = frozenset({Harm.PERSISTENCE, Harm.ACCOUNTS})
# Commands that replace a start-up file as a whole, with content that is not known.
_REPLACES = frozenset({"cp", "mv", "curl", "wget", "ln", "install", "scp"})
_EDIT_IN_PLACE = frozenset({"sed", "gsed", "perl", "ruby"})
_WRITES = _WRITE_LAST | _WRITE_EVERY | _WRITE_OPTION.keys() | _EDIT_IN_PLACE
_SHELL_PATH = re.compile(r"(?:^|[\s\"'=(!;|`,:{\[])(/usr)?(/local)?/bin/(ba|da|z|k|c|tc|a|fi|mk|pd|rba)?sh(?![\w./-])")
# Commands for which standard input is only text, or shells, which have a launcher of their own.
_TAKES_TEXT = frozenset({
    "cat", "tee", "grep", "egrep", "fgrep", "rg", "sed", "awk", "gawk", "sort", "uniq", "head", "tail", "wc",
    "tr", "cut", "diff", "read", "mapfile", "while", "xargs", "jq", "base64", "xxd", "sponge", "nl", "fold",
    "column", "bash", "sh", "zsh", "dash", "ksh", "",
})  # fmt: skip
# A line on standard input that makes an interactive tool open a shell: `!/bin/sh`, `exec /bin/bash -i`.
_SHELL_REQUEST = re.compile(
    r"^(?!#)[^\w\s/]{0,3}(?:exec|shell|system|sh)?\s*(?:/usr)?/bin/(ba|da|z|k|c|tc|a|fi)?sh(?:\s+[-\d<>&]\S*)*\s*$"
    r"|^\W{0,2}!+\s*(ba|da|z|k)?sh\s*$",
    re.MULTILINE,
)
_OUTPUT_OPTION = re.compile(
    r"(?:-o|-out|--(?:output|out|outfile|output-file|log-?file|dump-header|stderr|trace|trace-ascii"
    r"|report-file))(?:=(.*))?$"
)
# Commands for which `-o` does not name an output file.
_OTHER_MEANING_OF_O = frozenset({
    "grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ls", "unzip", "tar", "ps", "stat", "find", "ssh", "scp", "mount",
    "set",
})  # fmt: skip
_SHEBANG = re.compile(r"^#!.*", re.MULTILINE)
# Commands for which the path of a shell is only text, or a file like any other.
_ONLY_TEXT = frozenset({
    "echo", "printf", "grep", "egrep", "fgrep", "rg", "ag", "sed", "awk", "gawk", "git", "cat", "ls", "ll",
    "file", "which", "stat", "ldd", "type", "test", "[", "[[", "head", "tail", "less", "more", "diff", "cmp",
    "sha256sum", "md5sum", "readlink", "realpath", "basename", "dirname", "command", "export", "declare", "chsh",
    "docker", "podman", "kubectl", "ssh", "python", "python3", "node", "perl", "ruby", "jq", "tr", "cut", "sort",
    "uniq", "wc", "find", "xargs", "env", "strings", "objdump", "readelf", "nm", "useradd", "usermod", "adduser",
    "hash", "whereis", "dpkg", "rpm", "apt-file", "brew", "set", "unset", "local", "readonly", "typeset",
    "alias", "sudo", "doas", "su", "exec", "time", "nohup", "timeout", "nice", "shellcheck", "shfmt",
    "nix-store", "make", "tee", "cd", "tmux", "screen", "crontab", "chmod", "chown", "ln", "cp", "mv", "install",
    "update-alternatives", "docker-compose", "nerdctl", "oc", "lima", "limactl", "multipass", "vagrant",
    "distrobox", "toolbox", "bash", "sh", "zsh", "dash", "ksh", "fish", "eval", "source", ".", "trap", "gh",
    "glab", "open", "code", "touch", "rm", "tar", "zip", "npm", "yarn", "mkdir", "case", "for", "if", "true",
    "false", ":", "return", "exit", "pgrep", "pkill", "ps", "lsof", "kill", "killall", "srun",
})  # fmt: skip
ONLY_TEXT = _ONLY_TEXT
# `sed -i '$a text'`: the text that a script inserts.
_SED_ADDED_LINE = re.compile(r"^(?:\d+|\$|/[^/]*/)?[iac]\\?\s*(.+)$", re.MULTILINE)


def any_command_hits(call: Call, state: ShellState) -> Iterator[tuple[Harm, str]]:
    """Yield the dangers of a call that do not depend on the command's name."""
    # The cheap test for "sh" comes first: the pattern is slow on long input.
    if call.stdin and call.name not in _TAKES_TEXT and "sh" in call.stdin and _SHELL_REQUEST.search(call.stdin):
        yield Harm.SHELL_ESCAPE, f"tells {call.name} to open a shell"
    if call.writes or call.reads:
        yield from _redirection_hits(call, state)
    if not call.args:
        return
    name, arguments = call.name, " ".join(call.args)
    if call.cwd or state.links or _PATH_HINT.search(arguments):
        yield from _file_hits(call, state)
    if name in _ONLY_TEXT:
        return
    for harm, reason, *_ in destructive_verb_hits(call) if not is_query(call) else ():
        yield harm, reason
    if "sh" in arguments and _SHELL_PATH.search(arguments):
        yield Harm.SHELL_ESCAPE, f"hands a shell to {name}"
    if state.files or state.substitution_outputs:
        for word in call.args:
            text = _content_of(call, word, state)
            if text and _SHELL_PATH.search(_SHEBANG.sub("", text)):
                yield Harm.SHELL_ESCAPE, f"hands {name} a file that starts a shell"


def _file_hits(call: Call, state: ShellState) -> Iterator[tuple[Harm, str]]:
    """Yield the dangers of files that the arguments name."""
    name = call.name
    if name in _WRITES:
        for path in _written_paths(call):
            yield from _written_file_hits(call, path, state)
    yield from _output_option_hits(call)
    if "inplace" in call.args and name in ("awk", "gawk"):
        for path in call.options.operands[2:]:
            harm = harm_of_writing(call.resolve(path))
            if harm is not None:
                yield harm, f"writes {path}"
    for harm, reason, *_ in (*secret_file_hits(call), *disk_argument_hits(call)):
        yield harm, reason
    yield from _private_files_with_address(call)
    if name not in _ONLY_TEXT and name not in READERS:
        for option, path in pairwise(call.args):
            if option[:1] == "-" and "/" in path:
                harm = harm_of_writing(path)
                if harm in _LASTING_HARMS:
                    yield harm, f"is told to write {path}"


def _private_files_with_address(call: Call) -> Iterator[tuple[Harm, str]]:
    """Yield each private file in a command that also names another machine: the program probably sends the file there.

    Leave out a file that an option names as a key, a certificate or settings: the program only reads it.
    """
    if call.name in _ONLY_TEXT or not any(_is_remote_address(word) for word in call.args):
        return
    for option, path in pairwise(["", *call.args]):
        names_own_key = option in ("-i", "-F", "-E") and call.name in _LOG_IN
        is_path = path.startswith(("/", "~", ".")) and "/" in path
        if is_path and is_private(path) and not names_own_key and not _NAMES_CREDENTIALS.search(option):
            yield Harm.EXFILTRATION, f"sends {path} to another machine"


def _is_remote_address(word: str) -> bool:
    return _ADDRESS.match(word) is not None and LOCAL.fullmatch(word) is None


def _written_file_hits(call: Call, path: str, state: ShellState) -> Iterator[tuple[Harm, str]]:
    """Judge a file that a command such as `cp` or `tee` writes. Text for start-up files is judged at the end."""
    resolved = call.resolve(path)
    harm = harm_of_writing(resolved)
    if harm is not None:
        yield harm, f"writes {path}"
    elif call.name == "tee" and (is_settings_file(resolved) or is_startup_file(resolved)):
        state.startup_writes.append((path, call.span))
    elif is_startup_file(resolved):
        if call.name in _EDIT_IN_PLACE:
            added = "\n".join(line for word in call.args for line in _SED_ADDED_LINE.findall(word))
            state.files[path] = f"{state.files.get(path, '')}\n{added}"
            state.startup_writes.append((path, call.span))
        elif call.name in _REPLACES and not is_own_hook(call, path):
            yield Harm.PERSISTENCE, f"replaces {path}"


def _content_of(call: Call, word: str, state: ShellState) -> str:
    """Return the content of the file that an argument names (`file`, `--script=file`), if the command text wrote it."""
    path = word.partition("=")[2] if word[:1] == "-" else word
    if path.startswith(PROCESS_FILE):
        return state.substitution_output(path) if call.name not in READERS else ""
    return state.files.get(path, "")


def _output_option_hits(call: Call) -> Iterator[tuple[Harm, str]]:
    """Yield harmful files in options whose name says that the tool writes them: `--output`, `--log-file`."""
    for index, word in enumerate(call.args):
        option = _OUTPUT_OPTION.match(word) if word[:1] == "-" else None
        if option is None or (word[1] != "-" and call.name in _OTHER_MEANING_OF_O):
            continue
        path = option[1]
        if path is None:
            path = call.args[index + 1] if index + 1 < len(call.args) else ""
        if path.startswith(("/", "~", ".")):
            resolved = call.resolve(path)
            harm = harm_of_writing(resolved)
            if harm is not None:
                yield harm, f"writes {path}"
            elif is_startup_file(resolved):
                yield Harm.PERSISTENCE, f"replaces {path}"


def _redirection_hits(call: Call, state: ShellState) -> Iterator[tuple[Harm, str]]:
    """Yield the dangers of redirections: connections, harmful files, endless input, secret files."""
    for path in (*call.writes, *call.reads):
        if path.startswith(_CONNECTION_FILES):
            yield Harm.REVERSE_SHELL, "opens a connection from the shell"
    for written in call.writes:
        path = call.resolve(written)
        if path.startswith(_CONNECTION_FILES):
            continue
        harm = harm_of_writing(path)
        if harm is not None:
            yield harm, f"writes {path}"
        elif is_startup_file(path) or is_settings_file(path):
            state.startup_writes.append((path, call.span))
        elif "*" in written and call.path in _PRINT_NOTHING and not call.stdin:
            yield Harm.DELETION, f"empties every file that matches {written}"
        elif EVERY_ITEM in written:
            yield Harm.DELETION, "overwrites files, all of them at once"
        elif _KEY_FILE.fullmatch(path) and call.path in _PRINT_NOTHING and not call.stdin:
            yield Harm.DELETION, f"empties {path}"
    is_endless = not call.path and call.stdin and ENDLESS in call.stdin
    if is_endless and not all(path.startswith("/dev/") for path in call.writes):
        yield Harm.EXHAUSTION, "fills the disk without end"
    for read in call.reads:
        if is_known(read) and is_secret(call.resolve(read)):
            yield Harm.SECRETS, f"reads {read}"


def _written_paths(call: Call) -> list[str]:
    """Return the files that a command of `_WRITES` writes."""
    name, options = call.name, call.options
    if name in _WRITE_LAST:
        folders = options.value("t", "target-directory")
        return folders or (options.operands[-1:] if len(options.operands) > 1 else [])
    if name in _WRITE_OPTION:
        letters, long = _WRITE_OPTION[name]
        return [value for value in options.value(letters, long) if value != "-"] if long else []
    if name in _EDIT_IN_PLACE:
        if not options.has("i", "in-place"):
            return []
        # Without `-e`, the first operand is the script.
        return options.operands if options.value("e") else options.operands[1:]
    return options.operands
