"""Run a shell script in a sandbox, with a tree of a few files."""

import io
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.sandbox import Finished, Job, JobLimits
from whet.target import interpreter


def interpreter_paths() -> tuple[str, ...]:
    """Return the host paths that the interpreter of these tests needs inside a sandbox."""
    return interpreter.probe(Bubblewrap(), Path(sys.executable), Path("/project")).readable


def tree(files: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as out:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            out.addfile(member, io.BytesIO(data))
    return stream.getvalue()


def tree_of(*members: tarfile.TarInfo) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as out:
        for member in members:
            out.addfile(member, io.BytesIO(bytes(member.size)))
    return stream.getvalue()


def inside(
    script: str,
    *,
    root: str = "/project",
    limits: JobLimits | None = None,
    files: bytes | None = None,
    sandbox: Bubblewrap | None = None,
) -> Finished:
    return (sandbox or Bubblewrap()).run(
        Job(
            argv=("bash", "-c", script),
            tree=tree({"code.py": b"x = 1\n"}) if files is None else files,
            root=root,
            limits=limits or JobLimits(wall_seconds=20),
        )
    )
