"""The servers that a repository's settings may send code and keys to.

whet.toml comes with a repository. A cloned one must not choose where the user's key and source go, so an address in it
counts only if it is on this machine or if the user's environment lists its host.
"""

import ipaddress
from urllib.parse import urlsplit

from whet.config import MODEL_HOSTS, model_hosts


def unlisted_host(url: str) -> str:
    """Return the host of an address that nobody on this machine has allowed; empty if it may be used, or is empty."""
    if not url:
        return ""
    try:
        host = urlsplit(url).hostname or url
    except ValueError:
        return url
    return "" if _is_this_machine(host) or host.lower() in model_hosts() else host


def refusal(host: str) -> tuple[str, str]:
    """Return the message and the remedy for a host that is not allowed."""
    return (
        f"whet.toml sends code and a key to {host}, and a repository may not choose that by itself",
        f"if you trust that server: export {MODEL_HOSTS}={host}",
    )


def _is_this_machine(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
