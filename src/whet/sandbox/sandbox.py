"""What a sandbox takes and gives back, whatever contains it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from whet.domain.containment import Containment

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Totals over everything that runs in one sandbox, but for `file_bytes` and `line_bytes`, which hold for each one.

    `processes` counts threads too; `files` counts all that is made in the tree and the scratch folders;
    `cpu_seconds` is twice the wall time where it is not given.
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
    """Untrusted work: a command, the tree it sees at `root`, and the host paths it may read.

    `{results}` in an argument becomes the number of the descriptor whose lines come back as results.
    """

    argv: tuple[str, ...]
    tree: bytes
    root: str
    limits: Limits
    readable: tuple[str, ...] = ()
    stdin: bytes = b""
    env: Mapping[str, str] = field(default_factory=dict)


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
    """How it ended: `stopped_by` names the limit that was hit (a key of `STOPPED_BY`), or is empty."""

    exit_code: int
    output: str
    lines: tuple[bytes, ...]
    stopped_by: str
    seconds: float
    containment: Containment

    @property
    def problem(self) -> str:
        """Why it was ended, as the rest of a sentence, or nothing."""
        limits = self.containment.limits
        megabytes = limits.get("memory_bytes", 0) // MEGABYTE
        words = STOPPED_BY.get(self.stopped_by, f"was ended ({self.stopped_by})") if self.stopped_by else ""
        return words.format(**limits, memory_mb=megabytes)


class Session(Protocol):
    """A running job that can be talked to, line by line."""

    def send(self, line: bytes) -> None: ...
    def lines(self) -> Iterator[bytes]: ...
    def finish(self) -> Finished: ...
    def kill(self, why: str) -> None: ...


class Sandbox(Protocol):
    def start(self, job: Job) -> Session: ...
    def run(self, job: Job, on_line: Callable[[bytes], None] | None = None) -> Finished: ...
