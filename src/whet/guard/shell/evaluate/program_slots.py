"""Program slots: options and variables that name a helper program, such as a pager, an editor or a compressor.

An attack puts another command into the slot (`PAGER='touch x' man ls`). So a command that is harmless by itself, but
does not belong into a slot, is reported as a shell escape.
"""

from whet.guard.shell.evaluate.all_wrappers import WRAPPERS
from whet.guard.shell.launchers import LAUNCHERS
from whet.guard.shell.model.harm import FoundCommand
from whet.guard.shell.model.programs import EDITORS, FETCHERS, INSTALLATION_FOLDERS, READERS, SHELLS
from whet.guard.shell.rules import RULES

# Commands that belong into slots: pagers, editors, transports, compressors, filters.
_HELPERS = EDITORS | frozenset({
    "less", "more", "most", "cat", "bat", "batcat", "delta", "col", "colordiff", "diff-so-fancy", "lesspipe",
    "lesspipe.sh", "pygmentize", "highlight", "ssh", "rsync", "nc", "gcc", "g++", "clang", "cc", "c++", "ld",
    "cloudflared", "git", "gh", "glab", "aws", "gpg", "gpg2", "gzip", "gunzip", "bzip2", "xz", "zstd", "lz4",
    "pigz", "brotli", "unzip", "zcat", "true", "false", ":", "echo", "printf", "test", "[", "sed", "awk", "grep",
    "head", "tail", "cut", "tr", "sort", "uniq", "wc", "tee", "jq", "fold", "fmt", "column", "md5sum",
    "sha256sum", "date", "clear", "ls", "pwd", "make", "diff", "open", "pass", "cd",
})  # fmt: skip
_NO_HELPERS = frozenset({
    "id", "whoami", "uname", "hostname", "touch", "mkdir", "ps", "env", "printenv", "sleep", "xcalc", "calc",
    "gnome-calculator", "w", "who", "ifconfig", "ip", "ss", "netstat", "cmd", "cmd.exe", "seq", "yes", "kill",
    "reset", "stty", "chmod", "chown", "ls-remote", "dd", "ping", "msgfilter",
})  # fmt: skip
IDENTITY_COMMANDS = frozenset({"id", "whoami"})  # an attacker's first test: code that runs them can run any command


def fits_slot(command: FoundCommand) -> bool:
    """True if a command is a usual helper program, or at least not known to be something else."""
    folder, slash, name = command.name.rpartition("/")
    if slash and not f"{folder}/".startswith(INSTALLATION_FOLDERS):
        return False
    if name in SHELLS:
        return any(word[:1] == "-" and word[:2] != "--" and "c" in word for word in command.arguments)
    if name in _HELPERS or name in WRAPPERS:
        return True
    return name not in _NO_HELPERS and not any(name in names for names in (RULES, LAUNCHERS, READERS, FETCHERS))
