"""Programs that are named for another program to start: a pager, an editor, a transport, a compressor.

Whoever fills such a place with something else wants a command run that nobody typed. So what is not harmful in itself
(`id`, `touch x`) is a way to a shell there.
"""

from whet.guard.shell.evaluate.wrappers import WRAPPERS
from whet.guard.shell.launchers import LAUNCHERS
from whet.guard.shell.model.harm import FoundCommand
from whet.guard.shell.model.programs import EDITORS, FETCHERS, READERS, SHELLS
from whet.guard.shell.rules import RULES

_MEANT = EDITORS | frozenset({
    "less", "more", "most", "cat", "bat", "batcat", "delta", "col", "colordiff", "diff-so-fancy", "lesspipe", "lesspipe.sh", "pygmentize", "highlight", "ssh", "rsync", "nc", "gcc", "g++", "clang", "cc", "c++", "ld", "cloudflared", "git", "gh", "glab", "aws", "gpg", "gpg2",
    "gzip", "gunzip", "bzip2", "xz", "zstd", "lz4", "pigz", "brotli", "unzip", "zcat", "true", "false", ":", "echo", "printf", "test", "[", "sed", "awk", "grep", "head", "tail", "cut",
    "tr", "sort", "uniq", "wc", "tee", "jq", "fold", "fmt", "column", "md5sum", "sha256sum", "date", "clear", "ls", "pwd", "make", "diff", "open", "pass", "cd",
})  # fmt: skip
_NOT_MEANT = frozenset({
    "id", "whoami", "uname", "hostname", "touch", "mkdir", "ps", "env", "printenv", "sleep", "xcalc", "calc", "gnome-calculator", "w", "who", "ifconfig", "ip", "ss", "netstat",
    "cmd", "cmd.exe", "seq", "yes", "kill", "reset", "stty", "chmod", "chown", "ls-remote", "dd", "ping",
})  # fmt: skip
IDENTITY_COMMANDS = frozenset(
    {"id", "whoami"}
)  # nobody needs them from within a program: they show that it starts any command
_INSTALLED = (
    "/bin/",
    "/usr/",
    "/opt/",
    "/snap/",
    "/Applications/",
    "/nix/store/",
    "/home/linuxbrew/",
    "/etc/alternatives/",
)


def fits_slot(found: FoundCommand) -> bool:
    """Whether a command is of the kind that such places are there for, or at least not known as another kind."""
    folder, slash, name = found.name.rpartition("/")
    if slash and not f"{folder}/".startswith(_INSTALLED):
        return False
    if name in SHELLS:
        return any(word[:1] == "-" and word[:2] != "--" and "c" in word for word in found.arguments)
    if name in _MEANT or name in WRAPPERS:
        return True
    return name not in _NOT_MEANT and not any(name in known for known in (RULES, LAUNCHERS, READERS, FETCHERS))
