"""The place of a forge: its kind, repository and addresses, and the token for it.

whet.toml comes with a repository. A cloned one must not choose where the user's token and source go, so every host other
than the public forges counts only if the user's environment lists it.
"""

import os
import re
from base64 import b64encode
from dataclasses import dataclass
from urllib.parse import urlsplit

from whet.config import FORGE_HOSTS, FORGE_REPOSITORIES, ForgePolicy, forge_hosts, forge_repositories
from whet.errors import ForgeRefused

_PUBLIC = {"github": "https://github.com", "gitlab": "https://gitlab.com", "gitea": "https://codeberg.org"}
_API = {"github": "/api/v3", "gitlab": "/api/v4", "gitea": "/api/v1"}
_TOKENS = {"github": "GITHUB_TOKEN", "gitlab": "GITLAB_TOKEN", "gitea": "GITEA_TOKEN"}
_GIT_USERS = {"github": "x-access-token", "gitlab": "oauth2", "gitea": "whet"}
_SCP = re.compile(r"(?:[^@/\s:]+@)?([^/\s:]+):([^\s]+)")  # git@github.com:owner/name.git
FILE_HOST = "file"


@dataclass(frozen=True)
class ForgePlace:
    """A repository on a forge. `api` and `push_url` are addresses, `variable` names the token's variable."""

    kind: str
    repository: str
    address: str
    push_url: str
    variable: str

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc.lower()

    @property
    def api(self) -> str:
        return "https://api.github.com" if self.host == "github.com" else f"{self.address}{_API[self.kind]}"

    @property
    def token(self) -> str:
        """Return the token from the environment. Raise ForgeRefused if there is none."""
        token = os.environ.get(self.variable, "").strip()
        if not token or not token.isascii() or not token.isprintable():
            raise ForgeRefused(
                f"there is no token for {self.host}: the environment variable {self.variable} is empty, missing or not a token",
                f"export {self.variable}=..., or set forge.token_variable in whet.toml",
            )
        return token

    @property
    def push_header(self) -> str:
        """Return the HTTP header by which git proves to the forge who pushes; empty for other transports."""
        if urlsplit(self.push_url).scheme not in ("http", "https"):
            return ""
        credentials = f"{_GIT_USERS[self.kind]}:{self.token}".encode()
        return f"Authorization: Basic {b64encode(credentials).decode()}"


def place_of(policy: ForgePolicy, origin: str) -> ForgePlace:
    """Return the place that the policy names; `origin` is the address of the remote that the rest is read from.

    Raise ForgeRefused if the place is not complete, or if the user has not allowed one of its hosts.
    """
    origin_host, origin_path = _split(origin)
    kind = policy.kind or next((kind for kind, url in _PUBLIC.items() if urlsplit(url).netloc == origin_host), "")
    repository = policy.repository or origin_path
    if not kind or repository.count("/") < 1:
        raise ForgeRefused(
            "whet.toml does not say on which forge the repository is, and the remote `origin` does not tell",
            "`git remote add origin` with its address there, then `whet resume`; for a forge of your own, set kind = "
            '"github" (or "gitlab", "gitea") and repository = "owner/name" in [forge], and run it again',
        )
    address = (policy.address or _PUBLIC[kind]).rstrip("/")
    push_url = policy.push_url or f"{address}/{repository}.git"
    for url in (address, push_url):
        _refuse_unlisted(url)
    _refuse_foreign(repository, push_url, origin_host, origin_path, urlsplit(address).netloc)
    return ForgePlace(kind, repository, address, push_url, policy.token_variable or _TOKENS[kind])


def _refuse_foreign(repository: str, push_url: str, origin_host: str, origin_path: str, host: str) -> None:
    """Refuse another repository than that of `origin` on the same or a public forge: the token may be able to write it."""
    if origin_host != host and f"https://{host}" not in _PUBLIC.values():
        return  # a forge that the user has listed, and `origin` is elsewhere
    pushed = urlsplit(push_url).path.strip("/").removesuffix(".git")
    for path in {repository, pushed} - {origin_path}:
        if path.lower() not in forge_repositories():
            raise ForgeRefused(
                f"whet.toml names the repository {path}, which is not that of the remote `origin`",
                f"if you want pull requests there: export {FORGE_REPOSITORIES}={path}",
            )


def _refuse_unlisted(url: str) -> None:
    parts = urlsplit(url)
    try:
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ForgeRefused(f"{url} is not an address", "correct it in [forge] of whet.toml") from None
    if parts.scheme == "file":
        host = FILE_HOST
    allowed = {host, f"{host}:{port}"} & forge_hosts()
    if not allowed and f"https://{parts.netloc}" not in _PUBLIC.values() and not _is_public_ssh(url):
        raise ForgeRefused(
            f"whet.toml sends code and a token to {host}, and a repository may not choose that by itself",
            f"if you trust that server: export {FORGE_HOSTS}={host}",
        )
    if parts.scheme == "http" and host not in ("127.0.0.1", "::1", "localhost"):
        raise ForgeRefused(f"{url} would send the token without encryption", "use https")
    if parts.password or (parts.username and parts.scheme != "ssh"):
        raise ForgeRefused("an address of [forge] holds a user or a password", "leave them out: the token is enough")


def _is_public_ssh(url: str) -> bool:
    parts = urlsplit(url)
    public = {urlsplit(address).netloc for address in _PUBLIC.values()}
    return parts.scheme == "ssh" and parts.hostname in public and parts.port in (None, 22)


def _split(url: str) -> tuple[str, str]:
    """Return host and path of a remote's address; both are empty for a folder."""
    if "://" in url:
        parts = urlsplit(url)
        host, path = (parts.hostname or "", parts.path) if parts.scheme in ("https", "ssh") else ("", "")
    else:
        match = _SCP.fullmatch(url)
        host, path = (match[1], match[2]) if match else ("", "")
    return host.lower(), path.strip("/").removesuffix(".git")
