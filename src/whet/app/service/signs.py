"""Cheap looks at a repository from outside: does it pay to read more?"""

from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

from whet import state_folder
from whet.domain.execution import FILE_NAME
from whet.errors import StateUnusable
from whet.git.git import Git
from whet.store.executions import Executions

ENGINE_LOCK = "engine.lock"
_LOCKS = Path("/proc/locks")


def most_failures(state: Path, since: datetime) -> int:
    """Return how often the most frequent failure of a tool was recorded since then; 0 if the file cannot be used."""
    try:
        rows = Executions(state).rollups(since=since, length=timedelta(minutes=1))
    except StateUnusable:
        return 0  # the file belongs to the application; the next look says that it cannot be read
    failures: Counter[tuple[str, str]] = Counter()
    for row in rows:
        for signature, errors in row.failures.items():
            failures[row.tool, signature] += errors
    return max(failures.values(), default=0)


def traces_of(git: Git, ref: str, state: Path) -> tuple[object, ...]:
    """Return the times of the files that change when a branch moves or a call is recorded. No process is started."""
    folder = git.common_folder
    files = (folder / ref, folder / "packed-refs", folder / "reftable" / "tables.list", folder / "HEAD")
    return tuple(time_of(path) for path in (*files, state / FILE_NAME, state / f"{FILE_NAME}-wal"))


def time_of(path: Path) -> tuple[int, int] | None:
    """Return the time of the last change of a file, with its number; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino


def engine_is_held(state: Path) -> bool:
    """True if a process of this machine holds the lock of the durable engine. The lock itself is not touched."""
    try:
        inode = (state / ENGINE_LOCK).stat().st_ino
        return any(f":{inode} " in line for line in _LOCKS.read_text().splitlines() if " FLOCK " in f" {line} ")
    except OSError:
        return False


def read_state(state: Path, name: str) -> bytes:
    """Return the content of a file of the state folder; empty if there is none."""
    try:
        return state_folder.read(state, name, most_bytes=65536)
    except (OSError, StateUnusable):
        return b""
