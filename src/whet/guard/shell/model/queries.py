"""Recognise calls of dangerous tools that only show something: help, versions, lists, dry runs."""

from itertools import pairwise

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.programs import DESTRUCTIVE_COMMANDS

_HELP = frozenset({"--help", "--version", "-V", "-?"})
# Tools for which a single `-h` does something else than show help.
_HALTS = frozenset({"shutdown", "reboot", "halt", "poweroff", "chown", "chmod", "chgrp"})
# Programs that may take a last `--help` for one more operand.
_TAKE_ANY_WORD = DESTRUCTIVE_COMMANDS | {"redis-cli", "valkey-cli", "insmod", "socat", "nc", "ncat", "netcat", "init"}
# For each tool, options and subcommands with which it changes nothing; a leading word is a subcommand.
_SHOWS: dict[str, tuple[str, ...]] = {
    "apt": ("-s", "--simulate", "--dry-run", "--just-print"),
    "apt-get": ("-s", "--simulate", "--dry-run", "--just-print"),
    "aptitude": ("-s", "--simulate"),
    "brew": ("-n", "--dry-run"),
    "cargo": ("-n", "--dry-run", "owner -l", "owner --list"),
    "chage": ("-l", "--list"),
    "chkconfig": ("--list",),
    "conda": ("-d", "--dry-run"),
    "depmod": ("-n", "--dry-run", "--show"),
    "dmstats": ("list", "report"),
    "flashrom": ("-r", "--read", "-L", "--list-supported"),
    "fcrackzip": ("-B", "--benchmark"),
    "gem": ("--dryrun",),
    "halt": ("-w", "--wtmp-only"),
    "hashcat": ("--show", "--example-hashes", "-I", "--backend-info"),
    "helm": ("--dry-run",),
    "john": ("--show", "--list=formats"),
    "kmod": ("list", "static-nodes"),
    "kubectl": ("--dry-run=client", "--dry-run=server"),
    "ldconfig": ("-p", "--print-cache"),
    "lvm_import_vdo": ("--dry-run",),
    "macchanger": ("-s", "--show", "-l", "--list"),
    "mdadm": ("-D", "--detail", "-E", "--examine", "-Q", "--query"),
    "modprobe": ("-n", "--dry-run", "--show", "-D", "--show-depends", "-c", "--showconfig"),
    "pacman": ("-Rp",),
    "passwd": ("-S", "--status"),
    "pg_resetwal": ("-n", "--dry-run"),
    "poweroff": ("-w", "--wtmp-only"),
    "pulumi": ("preview",),
    "reboot": ("-w", "--wtmp-only"),
    "rtcwake": ("--list-modes", "-n", "--dry-run"),
    "shutdown": ("-c", "--show"),
    "sfdisk": ("-d", "--dump", "-J", "--json", "-v"),
    "sgdisk": ("-p", "-v", "--print", "--verify", "-i"),
    "terraform": ("plan",),
    "tofu": ("plan",),
    "ttyd": ("-v",),
    "udevadm": ("info", "test"),
    "ufw": ("--dry-run", "status", "show"),
    "visudo": ("-c", "--check"),
    "wipefs": ("-n", "--no-act"),
}
# Options that change something even beside one of the above.
_CHANGES: dict[str, frozenset[str]] = {
    "sgdisk": frozenset(
        [
            "-Z",
            "-z",
            "-d",
            "-n",
            "-t",
            "-o",
            "-G",
            "-g",
            "-m",
            "-s",
            "-l",
            "-R",
            "--zap",
            "--zap-all",
            "--delete",
            "--new",
            "--clear",
        ]
    ),
    "chage": frozenset(["-d", "-E", "-I", "-m", "-M", "-W"]),
    "passwd": frozenset(["-d", "-l", "-u", "-e", "-x", "--delete", "--lock", "--unlock"]),
    "flashrom": frozenset(["-w", "-E", "--write", "--erase"]),
    "halt": frozenset(["-f", "--force", "-p", "--poweroff", "--reboot"]),
    "macchanger": frozenset(["-r", "-e", "-a", "-A", "-p", "-m", "--random", "--permanent", "--mac"]),
    "pg_resetwal": frozenset(["-f", "--force"]),
    "poweroff": frozenset(["-f", "--force", "--halt", "--reboot"]),
    "reboot": frozenset(["-f", "--force", "-p", "--poweroff", "--halt"]),
    "mdadm": frozenset(
        ["--stop", "--fail", "--remove", "--zero-superblock", "--add", "--create", "--grow", "--assemble"]
    ),
}
# Tools that only show something unless one of these letters or long options is given.
_SHOWS_WITHOUT: dict[str, tuple[str, tuple[str, ...]]] = {
    "faillock": ("", ("reset",)),
    "flashrom": ("wEx", ("write", "erase", "image-write", "wp-enable", "wp-disable", "wp-range")),
    "wipefs": ("aob", ("all", "offset", "backup")),
}


def _has_option(args: list[str], option: str) -> bool:
    """True if an option is given, not as the value of the option before it, and not taken back by a later one."""
    name = option.partition("=")[0]
    values = [word for word in args if word.partition("=")[0] == name]
    follows_option = any(
        word == option and before.startswith("--") and "=" not in before for before, word in pairwise(args)
    )
    return values == [option] and not follows_option


def is_query(call: Call) -> bool:
    """True if a call only shows something."""
    args = call.args
    if len(args) == 1 and (args[0] in _HELP or (args[0] == "-h" and call.name not in _HALTS)):
        return True
    has_only_words = not any(word.startswith("-") for word in args[:-1])
    if len(args) > 1 and args[-1] == "--help" and has_only_words and call.name not in _TAKE_ANY_WORD:
        return True
    if not _CHANGES.get(call.name, frozenset()).isdisjoint(args):
        return False
    for shown in _SHOWS.get(call.name, ()):
        verb, _, option = shown.rpartition(" ")
        if option.startswith("-") and _has_option(args, option) and (not verb or verb in args):
            return True
        if not option.startswith("-") and call.options.operands[:1] == [option]:
            return True
    letters, options = _SHOWS_WITHOUT.get(call.name, ("", ()))
    return call.name in _SHOWS_WITHOUT and not call.options.has(letters, *options)
