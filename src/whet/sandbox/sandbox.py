"""What a sandbox takes and gives back, whatever contains it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from whet.domain.containment import Containment

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Limits:
    wall_seconds: float
    memory_bytes: int = 4096 * MEGABYTE
    processes: int = 512
    file_bytes: int = 1024 * MEGABYTE
    tree_bytes: int = 2048 * MEGABYTE
    output_bytes: int = 64 * MEGABYTE


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
    given: bytes = b""
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Finished:
    """How it ended: `stopped_by` names the limit that was hit, or is empty."""

    exit_code: int
    output: str
    lines: tuple[bytes, ...]
    stopped_by: str
    seconds: float
    containment: Containment


class Session(Protocol):
    """A running job that can be talked to, line by line."""

    def send(self, line: bytes) -> None: ...
    def lines(self) -> Iterator[bytes]: ...
    def finish(self) -> Finished: ...
    def kill(self, why: str) -> None: ...


class Sandbox(Protocol):
    def start(self, job: Job) -> Session: ...
    def run(self, job: Job, on_line: Callable[[bytes], None] | None = None) -> Finished: ...
