"""A tree as a tar stream that is built once; overlays reuse its bytes."""

import io
import os
import tarfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_REGULAR = "100644"


@dataclass(frozen=True)
class Tar:
    """A tree as a tar stream. `places` maps each path to where its entry begins and ends, and to its git mode."""

    data: bytes
    places: dict[str, tuple[int, int, str]]

    def overlaid(self, files: Mapping[str, bytes | None]) -> bytes:
        """Return the stream with these files replaced, added or, where None, removed.

        Replaced and removed entries are cut out of the bytes; the new ones are appended.
        """
        cut = sorted(self.places[path][:2] for path in files if path in self.places)
        last = max((end for _, end, _ in self.places.values()), default=0)
        edges = [0, *(edge for place in cut for edge in place), last]
        kept = [self.data[begin:end] for begin, end in zip(edges[::2], edges[1::2], strict=True)]
        stream = io.BytesIO()
        with tarfile.open(fileobj=stream, mode="w", format=tarfile.GNU_FORMAT) as out:
            for path, data in files.items():
                if data is not None:
                    out.addfile(*_member(path, self.places.get(path, (0, 0, _REGULAR))[2], data))
        return b"".join([*kept, stream.getvalue()])


def make_tar(files: Iterable[tuple[str, str, bytes]]) -> Tar:
    """Build a stream from (path, git mode, content)."""
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
