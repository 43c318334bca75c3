"""Command texts in the options and input of ordinary tools: `tar --to-command`, `vim -c ':!sh'`."""

import re
from collections.abc import Iterator
from dataclasses import replace

from whet.guard.shell.launchers import interpreters
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.effects import CausesHarm, CodeEffect, RunsCommand
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.paths import harm_of_writing

# For each tool, the options whose value is a command text. A name ending in "=" is a prefix of the word.
TEXT_OPTIONS: dict[str, tuple[str, ...]] = {
    "tar": (
        "--to-command", "--checkpoint-action=exec=", "--use-compress-program", "-I", "--rsh-command",
        "--info-script", "--new-volume-script", "-F", "--checkpoint-action",
    ),
    "zip": ("-TT", "--unzip-command"),
    "rsync": ("-e", "--rsh", "--rsync-path"),
    "scp": ("-S", "-oProxyCommand="),
    "sftp": ("-S", "-D", "-oProxyCommand="),
    "cpio": ("--rsh-command",),
    "man": ("-P", "--pager", "-H", "--html"),
    "tcpdump": ("-z",),
    "split": ("--filter",),
    "sort": ("--compress-program",),
    "wget": ("--use-askpass",),
    "aria2c": ("--on-download-complete", "--on-download-error", "--on-download-start", "--on-download-stop"),
    "mail": ("--exec",),
    "mailx": ("--exec",),
    "restic": ("--password-command", "-o"),
    "borg": ("--rsh",),
    "openvpn": ("--up", "--down", "--route-up", "--tls-verify", "--client-connect"),
    "gem": ("-e",),
    "nano": ("-s", "--speller"),
    "pico": ("-s", "--speller"),
    "tmate": ("-c",),
    "xterm": ("-e",),
    "konsole": ("-e",),
    "alacritty": ("-e",),
    "kitty": ("-e",),
    "gnome-terminal": ("-e", "--command"),
    "crash": ("-h",),
    "dosbox": ("-c",),
    "smbclient": ("-c", "--command"),
    "fzf": ("--preview", "--bind"),
    "bpftrace": ("-c",),
    "pexec": ("-c",),
    "mosh": ("--ssh", "--server"),
    "nix-shell": ("--run", "--command"),
    "nix": ("--command", "-c"),
    "git-shell": ("-c",),
    "rclone": ("--password-command",),
    "dsh": ("-c",),
    "lftp": ("-e", "-c"),
    "sg": ("-c",),
    "vagrant": ("-c", "--command"),
    "multitail": ("-l",),
    "mutt": ("-e",),
    "neomutt": ("-e",),
    "ranger": ("--cmd",),
    "unison": ("-sshcmd",),
}  # fmt: skip
# Tools whose option names a helper program for the tool to start (see `program_slots.py`).
_TAKE_PROGRAMS = frozenset({
    "tar", "zip", "rsync", "scp", "sftp", "cpio", "man", "tcpdump", "split", "sort", "wget", "borg", "nano", "pico",
    "mosh", "unison",
})  # fmt: skip
_RUN_OPTION = re.compile(
    r"--(?!dry-run)(?:[\w-]+[-_])?(?:exec|execute|command|cmd|hook|run|shell|callback)(?:=(.*))?$", re.DOTALL
)
_SHELL_COMMAND_LINE = re.compile(
    r"^\s*:?(?:\\!|!+|(?:\.shell|\.system|system|(?:platform )?shell|te(?:rm|rminal)|sh)(?![\w=]))\s*(.*)$"
)

