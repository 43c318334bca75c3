"""The sandbox Protocol: the job it takes, the limits it enforces and the result it returns."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from whet.domain.containment import Containment

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class JobLimits:
    """Limits of one job. All are totals over its processes, except `file_bytes` (per file) and `line_bytes` (per line).

    `processes` counts threads too; `files` counts everything that is created in the tree and the scratch folders;
    without `cpu_seconds` the limit is twice the wall time.
    """

    wall_seconds: float
    memory_bytes: int = 4096 * MEGABYTE
    processes: int = 512
    file_bytes: int = 1024 * MEGABYTE
    tree_bytes: int = 2048 * MEGABYTE
    output_bytes: int = 64 * MEGABYTE
    files: int = 500_000
    cpu_seconds: float = 0.0
    lines: int = 1_000_000
    line_bytes: int = 16 * MEGABYTE

    @property
    def cpu_total_seconds(self) -> float:
        return self.cpu_seconds or 2 * self.wall_seconds + 1


@dataclass(frozen=True, kw_only=True)
class Job:
    """A command to run untrusted: the tree that it sees at `root`, and the host paths that it may read.

    `{results}` in an argument is replaced by the number of the descriptor on which result lines come back. `scripts`
    is a host folder of trusted scripts; it is mounted at `INSIDE_AT` if an argument names a path there. `door` is the host
    path of a UNIX socket that the job may connect to, at `DOOR_AT`; without it a job can talk to nothing outside.
    """

    argv: tuple[str, ...]
    tree: bytes
    root: str
    limits: JobLimits
    readable: tuple[str, ...] = ()
    scripts: str = ""
    stdin: bytes = b""
    env: Mapping[str, str] = field(default_factory=dict)
    door: str = ""


# Why a run was ended early, as the rest of a sentence; the placeholders are filled from the containment's limits.
STOPPED_BY = {
    "wall": "did not finish within the time limit of {wall_seconds} s",
    "cpu": "used more processor time than the limit of {cpu_seconds} s",
    "memory": "used more memory than the limit of {memory_mb} MB",
    "processes": "started more processes than the limit of {processes}",
    "files": "made more files than the limit of {files}",
    "output": "wrote more output than allowed",
    "watchdog": "could not be watched, so it was ended",
    "stopped": "was ended by the kill switch",
    "done": "was ended because it was no longer needed",
}


@dataclass(frozen=True, kw_only=True)
class Finished:
    """The result of a job. `stopped_by` is a key of `STOPPED_BY`, or empty if the command ended by itself."""

    exit_code: int
    output: str
    lines: tuple[bytes, ...]
    stopped_by: str
    seconds: float
    containment: Containment

    @property
    def problem(self) -> str:
        """The reason for an early end as the rest of a sentence; empty if the command ended by itself."""
        limits = self.containment.limits
        megabytes = limits.get("memory_bytes", 0) // MEGABYTE
        words = STOPPED_BY.get(self.stopped_by, f"was ended ({self.stopped_by})") if self.stopped_by else ""
        return words.format(**limits, memory_mb=megabytes)


class Session(Protocol):
    """A running job that takes and returns lines."""

    def send(self, line: bytes) -> None: ...
    def lines(self) -> Iterator[bytes]: ...
    def finish(self) -> Finished: ...
    def kill(self, why: str) -> None: ...


class Sandbox(Protocol):
    """A backend that runs jobs contained. `start` returns a session; `run` waits for the end."""

    def start(self, job: Job) -> Session: ...
    def run(self, job: Job, on_line: Callable[[bytes], None] | None = None) -> Finished: ...
