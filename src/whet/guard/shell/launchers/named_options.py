"""Tools that start the command which an option or a macro names: sshfs, m4."""

import re

from whet.guard.shell.launchers.shells import text_of_file
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import values_of

_SSHFS_PROGRAMS = frozenset({"ssh_command", "sftp_server", "proxycommand", "localcommand", "knownhostscommand"})
_M4_COMMAND = re.compile(r"\be?syscmd\s*\(\s*[`'\"\[]*([^)'\]]*)")


def sshfs(call: Call, follower: Follower) -> None:
    """Follow the programs of `-o ssh_command=...`; options of one `-o` are separated by commas."""
    for options in values_of(call.args, "-o"):
        for option in options.split(","):
            name, _, program = option.replace("=", " ", 1).partition(" ")
            if name.lower() in _SSHFS_PROGRAMS and program.strip() not in ("", "none"):
                follower.follow_program(program.strip(), call, f"sshfs {name}")


def m4(call: Call, follower: Follower) -> None:
    """Follow the commands of the macros `syscmd` and `esyscmd` on the command line, in input and in known files."""
    files = [text_of_file(call, word, follower) or "" for word in call.args]
    for text in (*call.args, call.stdin or "", *files):
        for command in _M4_COMMAND.findall(text):
            follower.add_danger(call, Harm.SHELL_ESCAPE, "runs a command in a macro of m4")
            follower.follow_text(command, call, "m4 macro")


LAUNCHERS = {"sshfs": sshfs, **dict.fromkeys(("m4", "gm4"), m4)}
