"""Local receivers of messages: an HTTP server and an SMTP server that keep what they get."""

import contextlib
import socketserver
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Received:
    """The requests that a receiver got, the address to send to, and the status that it answers with."""

    port: int = 0
    status: int = 200
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)


@contextlib.contextmanager
def http_receiver() -> Iterator[Received]:
    received = Received()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            received.requests.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(received.status)
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with _serving(ThreadingHTTPServer(("127.0.0.1", 0), Handler), received):
        yield received


@contextlib.contextmanager
def smtp_receiver() -> Iterator[Received]:
    received = Received()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 test\r\n")
            while line := self.rfile.readline():
                verb = line[:4].upper()
                if verb == b"DATA":
                    self.wfile.write(b"354 go on\r\n")
                    body = b"".join(iter(self.rfile.readline, b".\r\n"))
                    received.requests.append(("mail", {}, body))
                self.wfile.write(b"221 bye\r\n" if verb == b"QUIT" else b"250 ok\r\n")
                if verb == b"QUIT":
                    return

    with _serving(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler), received):
        yield received


@contextlib.contextmanager
def _serving(server: socketserver.TCPServer, received: Received) -> Iterator[None]:
    received.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join(30)