# Tools with a command language of their own, in which a line may start a shell (`!sh`). The options whose value is
# such a line; they read standard input too.
COMMAND_READERS: dict[str, tuple[str, ...]] = {
    "ed": (),
    "red": (),
    "ftp": (),
    "sftp": (),
    "telnet": (),
    "mail": (),
    "mailx": (),
    "gdb": ("-ex", "-eval-command", "--eval-command", "-iex"),
    "smbclient": ("-c",),
    "sqlite3": ("-cmd",),
    "mysql": ("-e", "--execute"),
    "mariadb": ("-e", "--execute"),
    "psql": ("-c", "--command"),
    "tasksh": (),
    "lftp": (),
    "less": (),
    "more": (),
    "pg": (),
    "most": (),
    "bc": (),
    "nmap": (),
    "journalctl": (),
    "systemctl": (),
    "man": (),
    "timedatectl": (),
    "loginctl": (),
    "busctl": (),
    "dmesg": (),
    "hostnamectl": (),
    "vi": ("-c", "--cmd"),
    "vim": ("-c", "--cmd"),
    "view": ("-c", "--cmd"),
    "nvim": ("-c", "--cmd"),
    "vimdiff": ("-c", "--cmd"),
    "rvim": ("-c", "--cmd"),
    "rview": ("-c", "--cmd"),
    "gvim": ("-c", "--cmd"),
    "ex": ("-c", "--cmd"),
    "lldb": ("-o", "--one-line"),
    "crash": (),
    "cpan": (),
    "puppet": (),
    "scanmem": (),
    "radare2": ("-c",),
    "r2": ("-c",),
    "zypper": (),
    "bundle": (),
    "gcore": (),
    "at": (),
}  # fmt: skip
_EDITORS = frozenset({"vi", "vim", "view", "nvim", "vimdiff", "rvim", "rview", "gvim", "ex"})
_PAGERS = frozenset({"less", "more", "most", "pg"})
_FILTER_LINE = re.compile(r"\s*:?(?:r(?:ead)?|w(?:rite)?|%|\d*,?\d*|\$|\.)\s*!\s*(.*)$")
# `rsync --rsync-path='mkdir -p dir && rsync'` creates the target folder on the other machine.
_CREATE_FOLDER_FIRST = re.compile(r"mkdir -p [\w./~-]+ *(?:&&|;) *(?:sudo )?rsync")
_WRITE_LINE = re.compile(r"\s*:?(?:%|\d*,?[\d$]*)?(?:w(?:q|rite)?|sav(?:eas)?|up(?:date)?|x)!?\s+(?:>>\s*)?([^!\s]\S*)")
_CODE_LINE = re.compile(r"\s*:?(lua|py3?|pyx|python3?|pythonx|perl|ruby|tcl)\s+(.+)", re.DOTALL)
_SYSTEM_CALL = re.compile(r"""\b(?:system|systemlist|term_start|jobstart|job_start)\(\s*(["'])(.*?)\1""")


def texts_in_known_options(call: Call) -> Iterator[RunsCommand]:
    """Yield the command texts in options that this tool is known to run."""
    is_slot = call.name in _TAKE_PROGRAMS
    for option in TEXT_OPTIONS.get(call.name, ()):
        for value in values_of(call.args, option):
            if option != "--rsync-path" or not _CREATE_FOLDER_FIRST.fullmatch(value):
                yield RunsCommand(value.removeprefix("exec=").removeprefix("!"), slot=is_slot)
    if call.name == "tar" and len(call.args) > 1 and "I" in call.args[0] and call.args[0][0] != "-":
        yield RunsCommand(call.args[1], slot=is_slot)  # `tar cIf PROGRAM ...`: options without a dash


def texts_in_run_options(call: Call) -> Iterator[RunsCommand]:
    """Yield values of several words given to long options whose name suggests a command: `--exec`, `--on-error-hook`."""
    for index, word in enumerate(call.args):
        option = _RUN_OPTION.match(word) if word.startswith("--") else None
        if option is not None:
            value = option[1]
            if value is None:
                value = call.args[index + 1] if index + 1 < len(call.args) else ""
            if " " in value.strip() and not value.startswith("-"):
                yield RunsCommand(value)


def effects_of_tool_commands(call: Call) -> Iterator[CodeEffect]:
    """Yield the shell commands and the code in the commands that a tool such as `vim` or `gdb` is given."""
    options = COMMAND_READERS.get(call.name)
    if options is None:
        return
    is_editor = call.name in _EDITORS
    for text in _tool_commands(call, options):
        for line in re.split(r"[\n|]", text) if is_editor else text.splitlines():
            match = _SHELL_COMMAND_LINE.match(line) or (_FILTER_LINE.match(line) if is_editor else None)
            if match is not None:
                yield RunsCommand(match[1] or "sh", slot=True)
            written = _WRITE_LINE.match(line) if is_editor or call.name in ("ed", "red") else None
            harm = harm_of_writing(call.resolve(written[1])) if written is not None else None
            if harm is not None and written is not None:
                yield CausesHarm(harm, f"makes {call.name} write {written[1]}")
        if is_editor or call.name == "gdb":
            yield from _effects_of_embedded_code(text)


def _tool_commands(call: Call, options: tuple[str, ...]) -> list[str]:
    """Return the texts in a tool's own command language: from options, `+command` arguments and standard input."""
    texts = [value for option in options for value in values_of(call.args, option)]
    if call.name in _EDITORS or call.name in _PAGERS:
        texts += [word[1:] for word in call.args if word.startswith("+") and len(word) > 1]
    if call.name in ("sqlite3", "psql", "mysql", "mariadb"):
        texts += [word for word in call.args if word.lstrip().startswith((".sh", ".sys", "\\!"))]
    if call.stdin:
        texts.append(call.stdin)
    return texts


def _effects_of_embedded_code(text: str) -> Iterator[CodeEffect]:
    """Yield the effects of code that an editor or a debugger runs itself: `:py import os`, `:call system('...')`."""
    match = _CODE_LINE.match(text)
    if match is not None:
        language, code = match[1], match[2]
        for effect in interpreters.effects(code, "python" if language.startswith("py") else language):
            yield replace(effect, slot=True) if isinstance(effect, RunsCommand) else effect
    for _, command in _SYSTEM_CALL.findall(text):
        yield RunsCommand(command, slot=True)
