"""A shell script in a sandbox, with a tree of a few files."""

import io
import tarfile
from collections.abc import Mapping

from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.sandbox import Finished, Job, Limits


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
    limits: Limits | None = None,
    files: bytes | None = None,
    sandbox: Bubblewrap | None = None,
) -> Finished:
    return (sandbox or Bubblewrap()).run(
        Job(
            argv=("bash", "-c", script),
            tree=tree({"code.py": b"x = 1\n"}) if files is None else files,
            root=root,
            limits=limits or Limits(wall_seconds=20),
        )
    )
