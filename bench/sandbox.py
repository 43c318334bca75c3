"""Measure how long a sandbox takes to start, and how much a tree of 1,000 files adds.

Compared, in turn and in the same run, with the bare program and with plain `bwrap --unshare-all` over the host's files.
"""

import io
import os
import subprocess
import tarfile
import time
from collections.abc import Callable
from statistics import median

from bench.table import Row
from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.sandbox import Job, JobLimits

ROUNDS = 60
FILES = 1000
EMPTY = bytes(10240)
TRUE = "/usr/bin/true"
PLAIN = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", TRUE]


def measure() -> list[Row]:
    sandbox = Bubblewrap()
    thousand = tree_of(FILES)
    milliseconds = in_turn(
        {
            "bare": lambda: subprocess.run([TRUE], check=True),
            "plain": lambda: subprocess.run(PLAIN, check=True),
            "empty": lambda: run(sandbox, EMPTY),
            "tree": lambda: run(sandbox, thousand),
        }
    )
    bare, plain, empty, tree = (milliseconds[name] for name in ("bare", "plain", "empty", "tree"))
    return [
        row("start, p50", empty, "bare", bare),
        row("start, p50", empty, "bwrap --unshare-all", plain),
        row("start beyond bare, limit 12 ms", empty - bare, "plain bwrap beyond bare", plain - bare),
        row(f"start with {FILES:,} files, p50", tree, "empty tree", empty),
        row(f"{FILES:,} files beyond empty, limit 60 ms", tree - empty, "empty tree", empty),
    ]


def row(name: str, milliseconds: float, peer: str, peer_milliseconds: float) -> Row:
    ratio = milliseconds / peer_milliseconds
    return Row("sandbox", name, f"{milliseconds:.1f} ms", f"{peer} {peer_milliseconds:.1f} ms", ratio)


def run(sandbox: Bubblewrap, tree: bytes) -> None:
    finished = sandbox.run(Job(argv=(TRUE,), tree=tree, root="/project", limits=JobLimits(wall_seconds=30)))
    if finished.exit_code or finished.stopped_by:
        raise SystemExit(f"the bench run failed: {finished}")


def in_turn(programs: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the median time of each program; each runs once per round, so that noise hits them all alike."""
    times: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(ROUNDS):
        for name, program in programs.items():
            started = time.perf_counter()
            program()
            times[name].append((time.perf_counter() - started) * 1000)
    return {name: median(of_program) for name, of_program in times.items()}


def tree_of(count: int) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as out:
        for number in range(count):
            member = tarfile.TarInfo(f"package{number // 50}/module{number}.py")
            member.size = 2000
            out.addfile(member, io.BytesIO(os.urandom(1000).hex().encode()))
    return stream.getvalue()


if __name__ == "__main__":
    from bench.table import show

    print(show(measure()))
