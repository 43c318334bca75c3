"""What goes out, and what is let in."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.paths import is_private, is_temporary
from whet.guard.shell.model.placeholders import PRIVATE_CONTENT, PROCESS_FILE
from whet.guard.shell.rules.rule import RuleHit, always, phrase

LOCAL = re.compile(
    r"(\w+://)?([^@/]*@)?(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal|[\w-]+\.(local|localhost|test|internal))(:\d+)?(/.*)?"
)
_REQUEST_BODIES = (".json", ".xml", ".graphql", ".yaml", ".yml", ".ndjson", ".avsc", ".html", ".js", ".ts")
# Pictures, documents, packages. An archive may hold anything, and so may what lies in a folder for everybody.
_MADE_TO_BE_SENT = (
    ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".pdf", ".mp4", ".mp3", ".wav", ".webm", ".css", ".md", ".whl", ".jar", ".war", ".deb", ".rpm", ".apk", ".aab", ".ipa", ".nupkg", ".gem", ".wasm",
)  # fmt: skip
_REMOTE = re.compile(r"([\w.@-]+|\[[0-9a-f:]+\]):(?!//|\\).*|(rsync|ssh|scp|sftp)://.*")
_MANAGES = re.compile(
    r"(https?://)?(api\.(digitalocean|github|cloudflare|heroku|linode|hetzner|vultr|fly|scaleway|vercel|netlify|gitlab)\.\w+|[\w.-]+\.(googleapis|amazonaws)\.com|management\.azure\.com|gitlab\.com/api|api\.hetzner\.cloud)/"
)
_EVERY_INDEX = re.compile(r"[^/]/(_all|\*|_data_stream/\*)([?/].*)?$")
_MACHINE_CREDENTIALS = re.compile(
    r"169\.254\.(169\.254|170\.2)/.*(security-credentials|user-data|identity/oauth2|/token|credentials)|metadata\.google\.internal/.*/token"
)
_LISTEN = frozenset("lzv")


_PROGRAMS = re.compile(r"/(usr/)?(local/)?s?bin/[^/]+|~/(\.local/)?bin/[^/]+|/opt/.*/bin/[^/]+")


def _made_a_program(call: Call, letters: str, long: str) -> Iterator[RuleHit]:
    """A program that is taken over a plain connection is whatever somebody on the way makes of it."""
    plain = any(word.startswith("http://") and not LOCAL.fullmatch(word) for word in call.args)
    if plain and any(_PROGRAMS.fullmatch(path) for path in call.options.value(letters, long)):
        yield Harm.PACKAGES, "installs a program over an unencrypted connection"


def curl(call: Call) -> Iterator[RuleHit]:
    options = call.options
    targets = [word for word in options.operands if not word.startswith("-")] + options.value("", "url")
    yield from _made_a_program(call, "o", "output")
    if any("docker.sock" in value for value in options.value("", "unix-socket")):
        yield Harm.PRIVILEGE, "uses the docker socket, which controls the machine"
    if any(_MACHINE_CREDENTIALS.search(target) for target in targets):
        yield Harm.SECRETS, "reads the credentials of the machine"
    if targets and all(LOCAL.fullmatch(target) for target in targets):
        return
    method = options.value("X", "request")
    if "DELETE" in method and any(_MANAGES.match(target) for target in targets):
        yield Harm.INFRASTRUCTURE, "deletes remote resources"
    if any("_delete_by_query" in target for target in targets) and "match_all" in " ".join(call.args):
        yield Harm.DATABASE, "deletes everything in an index"
    if "DELETE" in method and any(_EVERY_INDEX.search(target) for target in targets):
        yield Harm.DATABASE, "deletes every index of a database"
    for value in options.value("d", "data", "data-binary", "data-ascii", "data-urlencode", "json"):
        if PRIVATE_CONTENT in value:
            yield Harm.EXFILTRATION, "sends the content of a file away"
        elif "@" in value and not value.startswith(("{", "[", '"')):
            yield from _sent(call, value.partition("@")[2]) if value.startswith("@") or "=@" in value else ()
    for value in options.value("", "data-urlencode"):
        if "@" in value.partition("=")[0] and not value.startswith("@"):
            yield from _sent(call, value.partition("@")[2])
    for value in options.value("F", "form"):
        if "=@" in value or "=<" in value:
            yield from _sent(call, re.split(r"=[@<]", value, maxsplit=1)[1].partition(";")[0])
    for value in options.value("T", "upload-file"):
        yield from _sent(call, value)
    if any(PRIVATE_CONTENT in word for word in (*targets, *options.value("HAbe", "header", "user-agent", "cookie"))):
        yield Harm.EXFILTRATION, "sends the content of a file away"


def _sent(call: Call, path: str) -> Iterator[RuleHit]:
    if path in ("-", ".", "/dev/stdin"):
        if (
            call.stdin is not None and (PRIVATE_CONTENT in call.stdin or any(map(is_private, call.reads)))
        ) or call.reads:
            yield Harm.EXFILTRATION, "sends the content of a file away"
    elif path.startswith(PROCESS_FILE):
        yield Harm.EXFILTRATION, "sends the output of a command away"
    elif is_private(call.resolve(path)) or not (
        path.endswith(_REQUEST_BODIES) or (path.endswith(_MADE_TO_BE_SENT) and not is_temporary(path))
    ):
        yield Harm.EXFILTRATION, f"sends {path} away"


def wget(call: Call) -> Iterator[RuleHit]:
    yield from _made_a_program(call, "O", "output-document")
    if any(_MACHINE_CREDENTIALS.search(word) for word in call.options.operands):
        yield Harm.SECRETS, "reads the credentials of the machine"
    for path in call.options.value("", "post-file", "body-file"):
        yield from _sent(call, path)
    if any(PRIVATE_CONTENT in word for word in call.args):
        yield Harm.EXFILTRATION, "sends the content of a file away"


def copy_away(call: Call) -> Iterator[RuleHit]:
    operands = call.options.operands
    if len(operands) < 2 or not _REMOTE.fullmatch(operands[-1]) or LOCAL.fullmatch(operands[-1].partition(":")[0]):
        return
    for path in operands[:-1]:
        is_deployed = call.name == "rsync" and path in (".", "./")
        if not _REMOTE.fullmatch(path) and is_private(call.resolve(path)) and not is_deployed:
            yield Harm.EXFILTRATION, f"sends {path} to another machine"


def netcat(call: Call) -> Iterator[RuleHit]:
    options = call.options
    if re.search(r"\bflush_?(all|db)\b", call.stdin or "", re.IGNORECASE):
        yield Harm.DATABASE, "empties a database"
    if options.has("e", "exec", "sh-exec", "lua-exec") or (options.has("c") and options.value("c")):
        yield Harm.REVERSE_SHELL, "gives a program to the network"
        return
    operands = options.operands
    if "l" in options.shorts or "z" in options.shorts or not operands or LOCAL.fullmatch(operands[0]):
        if ("l" in options.shorts and call.stdin is not None and PRIVATE_CONTENT in call.stdin) or (
            "l" in options.shorts and call.reads
        ):
            yield Harm.EXFILTRATION, "serves the content of a file to every client that connects"
        return
    if call.reads or (call.stdin is not None and PRIVATE_CONTENT in call.stdin):
        yield Harm.EXFILTRATION, "sends the content of a file away"
    elif call.stdin is not None and not call.stdin.isascii():
        yield Harm.EXFILTRATION, "sends the output of a command away"


def socat(call: Call) -> Iterator[RuleHit]:
    joined = " ".join(call.args)
    if re.search(r"\b(exec|system|shell):", joined, re.IGNORECASE):
        yield Harm.REVERSE_SHELL, "gives a program to the network"
    elif re.search(r"\b(file|open|gopen):", joined, re.IGNORECASE) and re.search(
        r"\b(tcp|udp|openssl)", joined, re.IGNORECASE
    ):
        yield Harm.EXFILTRATION, "gives a file to the network"
    elif (call.reads or PRIVATE_CONTENT in (call.stdin or "")) and re.search(
        r"\b(tcp|udp|openssl)", joined, re.IGNORECASE
    ):
        yield Harm.EXFILTRATION, "sends the content of a file away"
    elif re.search(r"docker\.sock", joined):
        yield Harm.PRIVILEGE, "gives the docker socket to the network"


def mailer(call: Call) -> Iterator[RuleHit]:
    attached = [value for option in ("-a", "-A", "--attach") for value in values_of(call.args, option)]
    if (
        call.reads
        or (call.stdin is not None and PRIVATE_CONTENT in call.stdin)
        or any(is_private(path) for path in attached)
    ):
        yield Harm.EXFILTRATION, "sends the content of a file away"


def shown_to_all(call: Call) -> Iterator[RuleHit]:
    """`gh gist create file`, `gh release upload tag file`."""
    words = call.options.operands
    if words[:2] in (
        ["gist", "create"],
        ["gist", "edit"],
        ["snippet", "create"],
        ["release", "upload"],
        ["release", "create"],
    ):
        for path in words[2:]:
            if is_private(call.resolve(path)):
                yield Harm.EXFILTRATION, f"sends {path} away"


def lookup(call: Call) -> Iterator[RuleHit]:
    if any(PRIVATE_CONTENT in word for word in call.args):
        yield Harm.EXFILTRATION, "sends the content of a file away in a name lookup"


def fed(call: Call) -> Iterator[RuleHit]:
    if (
        (call.stdin is not None and PRIVATE_CONTENT in call.stdin)
        or call.reads
        or any(PRIVATE_CONTENT in word for word in call.args)
    ):
        yield Harm.EXFILTRATION, "sends the content of a file away"


def asked(call: Call) -> Iterator[RuleHit]:
    if "DELETE" in call.args and any(_MANAGES.match(word) for word in call.args):
        yield Harm.INFRASTRUCTURE, "deletes remote resources"


def secure_client(call: Call) -> Iterator[RuleHit]:
    if call.args[:1] == ["s_client"] and (
        set(call.reads) - {"/dev/null"} or (call.stdin is not None and not call.stdin.isascii())
    ):
        yield Harm.EXFILTRATION, "sends the content of a file away"


def remote_shell(call: Call) -> Iterator[RuleHit]:
    if call.stdin is not None and PRIVATE_CONTENT in call.stdin:
        yield Harm.EXFILTRATION, "sends the content of a file to another machine"
    if any(value.endswith(":22") for value in values_of(call.args, "-R")):
        yield Harm.REVERSE_SHELL, "lets users of another machine log in here"


def beside(call: Call) -> Iterator[RuleHit]:
    if not {"nc", "ncat", "netcat", "socat", "telnet"}.isdisjoint(call.args):
        yield Harm.REVERSE_SHELL, "keeps a network connection open beside the shell"


def transfer(call: Call) -> Iterator[RuleHit]:
    for word in call.args:
        if is_private(word) and word not in (".", "*", "/", "./"):
            yield Harm.EXFILTRATION, f"sends {word} away"


_SERVED = re.compile(r"/|~|/(etc|home|root|Users|var|usr)(/[^/]*)?/?|~/(\..*)?|file:///?.*|\.\./\.\./.*")


def served(call: Call) -> Iterator[RuleHit]:
    """A machine or a home, given to whoever asks; a folder of a project may be looked at."""
    if call.name == "php" and not call.options.has("S"):
        return
    for word in call.args:
        if _SERVED.fullmatch(path := call.resolve(word.rpartition("=")[2])):
            yield Harm.EXFILTRATION, f"serves {path} to the network"


def pushed_away(call: Call) -> Iterator[RuleHit]:
    """A repository goes to its forge; to an address that is typed in for it, to whoever listens there."""
    words = call.options.operands
    if "push" not in words[:2]:
        return
    address = next((_HOST.match(word) for word in words if _HOST.match(word)), None)
    if address and not FORGES.fullmatch(address[1]) and not LOCAL.fullmatch(address[1]):
        yield Harm.EXFILTRATION, f"sends the repository to {address[1]}"


_HOST = re.compile(r"(?:https?|ssh|git|ftps?)://(?:[^@/]*@)?([^/:]+)[/:]")
FORGES = re.compile(
    r"(.*\.)?(github|gitlab|bitbucket|codeberg|azure|visualstudio|heroku|sr\.ht|gitea|googlesource|amazonaws|huggingface)(\..*)?|git\..*|.*\.(internal|local|lan|corp)"
)
_PUTS = re.compile(r"\b(?:m?put|reput|send|mirror\s+-R|mirror\s+--reverse)\s+(?:-\w+\s+)*(\S+)")


def told_to_send(call: Call) -> Iterator[RuleHit]:
    """`sftp`, `ftp`, `lftp`, `smbclient`: the file stands in what they are told."""
    for text in (*call.args, call.stdin or ""):
        for path in _PUTS.findall(text):
            if is_private(call.resolve(path.strip("'\"").rstrip(";"))):
                yield Harm.EXFILTRATION, f"sends {path} away"


def recorded(call: Call) -> Iterator[RuleHit]:
    said = " ".join(call.args)
    if re.search(r"x11grab|avfoundation|gdigrab|kmsgrab|pulse|alsa", said) and re.search(
        r"\b(tcp|udp|rtmps?|srt|rtp|https?)://", said
    ):
        yield Harm.EXFILTRATION, "sends a recording of the screen or the microphone away"


def tunnel(call: Call) -> Iterator[RuleHit]:
    if call.options.operands[:1] == ["tunnel"] and (
        call.name != "cloudflared" or any("ssh:" in word or "rdp:" in word or "tcp:" in word for word in call.args)
    ):
        yield Harm.REVERSE_SHELL, "opens the machine to the network"


def hands_out(call: Call) -> Iterator[RuleHit]:
    if any(re.match(r"(sh-c|exec|cmd):", word) for word in call.args):
        yield Harm.REVERSE_SHELL, "gives a program to the network"


def posted(call: Call) -> Iterator[RuleHit]:
    if any(PRIVATE_CONTENT in word for word in call.args):
        yield Harm.EXFILTRATION, "shows the content of a file to others"


_OPENS = (always(Harm.REVERSE_SHELL, "opens the machine to the network"),)
RULES = {
    **dict.fromkeys(("sftp", "lftp", "ncftp", "ncftpput", "smbclient", "psftp"), (told_to_send,)), "ffmpeg": (recorded,), "code": (tunnel,), "code-insiders": (tunnel,), "cloudflared": (tunnel,), "websocat": (hands_out,),
    **dict.fromkeys(("sshd", "dropbear", "ttyd", "gotty", "shellinaboxd", "tmate", "wetty", "sshx", "upterm", "teleconsole", "x11vnc", "x0vncserver", "rustdesk", "anydesk", "teamviewer", "in.telnetd", "telnetd", "rshd", "gsocket", "gs-netcat", "pwncat", "localtunnel"), _OPENS),
    "git": (pushed_away,),
    **dict.fromkeys(("serve", "http-server", "live-server", "caddy", "darkhttpd", "miniserve", "webfsd", "twistd", "updog", "httpd", "goshs", "php", "simple-http-server", "sfz", "webdav"), (served,)),
    "coproc": (beside,), **dict.fromkeys(("ztcp", "zsocket"), (always(Harm.REVERSE_SHELL, "opens a connection from the shell"),)),
    "curl": (curl,), "wget": (wget,), "scp": (copy_away,), "rsync": (copy_away,), "rcp": (copy_away,), "pscp": (copy_away,),
    **dict.fromkeys(("nc", "ncat", "netcat", "nc.traditional", "nc.openbsd", "cryptcat"), (netcat,)), "socat": (socat,),
    **dict.fromkeys(("mail", "mailx", "mutt", "sendmail", "msmtp", "swaks", "neomutt"), (mailer,)), "telnet": (fed,), "ftp": (told_to_send, fed), "tftp": (told_to_send, fed), **dict.fromkeys(("http", "https", "xh"), (fed, asked)),
    **dict.fromkeys(("dig", "nslookup", "host", "ping"), (lookup,)), "openssl": (secure_client,), "ssh": (remote_shell,), "croc": (transfer,), "magic-wormhole": (transfer,), "wormhole": (transfer,),
    "transfer": (transfer,), **dict.fromkeys(("gist", "slackcat", "telegram-send", "pastebinit", "ipfs", "b2", "s3cmd", "mc", "az", "ffsend", "megaput", "gdrive", "keybase", "signal-cli", "onionshare-cli", "wgetpaste", "dpaste"), (transfer,)), "gh": (shown_to_all, posted), "glab": (shown_to_all, posted), "rclone": (transfer,), "gsutil": (transfer,), **dict.fromkeys(("whois", "finger", "traceroute", "tracepath", "mtr", "curlftpfs", "nmap", "drill", "kdig", "delv", "resolvectl", "getent"), (lookup,)), "xterm": (phrase("--display", Harm.REVERSE_SHELL, "opens a terminal on another machine"),), "ngrok": (served, phrase("tcp 22", Harm.REVERSE_SHELL, "opens the machine to the network"),),
}  # fmt: skip


def terminal_elsewhere(call: Call) -> Iterator[RuleHit]:
    if any(re.match(r"[\w.-]+\.[\w.-]+:\d", value) for value in values_of(call.args, "-display")):
        yield Harm.REVERSE_SHELL, "opens a terminal on another machine"


RULES["xterm"] = (terminal_elsewhere,)
