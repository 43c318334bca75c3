"""The channels of notifications: addresses from the environment or a private file, sent to by apprise."""

import hashlib
import logging
import os
import re
from pathlib import Path
from typing import Any

from whet import state_folder
from whet.errors import EnvironmentProblem, UsageError
from whet.files import MB

VARIABLE = "WHET_NOTIFY_URLS"
FILE = "notify.urls"


def channel_urls(state: Path) -> list[str]:
    """Return the addresses in the environment, else those in the state folder's file, one a line. They hold secrets."""
    if text := os.environ.get(VARIABLE, ""):
        return text.split()
    try:
        lines = state_folder.read(state, FILE, most_bytes=MB).decode(errors="replace").splitlines()
    except FileNotFoundError:
        return []
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


class Channel:
    """One channel. `name` is its address without secrets, `id` tells channels with equal names apart."""

    def __init__(self, url: str) -> None:
        self._service = _service(url)
        self.id = hashlib.sha256(url.encode(errors="replace")).hexdigest()[:16]
        self.name = re.sub(r"\?.*", "", str(self._service.url(privacy=True)))

    def send(self, title: str, text: str) -> str:
        """Send a message. Return the problem; empty if it was delivered."""
        try:
            delivered = self._service.notify(body=text, title=title)
        except Exception as problem:  # noqa: BLE001 - one of a hundred plugins; the caller records the problem
            return type(problem).__name__
        return "" if delivered else "the service did not accept the message"


def _service(url: str) -> Any:
    """Return the apprise service of an address. Never quote the address in an error: it may hold a password."""
    try:
        import apprise
    except ModuleNotFoundError as missing:
        raise EnvironmentProblem("notifications need the package apprise", "pip install 'whet[notify]'") from missing
    logging.getLogger("apprise").disabled = True  # its warnings quote addresses
    asset = apprise.AppriseAsset(async_mode=False, app_id="whet", app_desc="whet")
    service = apprise.Apprise.instantiate(url, asset=asset)
    if service is None:
        scheme = url.partition(":")[0][:20]
        raise UsageError(
            f"an address of notifications that begins with {scheme!r} is not one that apprise knows",
            f"correct it in {VARIABLE} or .whet/{FILE}: for example mailto://user:password@example.com",
        )
    return service
