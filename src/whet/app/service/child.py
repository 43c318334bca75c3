"""A child process that does the work of the service in one repository. It has the durable engine; the parent has none."""

import json
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from whet.sandbox.process import Child, end, start_beside

BUSY = 75  # the exit code of a child that found another whet at work
_GRACE_SECONDS = 20.0
_MOST_RESULT = 1_000_000


class WorkingChild:
    """One `whet serve --once` in a process of its own."""

    def __init__(self, root: Path, reason: str) -> None:
        self.reason = reason
        self._result = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `result`
        # -P: without it, Python would look for whet's modules in the current folder first.
        argv = [sys.executable, "-P", "-m", "whet", "serve", "--once", "--json", "--repository", str(root)]
        self._child: Child = start_beside(argv, env=os.environ, output=self._result.fileno())

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def code(self) -> int | None:
        """The exit code; None while the process runs."""
        return self._child.poll()

    def result(self) -> Any:
        """Return what the ended child printed as JSON; None if that is not JSON."""
        self._result.seek(0)
        text = self._result.read(_MOST_RESULT)
        self._result.close()
        try:
            return json.loads(text)
        except ValueError:
            return None

    def stop(self) -> None:
        """Ask the child to end; kill it if it does not. Its work continues in a later process either way."""
        if self.code is None:
            self._child.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + _GRACE_SECONDS
        while self.code is None and time.monotonic() < deadline:
            time.sleep(0.05)
        if self.code is None:
            end(self._child)
        self._result.close()
