"""Commands that open the machine to the network, or misuse a network client: reverse shells, tunnels, deletions."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.hosts import LOCAL
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.placeholders import PRIVATE_CONTENT
from whet.guard.shell.rules.exfiltration import curl_targets
from whet.guard.shell.rules.rule import Rule, RuleHit, always

# ssh, remote desktops, container engines, Kubernetes, databases
_PRIVATE_PORTS = frozenset(
    {"22", "2375", "2376", "3306", "3389", "5432", "5900", "6379", "6443", "9200", "10250", "11211", "27017"}
)
_DELETES_REMOTE = "deletes remote resources"
_OPENS_MACHINE = "opens the machine to the network"
# Addresses of APIs with which clouds and forges are managed.
_MANAGEMENT_API = re.compile(
    r"(https?://)?(api\.(digitalocean|github|cloudflare|heroku|linode|hetzner|vultr|fly|scaleway|vercel|netlify"
    r"|gitlab)\.\w+|[\w.-]+\.(googleapis|amazonaws)\.com|management\.azure\.com|gitlab\.com/api|api\.hetzner\.cloud)/"
)
# Elasticsearch addresses that mean every index.
_EVERY_INDEX = re.compile(r"[^/]/(_all|\*|_data_stream/\*)([?/].*)?$")
# Metadata addresses from which a cloud machine gets its credentials.
_MACHINE_CREDENTIALS = re.compile(
    r"169\.254\.(169\.254|170\.2)/.*(security-credentials|user-data|identity/oauth2|/token|credentials)"
    r"|metadata\.google\.internal/.*/token"
)
# Paths at which a file is a program.
_PROGRAM_PATH = re.compile(r"/(usr/)?(local/)?s?bin/[^/]+|~/(\.local/)?bin/[^/]+|/opt/.*/bin/[^/]+")
_SOCAT_PROGRAM = re.compile(r"\b(exec|system|shell):", re.IGNORECASE)
_SOCAT_FILE = re.compile(r"\b(file|open|gopen):", re.IGNORECASE)
_SOCAT_NETWORK = re.compile(r"\b(tcp|udp|openssl)", re.IGNORECASE)


def _download_program_hits(call: Call, letters: str, long: str) -> Iterator[RuleHit]:
    """Refuse installing a program over an unencrypted connection, where it can be replaced on the way."""
    is_unencrypted = any(word.startswith("http://") and not LOCAL.fullmatch(word) for word in call.args)
    if is_unencrypted and any(_PROGRAM_PATH.fullmatch(path) for path in call.options.value(letters, long)):
        yield Harm.PACKAGES, "installs a program over an unencrypted connection"


def curl(call: Call) -> Iterator[RuleHit]:
    options = call.options
    targets = curl_targets(call)
    yield from _download_program_hits(call, "o", "output")
    if any("docker.sock" in value for value in options.value("", "unix-socket")):
        yield Harm.PRIVILEGE, "uses the docker socket, which controls the machine"
    if any("/" in engine or engine.endswith(".so") for engine in options.value("", "engine")):
        yield Harm.SHELL_ESCAPE, "makes curl load code from a file"
    if any(_MACHINE_CREDENTIALS.search(target) for target in targets):
        yield Harm.SECRETS, "reads the credentials of the machine"
    deletes = "DELETE" in options.value("X", "request")
    if targets and all(LOCAL.fullmatch(target) for target in targets):
        if deletes and any(_EVERY_INDEX.search(target) for target in targets):
            yield Harm.DATABASE, "deletes every index of a database", True
        return
    if deletes and any(_MANAGEMENT_API.match(target) for target in targets):
        yield Harm.INFRASTRUCTURE, _DELETES_REMOTE
    if any("_delete_by_query" in target for target in targets) and "match_all" in " ".join(call.args):
        yield Harm.DATABASE, "deletes everything in an index"
    if deletes and any(_EVERY_INDEX.search(target) for target in targets):
        yield Harm.DATABASE, "deletes every index of a database"


def wget(call: Call) -> Iterator[RuleHit]:
    yield from _download_program_hits(call, "O", "output-document")
    if any(_MACHINE_CREDENTIALS.search(word) for word in call.options.operands):
        yield Harm.SECRETS, "reads the credentials of the machine"


def http_delete(call: Call) -> Iterator[RuleHit]:
    if "DELETE" in call.args and any(_MANAGEMENT_API.match(word) for word in call.args):
        yield Harm.INFRASTRUCTURE, _DELETES_REMOTE


def netcat(call: Call) -> Iterator[RuleHit]:
    options = call.options
    if re.search(r"\bflush_?(all|db)\b", call.stdin or "", re.IGNORECASE):
        yield Harm.DATABASE, "empties a database"
    if options.has("e", "exec", "sh-exec", "lua-exec") or (options.has("c") and options.value("c")):
        yield Harm.REVERSE_SHELL, "gives a program to the network"


def socat(call: Call) -> Iterator[RuleHit]:
    arguments = " ".join(call.args)
    uses_network = _SOCAT_NETWORK.search(arguments) is not None
    if _SOCAT_PROGRAM.search(arguments):
        yield Harm.REVERSE_SHELL, "gives a program to the network"
    elif uses_network and _SOCAT_FILE.search(arguments):
        yield Harm.EXFILTRATION, "gives a file to the network"
    elif uses_network and (call.reads or PRIVATE_CONTENT in (call.stdin or "")):
        yield Harm.EXFILTRATION, "sends the content of a file away"
    elif "docker.sock" in arguments:
        yield Harm.PRIVILEGE, "gives the docker socket to the network"


def reverse_ssh_tunnel(call: Call) -> Iterator[RuleHit]:
    if any(value.endswith(":22") for value in values_of(call.args, "-R")):
        yield Harm.REVERSE_SHELL, "lets users of another machine log in here"


def coprocess(call: Call) -> Iterator[RuleHit]:
    if not {"nc", "ncat", "netcat", "socat", "telnet"}.isdisjoint(call.args):
        yield Harm.REVERSE_SHELL, "keeps a network connection open beside the shell"


def tunnel(call: Call) -> Iterator[RuleHit]:
    """Refuse `code tunnel`, and `cloudflared tunnel` for ssh, rdp or tcp."""
    opens_shell = any("ssh:" in word or "rdp:" in word or "tcp:" in word for word in call.args)
    if call.options.operands[:1] == ["tunnel"] and (call.name != "cloudflared" or opens_shell):
        yield Harm.REVERSE_SHELL, _OPENS_MACHINE


def websocat(call: Call) -> Iterator[RuleHit]:
    if any(re.match(r"(sh-c|exec|cmd):", word) for word in call.args):
        yield Harm.REVERSE_SHELL, "gives a program to the network"


def remote_terminal(call: Call) -> Iterator[RuleHit]:
    if any(re.match(r"[\w.-]+\.[\w.-]+:\d", value) for value in values_of(call.args, "-display")):
        yield Harm.REVERSE_SHELL, "opens a terminal on another machine"


def fzf_server(call: Call) -> Iterator[RuleHit]:
    """Refuse `fzf --listen`: whoever reaches the port has fzf start any command."""
    if any(word.startswith("--listen") for word in call.args):
        yield Harm.REVERSE_SHELL, "lets clients of a port start commands"


def open_private_port(call: Call) -> Iterator[RuleHit]:
    """Refuse a public tunnel to the port of a shell, a container engine or a database. Web servers are often shown."""
    ports = {word.rpartition(":")[2] for word in call.options.operands}
    ports |= {value.rpartition(":")[2] for name, value in call.options.longs if name in ("port", "url")}
    if not ports.isdisjoint(_PRIVATE_PORTS):
        yield Harm.REVERSE_SHELL, "opens a port of this machine to the internet"


RULES: dict[str, tuple[Rule, ...]] = {
    "curl": (curl,),
    "wget": (wget,),
    "socat": (socat,),
    "ssh": (reverse_ssh_tunnel,),
    "coproc": (coprocess,),
    "websocat": (websocat,),
    "xterm": (remote_terminal,),
    **dict.fromkeys(("http", "https", "xh"), (http_delete,)),
    **dict.fromkeys(("ngrok", "lt", "bore", "zrok"), (open_private_port,)),
    **dict.fromkeys(("code", "code-insiders", "cloudflared"), (tunnel,)),
    **dict.fromkeys(("nc", "ncat", "netcat", "nc.traditional", "nc.openbsd", "cryptcat"), (netcat,)),
    **dict.fromkeys(("ztcp", "zsocket"), (always(Harm.REVERSE_SHELL, "opens a connection from the shell"),)),
    "fzf": (fzf_server,),
    **dict.fromkeys(
        (
            "sshd", "dropbear", "ttyd", "gotty", "shellinaboxd", "tmate", "wetty", "sshx", "upterm", "teleconsole",
            "x11vnc", "x0vncserver", "rustdesk", "anydesk", "teamviewer", "in.telnetd", "telnetd", "rshd", "gsocket",
            "gs-netcat", "pwncat", "localtunnel",
        ),
        (always(Harm.REVERSE_SHELL, _OPENS_MACHINE),),
    ),
}  # fmt: skip
