"""The heartbeat of the service: a small file in the state folder that says that it is alive and what it does."""

import errno
import fcntl
import json
import os
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path

from whet import state_folder
from whet.app.project import Project
from whet.app.service.signs import read_state
from whet.domain.clock import now
from whet.errors import AlreadyRunning

FILE_NAME = "service.json"
LOCK = "service.lock"
_MISSED_BEATS = 4
_SLACK = timedelta(seconds=15)


@dataclass(frozen=True, kw_only=True)
class Heartbeat:
    """The last sign of life. `doing` is what the service does now, empty at rest; `problem` is why work failed last.

    `retry_at` is the time of the next try after a failure.
    """

    pid: int
    started_at: datetime
    at: datetime
    poll_seconds: float
    doing: str = ""
    problem: str = ""
    remedy: str = ""
    retry_at: datetime | None = None

    @property
    def alive(self) -> bool:
        """True if the process exists and has given a sign lately."""
        late = timedelta(seconds=self.poll_seconds * _MISSED_BEATS) + _SLACK
        return now() - self.at < late and Path(f"/proc/{self.pid}").exists()


def beat(state: Path, heartbeat: Heartbeat) -> None:
    """Write a heartbeat. On a full disk it is written over the last one, which takes no room.

    A reader may then see half of it, and counts that as no heartbeat until it reads again.
    """
    plain = {
        name: value.isoformat() if isinstance(value, datetime) else value for name, value in asdict(heartbeat).items()
    }
    content = json.dumps(plain).encode()
    try:
        state_folder.replace(state, FILE_NAME, content, flush=False)
    except OSError as problem:
        if problem.errno != errno.ENOSPC:
            raise
        _write_over(state, content)


def _write_over(state: Path, content: bytes) -> None:
    """Write over the content of the last heartbeat. Raise OSError if there is none, or if it needs more room."""
    handle = state_folder.open_file(state, FILE_NAME, os.O_RDWR)
    try:
        if os.pwrite(handle, content, 0) < len(content):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.ftruncate(handle, len(content))
    finally:
        os.close(handle)


def last_beat(state: Path) -> Heartbeat | None:
    """Return the last heartbeat; None if there is none or it cannot be read."""
    try:
        plain = json.loads(read_state(state, FILE_NAME) or b"null")
        times = {name: datetime.fromisoformat(plain[name]) for name in ("started_at", "at")}
        retry_at = datetime.fromisoformat(plain["retry_at"]) if plain["retry_at"] else None
        texts = {name: str(plain[name]) for name in ("doing", "problem", "remedy")}
        numbers = {"pid": int(plain["pid"]), "poll_seconds": float(plain["poll_seconds"])}
        return Heartbeat(**times, **texts, **numbers, retry_at=retry_at)  # type: ignore[arg-type]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def is_served(project: Project) -> bool:
    """True if a living service looks after the repository."""
    heartbeat = last_beat(project.state)
    return heartbeat is not None and heartbeat.alive


def take_service_lock(state: Path, *, shared: bool = False) -> int:
    """Return a descriptor that holds the lock of the service. Raise AlreadyRunning if another service has it.

    Services that all share the repository hold the lock together.
    """
    state_folder.make_folder(state)
    handle = state_folder.open_file(state, LOCK, os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        heartbeat = last_beat(state)
        pid = f" (process {heartbeat.pid})" if heartbeat else ""
        raise AlreadyRunning(
            f"another service{pid} looks after {state.parent}",
            "`whet status` shows it; end it, leave this one out, or start both with --share",
        ) from None
    return handle
