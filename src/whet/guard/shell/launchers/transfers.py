"""Local files that printing, sharing, archiving and transfer tools send to another machine."""

import re

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.hosts import LOCAL
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.paths import is_private
from whet.guard.shell.model.placeholders import PRIVATE_CONTENT

_REMOTE_ARCHIVE = re.compile(r"(?:[\w.-]+@)?[\w.-]+\.[\w.-]+:.+|[\w.-]+@[\w.-]+:.+")
_TAR_VALUED_LETTERS = "bfCTXFgKLNVI"
_PUT = re.compile(r"\b(?:m?put|send)\s+(\S+)")


def print_remotely(call: Call, follower: Follower) -> None:
    """Report `lp -h host file`: a private file for the printer of another machine."""
    hosts = [value for option in ("-h", "-H") for value in values_of(call.args, option)]
    if any(host and not LOCAL.fullmatch(host) for host in hosts):
        _report_private(call, [word for word in call.args if word not in hosts], follower)


def share(call: Call, follower: Follower) -> None:
    """Report `tailscale serve file` and `tailscale file cp file host:` for private files."""
    if {"serve", "funnel", "cp"}.intersection(call.args):
        _report_private(call, call.args, follower)


def archive_remotely(call: Call, follower: Follower) -> None:
    """Report `tar cf user@host:archive file` for private files."""
    old_style_letters(call, follower)
    mode = call.args[0] if call.args else ""
    creates = "c" in mode.lstrip("-")[:6] or "--create" in call.args
    archives = [word for word in call.args if _REMOTE_ARCHIVE.fullmatch(word)]
    if creates and archives and "--force-local" not in call.args:
        _report_private(call, [word for word in call.args[1:] if word not in archives], follower)


def old_style_letters(call: Call, follower: Follower) -> None:
    """Follow the program of `tar xfI archive program`: each letter takes the next word, in the order of the letters."""
    letters = call.args[0] if call.args else ""
    if letters[:1] in ("-", "") or "I" not in letters or not letters.isalpha():
        return
    position = 1 + sum(letter in _TAR_VALUED_LETTERS for letter in letters[: letters.index("I")])
    if position < len(call.args):
        follower.follow_program(call.args[position], call, "tar -I")


def put(call: Call, follower: Follower) -> None:
    """Report `tftp host -c put file` for private files: the command is spread over several words."""
    for path in _PUT.findall(" ".join(call.args)):
        _report_private(call, [path], follower)


def _report_private(call: Call, words: list[str], follower: Follower) -> None:
    for word in words:
        if not word.startswith("-") and "/" in word and is_private(call.resolve(word)):
            follower.add_danger(call, Harm.EXFILTRATION, f"sends {word} to another machine")


def install_unsigned(call: Call, follower: Follower) -> None:
    """Raise `snap install --dangerous`, which takes a package without a signature and outside of confinement."""
    if "install" in call.args and {"--dangerous", "--devmode"}.issubset(call.args):
        follower.add_danger(call, Harm.PACKAGES, "installs a package without signature and confinement", raises=True)


def send_words(call: Call, follower: Follower) -> None:
    """Report the content of a private file in the words that a client sends to its server."""
    if any(PRIVATE_CONTENT in word for word in call.args):
        follower.add_danger(call, Harm.EXFILTRATION, "sends the content of a file away")


def back_up_unencrypted(call: Call, follower: Follower) -> None:
    """Report a backup that is sent over an unencrypted connection, for human review."""
    for word in call.args:
        address = word.partition("rest:")[2]
        if address.startswith("http://") and not LOCAL.fullmatch(address):
            follower.add_danger(call, Harm.EXFILTRATION, "sends a backup over an unencrypted connection", raises=True)


LAUNCHERS = {
    **dict.fromkeys(("rlogin", "rsh", "cancel", "lpstat", "telnet", "write", "rwho", "irssi", "rsync-ssl"), send_words),
    "restic": back_up_unencrypted,
    **dict.fromkeys(("lp", "lpr"), print_remotely),
    "tailscale": share,
    **dict.fromkeys(("tar", "cpio"), archive_remotely),
    **dict.fromkeys(("tftp", "atftp", "ftp", "lftp", "ncftpput", "sftp"), put),
    "snap": install_unsigned,
}
