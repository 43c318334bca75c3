"""Start processes: always with an argument list and an explicit environment. No other module of whet starts any."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from whet.errors import EnvironmentProblem

STDERR_KEPT = 4000  # characters, from the end
Child = subprocess.Popen[bytes]


@dataclass(frozen=True)
class Completed:
    """A host program that has ended: exit code, output, and the end of its error output."""

    code: int
    out: bytes
    err: str


def call(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path | None = None,
    stdin: bytes = b"",
    timeout_seconds: float = 60.0,
) -> Completed:
    """Run a trusted host program to its end; raise EnvironmentProblem if it is missing or exceeds the time limit."""
    try:
        done = subprocess.run(
            list(argv), env=dict(env), cwd=cwd, input=stdin, capture_output=True, timeout=timeout_seconds, check=False
        )
    except FileNotFoundError as problem:
        raise EnvironmentProblem(f"{argv[0]} is not installed", f"install {argv[0]}") from problem
    except OSError as problem:
        raise EnvironmentProblem(f"{argv[0]} cannot be run: {problem.strerror}") from problem
    except subprocess.TimeoutExpired as problem:
        raise EnvironmentProblem(f"{' '.join(argv[:3])} did not finish within {timeout_seconds:.0f} s") from problem
    return Completed(done.returncode, done.stdout, done.stderr.decode(errors="replace")[-STDERR_KEPT:])


def spawn(argv: Sequence[str], *, env: Mapping[str, str], descriptors: Sequence[int]) -> subprocess.Popen[bytes]:
    """Start a child in a session of its own; it inherits these descriptors and no others."""
    return subprocess.Popen(
        list(argv),
        env=dict(env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=list(descriptors),
        start_new_session=True,
        cwd="/",
    )


def kill_group(child: subprocess.Popen[bytes]) -> None:
    """Kill the whole process group of a child that `spawn` started."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def end(child: subprocess.Popen[bytes]) -> None:
    """Kill a child and wait for its end."""
    child.kill()
    child.communicate()
