"""Sign-in by a one-time link, and the sessions of browsers. A session may read; it proves nobody, so it never approves."""

import hashlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

_LINK_SECONDS = 15 * 60
_MOST_SESSIONS = 200


class Sessions:
    """The one-time keys and sessions of a running server, kept in memory as SHA-256 digests. They end with the server."""

    def __init__(self, hours: float = 12, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._clock = hours * 3600, clock
        self._lock = threading.Lock()
        self._keys: OrderedDict[str, float] = OrderedDict()
        self._sessions: OrderedDict[str, float] = OrderedDict()
        self._places: dict[str, str] = {}

    def make_key(self) -> str:
        """Return a new key for one sign-in within a quarter of an hour."""
        return self._add(self._keys, _LINK_SECONDS)

    def enter(self, key: str) -> str | None:
        """Exchange a one-time key for a session; None if the key is unknown, old or used."""
        with self._lock:
            until = self._keys.pop(_digest(key), 0)
        return self.begin() if until > self._clock() else None

    def begin(self, place: str = "") -> str:
        """Return the secret of a new session, for somebody who proved by other means that they may read.

        `place` is the name of the one repository that the session may read; empty: all of this server.
        """
        secret = self._add(self._sessions, self._seconds)
        if place:
            with self._lock:
                self._places = {key: name for key, name in self._places.items() if key in self._sessions}
                self._places[_digest(secret)] = place
        return secret

    def knows(self, secret: str, place: str = "") -> bool:
        """True if the secret is that of a session that has not ended and may read the repository `place`."""
        key = _digest(secret)
        with self._lock:
            return self._sessions.get(key, 0) > self._clock() and self._places.get(key, place) == place

    def end(self, secret: str) -> None:
        with self._lock:
            self._sessions.pop(_digest(secret), None)

    def _add(self, kept: "OrderedDict[str, float]", seconds: float) -> str:
        secret = secrets.token_urlsafe(32)
        with self._lock:
            kept[_digest(secret)] = self._clock() + seconds
            while len(kept) > _MOST_SESSIONS:
                kept.popitem(last=False)
        return secret


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()
