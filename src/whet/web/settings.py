"""The settings of one run of the web server. They come from the command line, because whet.toml comes with a repository."""

import ipaddress
from dataclasses import dataclass

from whet.errors import Refused

_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, kw_only=True)
class WebSettings:
    """The address of the server, the host names that it answers to, and its limits.

    `names` are host names beside the loopback ones, for a server that other machines reach. `certificate` and
    `private_key` are files of TLS.
    """

    host: str = "127.0.0.1"
    port: int = 8787
    names: tuple[str, ...] = ()
    certificate: str = ""
    private_key: str = ""
    largest_body_bytes: int = 4_000_000
    requests_per_minute: int = 600
    ping_seconds: float = 15
    poll_seconds: float = 0.5
    most_streams: int = 400
    session_hours: float = 12

    @property
    def is_secure(self) -> bool:
        return bool(self.certificate)

    @property
    def is_loopback(self) -> bool:
        return is_loopback(self.host)

    @property
    def allowed_hosts(self) -> frozenset[str]:
        """The values of the Host header that are answered. A page of another name that resolves to this machine (DNS
        rebinding) sends its own name."""
        names = (*_LOOPBACK_NAMES, *(name.lower() for name in self.names)) if self.is_loopback else self.names
        port = 443 if self.is_secure else 80
        bare = names if self.port == port else ()
        return frozenset({f"{name.lower()}:{self.port}" for name in names} | {name.lower() for name in bare})

    @property
    def origins(self) -> frozenset[str]:
        """The values of the Origin header that may send something."""
        scheme = "https" if self.is_secure else "http"
        return frozenset(f"{scheme}://{host}" for host in self.allowed_hosts)

    @property
    def url(self) -> str:
        """The address for a browser. On loopback it is `localhost`, because passkeys need a name."""
        name = "localhost" if self.is_loopback else self.names[0] if self.names else self.host
        return f"{'https' if self.is_secure else 'http'}://{name}:{self.port}"


def is_loopback(host: str) -> bool:
    """True if only processes of this machine reach the address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def refuse_public(settings: WebSettings, *, enrolled: int) -> None:
    """Refuse an address that other machines reach, unless it has TLS, a name and at least one enrolled approver.

    `enrolled` is the number of people who can prove an approval. Without one, anybody who reaches the server's user
    could decide.
    """
    if settings.is_loopback:
        return
    if not (settings.certificate and settings.private_key):
        raise Refused(
            f"{settings.host} can be reached from other machines, and the server has no TLS",
            "give --certificate FILE and --private-key FILE, or serve on 127.0.0.1 behind a proxy that has TLS",
        )
    if not settings.names:
        raise Refused(
            f"{settings.host} can be reached from other machines, and the server does not know its own name",
            "give --name whet.example.com: requests for other names are refused",
        )
    if not enrolled:
        raise Refused(
            f"{settings.host} can be reached from other machines, and no approver is enrolled",
            "enrol one first: `whet approvers enrol NAME KEY.pub`",
        )
