"""Options and arguments of ordinary tools that are command texts: the ways to a shell that are not called one."""

import re
from collections.abc import Iterator
from dataclasses import replace

from whet.guard.shell.code import python, scripts
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.effects import CodeEffect, RunsCommand
from whet.guard.shell.model.options import values_of

# For each tool the options whose value a shell reads. A name that ends in "=" is a prefix of the value itself.
TEXT_OPTIONS: dict[str, tuple[str, ...]] = {
    "tar": ("--to-command", "--checkpoint-action=exec=", "--use-compress-program", "-I", "--rsh-command", "--info-script",
            "--new-volume-script", "-F", "--checkpoint-action"),
    "zip": ("-TT", "--unzip-command"),
    "rsync": ("-e", "--rsh", "--rsync-path"),
    "scp": ("-S", "-oProxyCommand="), "sftp": ("-S", "-D", "-oProxyCommand="), "cpio": ("--rsh-command",),
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
# Those of them that name one program for the tool to start.
_SLOTS = frozenset(
    {
        "tar",
        "zip",
        "rsync",
        "scp",
        "sftp",
        "cpio",
        "man",
        "tcpdump",
        "split",
        "sort",
        "wget",
        "borg",
        "nano",
        "pico",
        "mosh",
        "unison",
    }
)
_RUN_OPTION = re.compile(
    r"--(?!dry-run)(?:[\w-]+[-_])?(?:exec|execute|command|cmd|hook|run|shell|callback)(?:=(.*))?$", re.DOTALL
)
_SHELL_LINE = re.compile(
    r"^\s*:?(?:\\!|!+|(?:\.shell|\.system|system|(?:platform )?shell|te(?:rm|rminal)|sh)(?![\w=]))\s*(.*)$"
)

# Tools that read commands of their own from standard input or from an option, where a line may start a shell.
COMMAND_READERS: dict[str, tuple[str, ...]] = {
    "ed": (), "red": (), "ftp": (), "sftp": (), "telnet": (), "mail": (), "mailx": (), "gdb": ("-ex", "-eval-command", "--eval-command", "-iex"),
    "smbclient": ("-c",), "sqlite3": ("-cmd",), "mysql": ("-e", "--execute"), "mariadb": ("-e", "--execute"),
    "psql": ("-c", "--command"), "tasksh": (), "lftp": (), "less": (), "more": (), "pg": (), "most": (), "bc": (),
    "nmap": (), "journalctl": (), "systemctl": (), "man": (), "timedatectl": (), "loginctl": (), "busctl": (), "dmesg": (), "hostnamectl": (),
    "vi": ("-c", "--cmd"), "vim": ("-c", "--cmd"), "view": ("-c", "--cmd"), "nvim": ("-c", "--cmd"), "vimdiff": ("-c", "--cmd"),
    "rvim": ("-c", "--cmd"), "rview": ("-c", "--cmd"), "gvim": ("-c", "--cmd"), "ex": ("-c", "--cmd"), "lldb": ("-o", "--one-line"),
    "crash": (), "cpan": (), "puppet": (), "scanmem": (), "radare2": ("-c",), "r2": ("-c",), "zypper": (), "bundle": (), "gcore": (), "at": (),
}  # fmt: skip


def texts_in_known_options(call: Call) -> Iterator[RunsCommand]:
    """The command texts that the options of a call hand to a shell."""
    for text in _option_values(call):
        yield RunsCommand(text, slot=call.name in _SLOTS)


def _option_values(call: Call) -> Iterator[str]:
    for option in TEXT_OPTIONS.get(call.name, ()):
        for value in values_of(call.args, option):
            yield value.removeprefix("exec=").removeprefix("!")
    if call.name == "tar" and call.args and "I" in call.args[0] and call.args[0][0] != "-" and len(call.args) > 1:
        yield call.args[1]


def texts_in_run_options(call: Call) -> Iterator[RunsCommand]:
    """Whatever a tool is: the value of an option that is called `exec`, `command` or `hook` may be run."""
    for place, word in enumerate(call.args):
        if word.startswith("--") and (shape := _RUN_OPTION.match(word)):
            value = shape[1] if shape[1] is not None else call.args[place + 1] if place + 1 < len(call.args) else ""
            if " " in value.strip() and not value.startswith("-"):
                yield RunsCommand(value)


def effects_of_tool_commands(call: Call) -> Iterator[CodeEffect]:
    """The shell commands, and the code of other languages, among the commands that a talking tool is given."""
    options = COMMAND_READERS.get(call.name)
    if options is None:
        return
    edits = call.name in _EDITORS
    given = [value for option in options for value in values_of(call.args, option)]
    if edits or call.name in _PAGERS:
        given += [word[1:] for word in call.args if word.startswith("+") and len(word) > 1]
    if call.name in ("sqlite3", "psql", "mysql", "mariadb"):
        given += [word for word in call.args if word.lstrip().startswith((".sh", ".sys", "\\!"))]
    given += [call.stdin] if call.stdin else []
    for text in given:
        for line in re.split(r"[\n|]", text) if edits else text.splitlines():
            if match := _SHELL_LINE.match(line) or (_FILTER_LINE.match(line) if edits else None):
                yield RunsCommand(match[1] or "sh", slot=True)
        if edits or call.name == "gdb":
            yield from _embedded(text)


def _embedded(text: str) -> Iterator[CodeEffect]:
    """Code that an editor or a debugger runs itself."""
    if match := _CODE_LINE.match(text):
        found = python.effects(match[2]) if match[1].startswith("py") else scripts.effects(match[2], match[1])
        yield from (replace(one, slot=True) if isinstance(one, RunsCommand) else one for one in found)
    yield from (RunsCommand(command, slot=True) for _, command in _SYSTEM_CALL.findall(text))


_EDITORS = frozenset({"vi", "vim", "view", "nvim", "vimdiff", "rvim", "rview", "gvim", "ex"})
_PAGERS = frozenset({"less", "more", "most", "pg"})
_FILTER_LINE = re.compile(r"\s*:?(?:r(?:ead)?|w(?:rite)?|%|\d*,?\d*|\$|\.)\s*!\s*(.*)$")
_CODE_LINE = re.compile(r"\s*:?(lua|py3?|pyx|python3?|pythonx|perl|ruby|tcl)\s+(.+)", re.DOTALL)
_SYSTEM_CALL = re.compile(r"""\b(?:system|systemlist|term_start|jobstart|job_start)\(\s*(["'])(.*?)\1""")
