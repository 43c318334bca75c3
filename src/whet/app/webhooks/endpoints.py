"""The addresses that events are sent to, with their secrets and how far each has got, in a file of the state folder."""

import contextlib
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from whet import state_folder
from whet.app.webhooks.signing import make_secret
from whet.errors import StateUnusable, UsageError
from whet.files import MB

FILE = "webhooks.json"
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass
class WebhookEndpoint:
    """An address, its secret, the kinds that it wants (empty: all), the last entry that it got, and its failures since."""

    name: str
    url: str
    secret: str
    kinds: tuple[str, ...]
    after: int
    failures: int = 0
    next_at: str = ""

    @property
    def shown_url(self) -> str:
        """The address without user, password, path and query: many services put the secret into the path."""
        parts = urlsplit(self.url)
        rest = "/..." if parts.path.strip("/") else ""
        return f"{parts.scheme}://{parts.hostname}{f':{parts.port}' if parts.port else ''}{rest}"


def add_endpoint(state: Path, url: str, kinds: tuple[str, ...], head: int) -> WebhookEndpoint:
    """Add an address; it gets the entries after `head`. Refuse one without TLS, except on this machine."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - reading it checks it
    except ValueError:
        raise UsageError("that is not an address", "https://example.com/hook") from None
    secure = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
    if not secure or not parts.hostname or re.search(r"\s", url):
        raise UsageError("a webhook needs an https address, or http on this machine", "https://example.com/hook")
    with editing(state) as endpoints:
        number = 1 + max((int(endpoint.name[1:]) for endpoint in endpoints), default=0)
        endpoint = WebhookEndpoint(f"w{number}", url, make_secret(), kinds, head)
        endpoints.append(endpoint)
    return endpoint


def remove_endpoint(state: Path, name: str) -> None:
    with editing(state) as endpoints:
        if name not in [endpoint.name for endpoint in endpoints]:
            raise UsageError(f"there is no webhook {name!r}", "`whet webhooks list` shows those there are")
        endpoints[:] = [endpoint for endpoint in endpoints if endpoint.name != name]


def read_endpoints(state: Path) -> list[WebhookEndpoint]:
    try:
        rows = json.loads(state_folder.read(state, FILE, most_bytes=MB))
        return [WebhookEndpoint(**{**row, "kinds": tuple(row["kinds"])}) for row in rows]
    except FileNotFoundError:
        return []
    except (ValueError, TypeError, KeyError) as problem:
        raise StateUnusable(
            f"{state / FILE} cannot be read: {problem}", "remove it and add the webhooks again"
        ) from None


@contextlib.contextmanager
def editing(state: Path) -> Iterator[list[WebhookEndpoint]]:
    """Yield the endpoints under their lock, and write them when the block ends without an error."""
    state_folder.make_folder(state)
    with state_folder.locked(state, f"{FILE}.lock"):
        endpoints = read_endpoints(state)
        yield endpoints
        state_folder.replace(state, FILE, json.dumps([asdict(endpoint) for endpoint in endpoints]).encode())
