"""A real server in a thread of the test, for clients that need a connection."""

import contextlib
import itertools
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import uvicorn

from tests.web.conftest import SETTINGS, app_of
from whet.app.tokens import TokenScope, create_token

_numbers = itertools.count()


@contextlib.contextmanager
def running_server(root: Path, *, requests_per_minute: int = 600, most_streams: int = 400) -> Iterator[str]:
    """Serve a repository on a free port of loopback, and yield the address."""
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    settings = replace(SETTINGS, port=port, requests_per_minute=requests_per_minute, most_streams=most_streams)
    app = app_of(root, settings)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    end = time.monotonic() + 120
    while not server.started:
        assert thread.is_alive()
        assert time.monotonic() < end
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(60)
    listener.close()


def token_of(root: Path, *scopes: str) -> str:
    """Make a token and return its secret."""
    _, secret = create_token(root / ".whet", f"r{next(_numbers)}", frozenset(map(TokenScope, scopes)))
    return secret
