"""A tree as a tar stream, made once and laid over with files as often as wanted."""

import io
import os
import tarfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Tar:
    """A tree as a tar stream, with the place and the mode of every file in it."""

    data: bytes
    places: dict[str, tuple[int, int, str]]

    def laid_over(self, files: Mapping[str, bytes | None]) -> bytes:
        gone = sorted(self.places[path][:2] for path in files if path in self.places)
        last = max((end for _, end, _ in self.places.values()), default=0)
        edges = [0, *(edge for place in gone for edge in place), last]
        kept = [self.data[begin:end] for begin, end in zip(edges[::2], edges[1::2], strict=True)]
        stream = io.BytesIO()
        with tarfile.open(fileobj=stream, mode="w", format=tarfile.GNU_FORMAT) as out:
            for path, data in files.items():
                if data is not None:
                    out.addfile(*_member(path, self.places.get(path, (0, 0, "100644"))[2], data))
        return b"".join([*kept, stream.getvalue()])


def make_tar(files: Iterable[tuple[str, str, bytes]]) -> Tar:
    """Of files by path, with the mode that git gives them."""
    stream = io.BytesIO()
    places = {}
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.GNU_FORMAT) as out:
        for path, mode, data in files:
            begin = out.offset
            out.addfile(*_member(path, mode, data))
            places[path] = (begin, out.offset, mode)
    return Tar(stream.getvalue(), places)


def _member(path: str, mode: str, data: bytes) -> tuple[tarfile.TarInfo, io.BytesIO]:
    member = tarfile.TarInfo(path)
    if mode == "120000":
        member.type, member.linkname = tarfile.SYMTYPE, os.fsdecode(data)
        return member, io.BytesIO()
    member.mode = 0o755 if mode == "100755" else 0o644
    member.size = len(data)
    return member, io.BytesIO(data)
