"""Files that come or go over connections that nobody checks: raised to a person, because ordinary files are meant.

Private files are refused in `exfiltration.py`.
"""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.hosts import LOCAL
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.paths import is_temporary
from whet.guard.shell.rules.rule import Rule, RuleHit

_OUTPUT_OPTIONS = {
    "curl": ("-o", "--output"),
    "wget": ("-O", "--output-document", "-P", "--directory-prefix"),
    "aria2c": ("-o", "--out", "-d", "--dir"),
    "axel": ("-o", "--output"),
    "lwp-download": (),
    "fetch": ("-o",),
    "http": ("-o", "--output"),
    "xh": ("-o", "--output"),
}
_UNENCRYPTED = re.compile(r"(?:http|ftp|tftp)://", re.IGNORECASE)
_REMOTE_PATH = re.compile(r"(?:[\w.-]+@)?[\w-]+(?:\.[\w-]+)+:.*|[\w.-]+@[\w.-]+:.*")
_SHARE_COMMAND = re.compile(r"\b(?:m?put|m?get|reput|reget)\s+(?:\S+\s+)*?[\"']?(/[^\s\"';]+)")
_EVERY_INTERFACE = re.compile(r"(?:0\.0\.0\.0|\[::\]|\*)(?::\d+)?")
_COPIES = "copies a file outside of the project from or to another machine"
_RECEIVES = "saves what it receives over an unencrypted connection"


def _is_outside(path: str) -> bool:
    """True for an absolute path that is not in a temporary folder: a file outside of the project."""
    return path.startswith(("/", "~")) and not path.startswith("/dev/") and not is_temporary(path)


def download(call: Call) -> Iterator[RuleHit]:
    """Ask a person about a download without encryption to a place outside of the project."""
    if any(word.startswith("gopher://") for word in call.args):
        yield Harm.EXFILTRATION, "sends any bytes to any port (gopher)", True
    addresses = [word for word in call.args if _UNENCRYPTED.match(word)]
    outputs = [value for option in _OUTPUT_OPTIONS[call.name] for value in values_of(call.args, option)]
    outputs += [*call.writes, *(call.options.operands[1:] if call.name == "lwp-download" else ())]
    is_remote = any(not LOCAL.fullmatch(address) for address in addresses)
    if is_remote and any(_is_outside(path) for path in outputs):
        yield Harm.PACKAGES, _RECEIVES, True


def receive(call: Call) -> Iterator[RuleHit]:
    """Raise `nc host port > file` and `openssl s_client > file`."""
    if call.name == "openssl" and call.args[:1] != ["s_client"]:
        return
    operands = call.options.operands
    is_local = call.name != "openssl" and bool(operands) and LOCAL.fullmatch(operands[0]) is not None
    if not is_local and any(not path.startswith("/dev/") for path in call.writes):
        yield Harm.PACKAGES, _RECEIVES, True


def obsolete_client(call: Call) -> Iterator[RuleHit]:
    """Ask a person about clients of unencrypted protocols that have long been replaced: ftp, tftp, rlogin, finger."""
    operands = [word for word in call.args if not word.startswith("-")]
    is_remote_finger = call.name != "finger" or any("@" in word for word in operands)
    if operands and is_remote_finger and not all(LOCAL.fullmatch(word) for word in operands):
        yield Harm.EXFILTRATION, f"uses {call.name}, which exchanges everything unencrypted", True


def session_line(call: Call) -> Iterator[RuleHit]:
    """Raise `put /file`, a line that is typed into a program such as sftp."""
    if any(_is_outside(word) for word in call.args):
        yield Harm.EXFILTRATION, _COPIES, True


def remote_printer(call: Call) -> Iterator[RuleHit]:
    hosts = [value for option in ("-h", "-H") for value in values_of(call.args, option)]
    if any("." in host and not LOCAL.fullmatch(host) for host in hosts):
        yield Harm.EXFILTRATION, "sends its arguments to the printer of another machine", True


def whois(call: Call) -> Iterator[RuleHit]:
    """Raise `whois -h host -p port`, which sends any text to any server."""
    if {"-h", "--host"}.intersection(call.args) and {"-p", "--port"}.intersection(call.args):
        yield Harm.EXFILTRATION, "exchanges text with a server that is not a whois server", True


def mount_remote(call: Call) -> Iterator[RuleHit]:
    operands = call.options.operands
    if len(operands) > 1 and _REMOTE_PATH.fullmatch(operands[0]) and _is_outside(operands[-1]):
        yield Harm.SYSTEM, "mounts a folder of another machine outside of the project", True


def share_on_network(call: Call) -> Iterator[RuleHit]:
    if {"serve", "funnel"}.intersection(call.args) and any(_is_outside(word) for word in call.args):
        yield Harm.EXFILTRATION, "serves a file outside of the project to the network", True


def remote_archive(call: Call) -> Iterator[RuleHit]:
    if any(_REMOTE_PATH.fullmatch(word) for word in call.args) and "--force-local" not in call.args:
        yield Harm.EXFILTRATION, "reads or writes an archive on another machine", True


def share(call: Call) -> Iterator[RuleHit]:
    """Raise `smbclient -c 'put /file'` for files outside of the project."""
    if any(_is_outside(path) for word in (*call.args, call.stdin or "") for path in _SHARE_COMMAND.findall(word)):
        yield Harm.EXFILTRATION, _COPIES, True


def serve(call: Call) -> Iterator[RuleHit]:
    """Raise `php -S 0.0.0.0:80` and `ruby -run -e httpd`: every machine of the network can read the folder."""
    is_ruby_server = "-run" in call.args and "httpd" in call.args and "--bind-address=127.0.0.1" not in call.args
    if is_ruby_server or any(_EVERY_INTERFACE.fullmatch(address) for address in values_of(call.args, "-S")):
        yield Harm.EXFILTRATION, "serves a folder to the whole network", True


RULES: dict[str, tuple[Rule, ...]] = {
    **dict.fromkeys(_OUTPUT_OPTIONS, (download,)),
    **dict.fromkeys(("nc", "ncat", "netcat", "nc.traditional", "nc.openbsd", "cryptcat", "openssl"), (receive,)),
    **dict.fromkeys(("ftp", "tftp", "atftp", "rlogin", "rsh", "finger"), (obsolete_client,)),
    **dict.fromkeys(("get", "put", "mget", "mput"), (session_line,)),
    **dict.fromkeys(("lp", "lpr", "cancel"), (remote_printer,)),
    "whois": (whois,),
    "sshfs": (mount_remote,),
    "tailscale": (share_on_network,),
    **dict.fromkeys(("tar", "cpio"), (remote_archive,)),
    "smbclient": (share,),
    **dict.fromkeys(("php", "ruby"), (serve,)),
}
