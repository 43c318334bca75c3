"""Send a request to the provider: one connection per request, no redirects, no proxies of the environment."""

import contextlib
import http.client
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

MOST_ANSWER_BYTES = 32 * 1024 * 1024
_MOST_LINE_BYTES = 8 * 1024 * 1024
_CHUNK = 1 << 16
_USER_AGENT = "whet-agent-proxy"


class ProviderUnreachable(Exception):
    """The provider did not answer, or broke off; the message says how. `sent`: it may have got the request."""

    def __init__(self, message: str, *, sent: bool = False) -> None:
        super().__init__(message)
        self.sent = sent


@dataclass(frozen=True, kw_only=True)
class ProviderAccess:
    """The provider as the proxy reaches it. `key` goes into a header and nowhere else."""

    name: str
    base_url: str
    key: str
    timeout_seconds: float

    def headers(self, forwarded: Mapping[str, str]) -> dict[str, str]:
        """Return all headers of a request: the key, and of the agent's headers only those in `forwarded`."""
        own = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Accept-Encoding": "identity",
            "User-Agent": _USER_AGENT,
            **forwarded,
        }
        if not self.key:
            return own
        named = {"anthropic": "x-api-key", "google": "x-goog-api-key"}.get(self.name)
        return {**own, named: self.key} if named else {**own, "Authorization": f"Bearer {self.key}"}

    def without_key(self, content: bytes) -> bytes:
        """Return the provider's words with the key replaced: some error messages repeat it."""
        return content.replace(self.key.encode(), b"[redacted: key]") if self.key else content


class ProviderAnswer:
    """The provider's answer, read piece by piece. `close` may be called from another thread and ends a waiting read."""

    def __init__(self, connection: http.client.HTTPConnection, ends_at: float) -> None:
        self._connection, self._ends_at = connection, ends_at
        self._response = connection.getresponse()
        self.status = self._response.status
        self.content_type = self._response.headers.get("Content-Type", "")
        self.retry_after = self._response.headers.get("Retry-After", "")

    @property
    def streams(self) -> bool:
        return self.status == 200 and self.content_type.lower().startswith("text/event-stream")

    def body(self) -> bytes:
        """Return the whole body. Raise ProviderUnreachable if it is too large or breaks off."""
        return b"".join(self._pieces(lambda: self._response.read1(_CHUNK)))

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of a stream as they arrive."""
        return self._pieces(lambda: self._response.readline(_MOST_LINE_BYTES))

    def _pieces(self, read: Callable[[], bytes]) -> Iterator[bytes]:
        total = 0
        while True:
            if time.monotonic() > self._ends_at:
                raise ProviderUnreachable("the provider's answer took longer than agent.timeout_seconds")
            with _explained():
                piece = read()
            if not piece:
                return
            total += len(piece)
            if total > MOST_ANSWER_BYTES:
                raise ProviderUnreachable(f"the provider's answer is larger than {MOST_ANSWER_BYTES:,} bytes")
            yield piece

    def close(self) -> None:
        self._response.close()
        self._connection.close()


class Upstream:
    """Opens connections to one provider and can end all of them at once."""

    def __init__(self, provider: ProviderAccess) -> None:
        self.provider = provider
        self._lock = threading.Lock()
        self._open: set[http.client.HTTPConnection] = set()
        self._closed = False

    @contextlib.contextmanager
    def post(self, suffix: str, body: bytes, headers: Mapping[str, str], ends_at: float) -> Iterator[ProviderAnswer]:
        """Send a request and yield the answer; raise ProviderUnreachable if there is none."""
        address = urlsplit(self.provider.base_url)
        seconds = max(0.1, min(self.provider.timeout_seconds, ends_at - time.monotonic()))
        connection = _connection(address.scheme, address.hostname or "", address.port, seconds)
        self._add(connection)
        try:
            with _explained():
                connection.connect()
            with _explained(sent=True):
                connection.request("POST", address.path.rstrip("/") + suffix, body, self.provider.headers(headers))
                answer = ProviderAnswer(connection, min(ends_at, time.monotonic() + self.provider.timeout_seconds))
            yield answer
        finally:
            with self._lock:
                self._open.discard(connection)
            connection.close()

    def close(self) -> None:
        """End all requests that are under way, and refuse new ones."""
        with self._lock:
            self._closed = True
            for connection in self._open:
                if connection.sock:
                    with contextlib.suppress(OSError):
                        connection.sock.shutdown(2)  # close() would not wake a thread that reads

    def _add(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if self._closed:
                raise ProviderUnreachable("the run is over")
            self._open.add(connection)


def _connection(scheme: str, host: str, port: int | None, seconds: float) -> http.client.HTTPConnection:
    if scheme == "https":
        return http.client.HTTPSConnection(host, port, timeout=seconds, context=ssl.create_default_context())
    return http.client.HTTPConnection(host, port, timeout=seconds)


@contextlib.contextmanager
def _explained(*, sent: bool = False) -> Iterator[None]:
    """Turn the errors of a connection into ProviderUnreachable. Their texts may hold anything, so only their kind is kept."""
    try:
        yield
    except TimeoutError as problem:
        words = "the provider did not answer in time (agent.timeout_seconds)"
        raise ProviderUnreachable(words, sent=sent) from problem
    except (OSError, http.client.HTTPException, ValueError, AttributeError) as problem:
        cause = problem.strerror if isinstance(problem, OSError) and problem.strerror else type(problem).__name__
        raise ProviderUnreachable(f"the provider cannot be reached: {cause}", sent=sent) from problem
