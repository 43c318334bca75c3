"""Recognise commands that print private data: databases, sound and video, the shell history, tokens."""

from whet.guard.shell.model.call import Call

# For each command the first arguments with which it prints private data; "" for any arguments.
_PRIVATE_ARGUMENTS: dict[str, str] = {
    **dict.fromkeys(
        (
            "pg_dump", "pg_dumpall", "mysqldump", "mariadb-dump", "mongodump", "mongoexport", "pg_basebackup",
            "mydumper", "history", "arecord", "parecord", "rec", "xinput", "tcpdump", "tshark", "dumpcap",
            "screencapture", "scrot", "import", "xwd", "fswebcam", "imagesnap", "logkeys", "showkey", "journalctl",
            "lastlog",
        ),
        "",
    ),
    "terraform": "output|show|state",
    "tofu": "output|show|state",
    "pulumi": "stack|config",
    "git": "bundle",
    "crontab": "-l",
    "gh": "auth",
    "gcloud": "auth",
    "pass": "show",
    "op": "read|item",
    "vault": "kv|read",
    "security": "find-generic-password",
    "sops": "-d|--decrypt",
    "ansible-vault": "view|decrypt",
    "secret-tool": "lookup",
    "xclip": "-o",
    "xsel": "-o|-b",
    "pbpaste": "",
    "wl-paste": "",
}  # fmt: skip


def dumps_private_data(call: Call) -> bool:
    """True if a call prints private data. A token in a substitution is put to use: `-H "Bearer $(gh auth token)"`."""
    first = _PRIVATE_ARGUMENTS.get(call.name)
    if first is None or (first and "substitution" in call.via):
        return False
    return not first or (bool(call.args) and call.args[0] in first.split("|"))
