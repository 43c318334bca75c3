"""Commands that send private files, the output of commands or repositories to other machines."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.hosts import FORGES, LOCAL
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.paths import is_private, is_temporary
from whet.guard.shell.model.placeholders import (
    PRIVATE_CONTENT,
    PROCESS_FILE,
    has_secret_content,
    without_placeholders,
)
from whet.guard.shell.rules.rule import Rule, RuleHit

_SENDS_FILE = "sends the content of a file away"
_REQUEST_BODY_SUFFIXES = (".json", ".xml", ".graphql", ".yaml", ".yml", ".ndjson", ".avsc", ".html", ".js", ".ts")
# Pictures, documents, packages. Not archives, which may contain anything, and not files in temporary folders.
_PUBLIC_SUFFIXES = (
    ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".pdf", ".mp4", ".mp3", ".wav", ".webm", ".css", ".md", ".whl",
    ".jar", ".war", ".deb", ".rpm", ".apk", ".aab", ".ipa", ".nupkg", ".gem", ".wasm",
)  # fmt: skip
_REMOTE_PATH = re.compile(r"([\w.@-]+|\[[0-9a-f:]+\]):(?!//|\\).*|(rsync|ssh|scp|sftp)://.*")
_URL_HOST = re.compile(r"(?:https?|ssh|git|ftps?)://(?:[^@/]*@)?([^/:]+)[/:]")
_PUT_COMMAND = re.compile(r"\b(?:m?put|reput|send|mirror\s+-R|mirror\s+--reverse)\s+(?:-\w+\s+)*(\S+)")
_WIDE_FOLDER = re.compile(r"/|~|/(etc|home|root|Users|var|usr)(/[^/]*)?/?|~/(\..*)?|file:///?.*|\.\./\.\./.*")
_RECORDS = re.compile(r"x11grab|avfoundation|gdigrab|kmsgrab|pulse|alsa")
_STREAM_ADDRESS = re.compile(r"\b(tcp|udp|rtmps?|srt|rtp|https?)://")
_PUBLISHING_VERBS = (
    ["gist", "create"],
    ["gist", "edit"],
    ["snippet", "create"],
    ["release", "upload"],
    ["release", "create"],
)  # fmt: skip


def _stdin_is_private(call: Call) -> bool:
    return call.stdin is not None and PRIVATE_CONTENT in call.stdin


def curl_upload(call: Call) -> Iterator[RuleHit]:
    """Refuse private files and private content in the data, forms and headers of a request to another machine."""
    options = call.options
    targets = curl_targets(call)
    if targets and all(LOCAL.fullmatch(target) for target in targets):
        return
    for value in options.value("d", "data", "data-binary", "data-ascii", "data-urlencode", "json"):
        if PRIVATE_CONTENT in value:
            yield Harm.EXFILTRATION, _SENDS_FILE
        elif value.startswith("@") or ("=@" in value and not value.startswith(("{", "[", '"'))):
            yield from upload_hits(call, value.partition("@")[2])
    for value in options.value("", "data-urlencode"):
        if "@" in value.partition("=")[0] and not value.startswith("@"):
            yield from upload_hits(call, value.partition("@")[2])
    for value in options.value("F", "form"):
        if "=@" in value or "=<" in value:
            yield from upload_hits(call, re.split(r"=[@<]", value, maxsplit=1)[1].partition(";")[0])
    for value in options.value("T", "upload-file"):
        yield from upload_hits(call, value)
    headers = options.value("HAbe", "header", "user-agent", "cookie")
    if any(PRIVATE_CONTENT in word for word in (*targets, *headers)):
        yield Harm.EXFILTRATION, _SENDS_FILE


def curl_targets(call: Call) -> list[str]:
    """Return the addresses of a curl call."""
    operands = [word for word in call.options.operands if not word.startswith("-")]
    return operands + call.options.value("", "url")


def upload_hits(call: Call, path: str) -> Iterator[RuleHit]:
    """Refuse uploading a file, unless its kind is meant to be sent (a request body, a picture, a package)."""
    if path in ("-", ".", "/dev/stdin"):
        if call.reads or _stdin_is_private(call):
            yield Harm.EXFILTRATION, _SENDS_FILE
    elif path.startswith(PROCESS_FILE):
        yield Harm.EXFILTRATION, "sends the output of a command away"
    else:
        is_public = path.endswith(_PUBLIC_SUFFIXES) and not is_temporary(path)
        is_meant_to_be_sent = path.endswith(_REQUEST_BODY_SUFFIXES) or is_public
        if not is_meant_to_be_sent or is_private(call.resolve(path)):
            yield Harm.EXFILTRATION, f"sends {path} away"


def wget_upload(call: Call) -> Iterator[RuleHit]:
    for path in call.options.value("", "post-file", "body-file"):
        yield from upload_hits(call, path)
    if any(PRIVATE_CONTENT in word for word in call.args):
        yield Harm.EXFILTRATION, _SENDS_FILE


def copy_to_remote(call: Call) -> Iterator[RuleHit]:
    operands = call.options.operands
    if len(operands) < 2 or not _REMOTE_PATH.fullmatch(operands[-1]):
        return
    if LOCAL.fullmatch(operands[-1].partition(":")[0]):
        return
    for path in operands[:-1]:
        is_deployment = call.name == "rsync" and path in (".", "./")
        if not _REMOTE_PATH.fullmatch(path) and is_private(call.resolve(path)) and not is_deployment:
            yield Harm.EXFILTRATION, f"sends {path} to another machine"


def netcat_input(call: Call) -> Iterator[RuleHit]:
    """Refuse private content on the standard input of netcat, which sends it to the other side."""
    options, operands = call.options, call.options.operands
    if options.has("e", "exec", "sh-exec", "lua-exec") or (options.has("c") and options.value("c")):
        return  # a reverse shell (`network.py`)
    listens = "l" in options.shorts
    if listens or "z" in options.shorts or not operands or LOCAL.fullmatch(operands[0]):
        if listens and (call.reads or _stdin_is_private(call)):
            yield Harm.EXFILTRATION, "serves the content of a file to every client that connects"
    elif call.reads or _stdin_is_private(call):
        yield Harm.EXFILTRATION, _SENDS_FILE
    elif call.stdin is not None and not call.stdin.isascii():
        yield Harm.EXFILTRATION, "sends the output of a command away"


def mail(call: Call) -> Iterator[RuleHit]:
    attached = [value for option in ("-a", "-A", "--attach") for value in values_of(call.args, option)]
    if call.reads or _stdin_is_private(call) or any(is_private(path) for path in attached):
        yield Harm.EXFILTRATION, _SENDS_FILE


def publish_on_forge(call: Call) -> Iterator[RuleHit]:
    """Refuse `gh gist create file` and `gh release upload tag file` for private files."""
    words = call.options.operands
    if words[:2] in _PUBLISHING_VERBS:
        for path in words[2:]:
            if is_private(call.resolve(path)):
                yield Harm.EXFILTRATION, f"sends {path} away"


def private_argument(reason: str) -> Rule:
    """Return a rule that hits if an argument contains the content of a private file."""

    def rule(call: Call) -> Iterator[RuleHit]:
        for word in call.args:
            is_only_user = not has_secret_content(word) and not without_placeholders(word)
            if PRIVATE_CONTENT in word and not is_only_user:
                yield Harm.EXFILTRATION, reason

    return rule


def send_input(call: Call) -> Iterator[RuleHit]:
    if call.reads or _stdin_is_private(call) or any(PRIVATE_CONTENT in word for word in call.args):
        yield Harm.EXFILTRATION, _SENDS_FILE


def http_body(call: Call) -> Iterator[RuleHit]:
    """Refuse private files and content as the body of a request of httpie and xh; a JSON file is meant to be sent."""
    for path in call.reads:
        yield from upload_hits(call, path)
    if _stdin_is_private(call) or any(PRIVATE_CONTENT in word for word in call.args):
        yield Harm.EXFILTRATION, _SENDS_FILE


def openssl_client(call: Call) -> Iterator[RuleHit]:
    has_input = set(call.reads) - {"/dev/null"} or (call.stdin is not None and not call.stdin.isascii())
    if call.args[:1] == ["s_client"] and has_input:
        yield Harm.EXFILTRATION, _SENDS_FILE


def ssh_input(call: Call) -> Iterator[RuleHit]:
    if _stdin_is_private(call):
        yield Harm.EXFILTRATION, "sends the content of a file to another machine"


def send_arguments(call: Call) -> Iterator[RuleHit]:
    """Refuse private files among the arguments of a tool that uploads its arguments."""
    for word in call.args:
        if is_private(word) and word not in (".", "*", "/", "./"):
            yield Harm.EXFILTRATION, f"sends {word} away"


def serve_files(call: Call) -> Iterator[RuleHit]:
    """Refuse serving a home or a system folder. A folder of a project may be served."""
    if call.name == "php" and not call.options.has("S"):
        return
    for word in call.args:
        path = call.resolve(word.rpartition("=")[2])
        if _WIDE_FOLDER.fullmatch(path):
            yield Harm.EXFILTRATION, f"serves {path} to the network"


def serve_repositories(call: Call) -> Iterator[RuleHit]:
    """Refuse `git daemon --export-all --base-path=/`."""
    if call.options.operands[:1] == ["daemon"]:
        for path in (*values_of(call.args, "--base-path"), *call.options.operands[1:]):
            if _WIDE_FOLDER.fullmatch(path):
                yield Harm.EXFILTRATION, f"serves {path} to the network"


def push_to_unknown_host(call: Call) -> Iterator[RuleHit]:
    """Refuse pushing a repository to an address that is neither a known forge nor local."""
    words = call.options.operands
    if "push" not in words[:2]:
        return
    address = next((match for word in words if (match := _URL_HOST.match(word))), None)
    if address and not FORGES.fullmatch(address[1]) and not LOCAL.fullmatch(address[1]):
        yield Harm.EXFILTRATION, f"sends the repository to {address[1]}"


def put_command(call: Call) -> Iterator[RuleHit]:
    """Refuse `put file` in the commands of `sftp`, `ftp`, `lftp` and `smbclient` for private files."""
    for text in (*call.args, call.stdin or ""):
        for path in _PUT_COMMAND.findall(text):
            if is_private(call.resolve(path.strip("'\"").rstrip(";"))):
                yield Harm.EXFILTRATION, f"sends {path} away"


def stream_screen_or_sound(call: Call) -> Iterator[RuleHit]:
    arguments = " ".join(call.args)
    if _RECORDS.search(arguments) and _STREAM_ADDRESS.search(arguments):
        yield Harm.EXFILTRATION, "sends a recording of the screen or the microphone away"


_LOOKUP = (private_argument("sends the content of a file away in a name lookup"),)
_ON_FORGE = (publish_on_forge, private_argument("shows the content of a file to others"))
RULES: dict[str, tuple[Rule, ...]] = {
    "curl": (curl_upload,),
    "wget": (wget_upload,),
    "git": (push_to_unknown_host, serve_repositories),
    "ffmpeg": (stream_screen_or_sound,),
    "openssl": (openssl_client,),
    "ssh": (ssh_input,),
    **dict.fromkeys(("sftp", "lftp", "ncftp", "ncftpput", "smbclient", "psftp"), (put_command,)),
    "telnet": (send_input,),
    "ftp": (put_command, send_input),
    "tftp": (put_command, send_input),
    **dict.fromkeys(("http", "https", "xh"), (http_body,)),
    **dict.fromkeys(("scp", "rsync", "rcp", "pscp"), (copy_to_remote,)),
    **dict.fromkeys(
        (
            "serve", "http-server", "live-server", "caddy", "darkhttpd", "miniserve", "webfsd", "twistd", "updog",
            "httpd", "goshs", "php", "simple-http-server", "sfz", "webdav", "ngrok",
        ),
        (serve_files,),
    ),
    **dict.fromkeys(("nc", "ncat", "netcat", "nc.traditional", "nc.openbsd", "cryptcat"), (netcat_input,)),
    **dict.fromkeys(("mail", "mailx", "mutt", "sendmail", "msmtp", "swaks", "neomutt"), (mail,)),
    "gh": _ON_FORGE,
    "glab": _ON_FORGE,
    **dict.fromkeys(
        (
            "dig", "nslookup", "host", "ping", "whois", "finger", "traceroute", "tracepath", "mtr", "curlftpfs",
            "nmap", "drill", "kdig", "delv", "resolvectl", "getent",
        ),
        _LOOKUP,
    ),
    **dict.fromkeys(
        (
            "croc", "magic-wormhole", "wormhole", "transfer", "gist", "slackcat", "telegram-send", "pastebinit",
            "ipfs", "b2", "s3cmd", "mc", "az", "ffsend", "megaput", "gdrive", "keybase", "signal-cli",
            "onionshare-cli", "wgetpaste", "dpaste", "rclone", "gsutil",
        ),
        (send_arguments,),
    ),
}  # fmt: skip
