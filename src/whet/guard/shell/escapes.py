"""Options and arguments of ordinary tools that are command texts: the ways to a shell that are not called one."""

import re
from collections.abc import Iterator

from whet.guard.shell.call import Call

# For each tool the options whose value a shell reads. A name that ends in "=" is a prefix of the value itself.
TEXT_OPTIONS: dict[str, tuple[str, ...]] = {
    "tar": ("--to-command", "--checkpoint-action=exec=", "--use-compress-program", "-I", "--rsh-command", "--info-script",
            "--new-volume-script", "-F", "--checkpoint-action"),
    "zip": ("-TT", "--unzip-command"),
    "rsync": ("-e", "--rsh", "--rsync-path"),
    "scp": ("-S", "-oProxyCommand="), "sftp": ("-S", "-oProxyCommand="),
    "man": ("-P", "--pager", "-H", "--html"),
    "tcpdump": ("-z",),
    "split": ("--filter",),
    "sort": ("--compress-program",),
    "wget": ("--use-askpass",),
    "aria2c": ("--on-download-complete", "--on-download-error", "--on-download-start", "--on-download-stop"),
    "mail": ("--exec",), "mailx": ("--exec",),
    "restic": ("--password-command", "-o"), "borg": ("--rsh",),
    "openvpn": ("--up", "--down", "--route-up", "--tls-verify", "--client-connect"),
    "gem": ("-e",), "nano": ("-s", "--speller"), "pico": ("-s", "--speller"),
    "tmate": ("-c",), "xterm": ("-e",), "konsole": ("-e",), "alacritty": ("-e",), "kitty": ("-e",), "gnome-terminal": ("-e", "--command"),
    "crash": ("-h",), "dosbox": ("-c",),     "smbclient": ("-c", "--command"), "ansible": ("-a", "--args"), "fzf": ("--preview", "--bind"),     "bpftrace": ("-c",), "pexec": ("-c",), "mosh": ("--ssh", "--server"), "nix-shell": ("--run", "--command"), "nix": ("--command", "-c"),
    "git-shell": ("-c",), "rclone": ("--password-command",), "dsh": ("-c",), "lftp": ("-e", "-c"),
    "runuser": ("-c", "--command", "--session-command"),
    "su": ("-c", "--command", "--session-command"), "sg": ("-c",),     "vagrant": ("-c", "--command"), "multitail": ("-l",), "mutt": ("-e",), "neomutt": ("-e",),
    "ranger": ("--cmd",),     "unison": ("-sshcmd",),
}  # fmt: skip
_SHELL_LINE = re.compile(r"^\s*:?(?:\\!|!+|(?:\.shell|\.system|system|shell|te(?:rm|rminal)|sh)(?![\w=]))\s*(.*)$")

# Tools that read commands of their own from standard input or from an option, where a line may start a shell.
TALKING: dict[str, tuple[str, ...]] = {
    "ed": (), "red": (), "ftp": (), "sftp": (), "telnet": (), "mail": (), "mailx": (), "gdb": ("-ex", "-eval-command", "--eval-command", "-iex"),
    "smbclient": ("-c",), "sqlite3": ("-cmd",), "mysql": ("-e", "--execute"), "mariadb": ("-e", "--execute"),
    "psql": ("-c", "--command"), "tasksh": (), "lftp": (), "less": (), "more": (), "pg": (), "most": (), "bc": (),
    "nmap": (), "journalctl": (), "systemctl": (), "man": (), "timedatectl": (), "loginctl": (), "busctl": (), "dmesg": (), "hostnamectl": (),
    "vi": ("-c", "--cmd"), "vim": ("-c", "--cmd"), "view": ("-c", "--cmd"), "nvim": ("-c", "--cmd"), "vimdiff": ("-c", "--cmd"),
    "rvim": ("-c", "--cmd"), "rview": ("-c", "--cmd"), "gvim": ("-c", "--cmd"), "ex": ("-c", "--cmd"), "lldb": ("-o", "--one-line"),
    "cpan": (), "puppet": (), "scanmem": (), "radare2": ("-c",), "r2": ("-c",), "zypper": (), "bundle": (), "gcore": (), "at": (),
}  # fmt: skip


def option_texts(call: Call) -> Iterator[str]:
    """The command texts that the options of a call hand to a shell."""
    for option in TEXT_OPTIONS.get(call.name, ()):
        for value in values_of(call.args, option):
            yield value.removeprefix("exec=").removeprefix("!")
    if call.name == "tar" and call.args and "I" in call.args[0] and call.args[0][0] != "-" and len(call.args) > 1:
        yield call.args[1]


def values_of(args: list[str], option: str) -> Iterator[str]:
    for place, word in enumerate(args):
        if word == option:
            yield args[place + 1] if place + 1 < len(args) else ""
        elif option.startswith("--") and word.startswith(f"{option}="):
            yield word[len(option) + 1 :]
        elif option.endswith("=") and word.startswith(option):
            yield word[len(option) :]
        elif (
            len(option) == 2
            and option[0] == "-"
            and word.startswith(option)
            and not word.startswith("--")
            and len(word) > 2
        ):
            yield word[2:]


def spoken_lines(call: Call) -> Iterator[str]:
    """The shell commands among the commands that a talking tool is given."""
    options = TALKING.get(call.name)
    if options is None:
        return
    given = [value for option in options for value in values_of(call.args, option)]
    if call.name in _EDITORS:
        given += [word[1:] for word in call.args if word.startswith("+") and len(word) > 1]
    if call.name in ("sqlite3", "psql", "mysql", "mariadb"):
        given += [word for word in call.args if word.lstrip().startswith((".sh", ".sys", "\\!"))]
    given += [call.stdin] if call.stdin else []
    for text in given:
        for line in text.splitlines() if call.name not in _EDITORS else re.split(r"[\n|]", text):
            match = _SHELL_LINE.match(line)
            if match:
                yield match[1] or "sh"


_EDITORS = frozenset({"vi", "vim", "view", "nvim", "vimdiff", "rvim", "rview", "gvim", "ex"})
