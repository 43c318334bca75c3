"""The UNIX socket of the proxy: a small HTTP server with bounded connections, sizes and waiting times."""

import contextlib
import os
import shutil
import socket
import socketserver
import tempfile
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from whet.agent_proxy.proxy import AgentRequest, Proxy

MOST_BODY_BYTES = 16 * 1024 * 1024
_MOST_CONNECTIONS = 16
_IDLE_SECONDS = 60.0
_LONGEST_PATH = 90  # the kernel takes 107 bytes for the path of a socket
_END_SECONDS = 10.0


class _Handler(BaseHTTPRequestHandler):
    """Reads one request, hands it to the proxy, and closes the connection."""

    protocol_version = "HTTP/1.1"
    timeout = _IDLE_SECONDS
    server: "_Server"

    def answer(self) -> None:
        self.close_connection = True
        body = self._body()
        if body is None:
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.proxy.answer(AgentRequest(self.command, self.path, headers, body), self)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = do_CONNECT = answer  # noqa: N815 - names of the base class

    def begin(self, status: int, content_type: str, retry_after: str = "", length: int | None = None) -> None:
        self.send_response_only(status)
        self.send_header("Content-Type", content_type if content_type.isprintable() else "application/json")
        self.send_header("Connection", "close")
        if length is not None:
            self.send_header("Content-Length", str(length))
        if retry_after.isdigit():
            self.send_header("Retry-After", retry_after)
        self.end_headers()

    def write(self, piece: bytes) -> None:
        self.wfile.write(piece)

    def address_string(self) -> str:
        return "agent"

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing: the transcript records the requests."""

    def _body(self) -> bytes | None:
        """Return the body of the request; None, after an error was sent, if it cannot be taken."""
        length = self.headers.get("Content-Length", "0")
        if self.headers.get("Transfer-Encoding") or self.headers.get("Content-Encoding"):
            self._fail(411, "send the length of the body, and the body as it is")
        elif not length.isdigit() or int(length) > MOST_BODY_BYTES:
            self._fail(413, f"the body may have {MOST_BODY_BYTES:,} bytes")
        else:
            body = self.rfile.read(int(length))
            return body if len(body) == int(length) else None
        return None

    def _fail(self, status: int, why: str) -> None:
        self.begin(status, "text/plain", length=len(why))
        self.write(why.encode())


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """Serves each connection in a thread of its own; connections beyond the limit are closed at once."""

    daemon_threads = True
    request_queue_size = _MOST_CONNECTIONS

    def __init__(self, path: str, proxy: Proxy) -> None:
        super().__init__(path, _Handler)
        self.proxy = proxy
        self._lock = threading.Lock()
        self._open: dict[socket.socket, threading.Thread] = {}

    def process_request(self, request: Any, client_address: Any) -> None:
        thread = threading.Thread(target=self.process_request_thread, args=(request, client_address), daemon=True)
        with self._lock:
            if len(self._open) >= _MOST_CONNECTIONS:
                self.shutdown_request(request)
                return
            self._open[request] = thread
        thread.start()

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._lock:
                self._open.pop(request, None)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Drop the connection: the agent broke it off or sent something that is not HTTP."""

    def end_connections(self) -> None:
        with self._lock:
            connections = dict(self._open)
        for connection, thread in connections.items():
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            thread.join(_END_SECONDS)


@contextlib.contextmanager
def serving(proxy: Proxy, end_requests: Callable[[], None]) -> Iterator[str]:
    """Serve the proxy on a new socket and yield the socket's path. At the end no connection is left.

    The socket lies in a folder that only this user can enter; its own mode lets the sandbox's user connect.
    """
    folder = tempfile.mkdtemp(prefix="whet-door-", dir=_short_folder())
    try:
        path = str(Path(folder) / "door")
        with _Server(path, proxy) as server:
            os.chmod(path, 0o666)  # noqa: PTH101, S103 - see above
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
            thread.start()
            try:
                yield path
            finally:
                server.shutdown()
                thread.join()
                end_requests()
                server.end_connections()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _short_folder() -> str | None:
    """Return a folder with a short path if the user's temporary folder has a long one."""
    return "/tmp" if len(tempfile.gettempdir()) > _LONGEST_PATH - 20 else None  # noqa: S108 - mkdtemp makes a private folder
