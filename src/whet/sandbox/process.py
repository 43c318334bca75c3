"""Start processes: always with an argument list and an explicit environment. No other module of whet starts any."""

import contextlib
import fcntl
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
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
    secret: bytes | None = None,
) -> Completed:
    """Run a trusted host program to its end. With `secret` it inherits a descriptor of sealed memory with these bytes,
    and `{secret}` in a variable becomes the path of it: so they stand in no argument, variable or file.

    Raise EnvironmentProblem if it is missing or exceeds the time limit.
    """
    shared = () if secret is None else (_sealed(secret),)
    variables = (
        {name: value.replace("{secret}", f"/proc/self/fd/{shared[0]}") for name, value in env.items()}
        if shared
        else env
    )
    try:
        done = subprocess.run(
            list(argv),
            env=dict(variables),
            cwd=cwd,
            input=stdin,
            capture_output=True,
            timeout=timeout_seconds,
            check=False,
            pass_fds=shared,
        )
    except FileNotFoundError as problem:
        raise EnvironmentProblem(f"{argv[0]} is not installed", f"install {argv[0]}") from problem
    except OSError as problem:
        raise EnvironmentProblem(f"{argv[0]} cannot be run: {problem.strerror}") from problem
    except subprocess.TimeoutExpired as problem:
        raise EnvironmentProblem(f"{' '.join(argv[:3])} did not finish within {timeout_seconds:.0f} s") from problem
    finally:
        for descriptor in shared:
            os.close(descriptor)
    return Completed(done.returncode, done.stdout, done.stderr.decode(errors="replace")[-STDERR_KEPT:])


_checkouts: set[Path] = set()
"""The checkouts that this process has worked in. Their programs are started from no folder, also not from a temporary one."""


def search_path(folder: str | Path) -> str:
    """Return PATH for whet's own programs, without relative folders, those of virtual environments and of checkouts.

    The checkouts are those around `folder`, around the current folder, and around the folders of earlier calls. An
    activated virtual environment is on PATH, may come with a repository, and must not supply git or bubblewrap.
    """
    folders = [str(folder)]
    with contextlib.suppress(FileNotFoundError):  # the current folder is gone
        folders.append(os.getcwd())  # noqa: PTH109 - a string for the cache
    _checkouts.update(checkout for checkout in map(_checkout_around, folders) if checkout is not None)
    return _search_path(os.environ.get("PATH", os.defpath), frozenset(_checkouts))


@lru_cache(64)
def _checkout_around(folder: str) -> Path | None:
    here = Path(folder).resolve()
    checkouts = (parent for parent in (here, *here.parents) if os.path.lexists(parent / ".git"))
    checkout = next(checkouts, Path("/"))
    return None if checkout == Path("/") else checkout


@lru_cache(32)
def _search_path(path: str, checkouts: frozenset[Path]) -> str:
    entries = [entry for entry in path.split(os.pathsep) if Path(entry).is_absolute()]
    entries = [entry for entry in entries if not os.path.lexists(Path(entry).parent / "pyvenv.cfg")]
    resolved = {entry: Path(entry).resolve() for entry in entries}
    return os.pathsep.join(entry for entry in entries if not any(map(resolved[entry].is_relative_to, checkouts)))


def call_on_terminal(argv: Sequence[str], *, env: Mapping[str, str], stdin: bytes | None = None) -> Completed:
    """Run a trusted host program that asks the person at the terminal; its messages go there, its output is returned.

    With `stdin` the program reads these bytes and nothing else: they lie in sealed memory, so that no other process
    can change them between the call and the read. Raise EnvironmentProblem if there is no terminal.
    """
    try:
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_CLOEXEC)
    except OSError as problem:
        raise EnvironmentProblem(
            f"{argv[0]} has to ask a person, and this process has no terminal", "run the command in a terminal"
        ) from problem
    source = terminal if stdin is None else _sealed(stdin)
    try:
        done = subprocess.run(
            list(argv), env=dict(env), stdin=source, stdout=subprocess.PIPE, stderr=terminal, check=False
        )
    except OSError as problem:
        raise EnvironmentProblem(f"{argv[0]} cannot be run: {problem.strerror}") from problem
    finally:
        for descriptor in {source, terminal}:
            os.close(descriptor)
    return Completed(done.returncode, done.stdout, "")


def _sealed(content: bytes) -> int:
    """Return a descriptor of an anonymous, read-only file with this content, positioned at its start."""
    descriptor = os.memfd_create("whet", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(content)
    seals = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, seals)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


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


def start_beside(argv: Sequence[str], *, env: Mapping[str, str], output: int) -> subprocess.Popen[bytes]:
    """Start a trusted program in a session of its own, with its output to a descriptor and its messages to ours."""
    return subprocess.Popen(
        list(argv), env=dict(env), stdin=subprocess.DEVNULL, stdout=output, start_new_session=True, cwd="/"
    )
