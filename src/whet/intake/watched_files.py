"""Find the files that a pattern of `[sources]` names, and read from each what is new, within limits."""

import hashlib
import json
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from whet.files import MB, open_regular, read_file
from whet.intake.skips import Skips
from whet.store.events import Cursor

LONGEST_LINE = MB
MOST_FILES = 1_000
LARGEST_WHOLE_FILE = 32 * MB
_CHUNK = MB
_HEAD = 4096
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class WatchedFile:
    """A regular file below the repository. `name` is its path there."""

    path: Path
    name: str
    size: int
    modified_seconds: float
    stamp: str


def watched_files(root: Path, patterns: Iterable[str], skips: Skips) -> list[WatchedFile]:
    """Return the regular files that the patterns match, the newest first. Count links that lead out of the repository."""
    found: dict[str, WatchedFile] = {}
    inside = root.resolve()
    for pattern in patterns:
        for path in root.glob(pattern):
            name = path.relative_to(root).as_posix()
            if name not in found and (file := _watched(path, name, inside, skips)):
                found[name] = file
    newest = sorted(found.values(), key=lambda file: (-file.modified_seconds, file.name))
    if len(newest) > MOST_FILES:
        skips.add("", "file", f"only the {MOST_FILES:,} newest are read", len(newest) - MOST_FILES)
    return newest[:MOST_FILES]


def _watched(path: Path, name: str, inside: Path, skips: Skips) -> WatchedFile | None:
    try:
        if not path.resolve().is_relative_to(inside):
            skips.add(name, "file", "it is outside the repository")
            return None
        status = path.stat()
    except (OSError, RuntimeError):  # a loop of links, or removed meanwhile
        skips.add(name, "file", "it cannot be opened")
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    stamp = f"{status.st_ino}:{status.st_size}:{status.st_mtime_ns}"
    return WatchedFile(path, name, status.st_size, status.st_mtime, stamp)


def new_content(file: WatchedFile, cursor: Cursor, skips: Skips) -> tuple[bytes, Cursor] | None:
    """Return the content of a file that changed since the cursor, and the new cursor; None if there is nothing new."""
    if cursor.stamp == file.stamp:
        return None
    try:
        content = read_file(file.path, LARGEST_WHOLE_FILE)
    except OSError as problem:
        skips.add(file.name, "file", problem.strerror or "it cannot be read")
        return None
    digest = hashlib.sha256(content).hexdigest()
    moved = Cursor(file.stamp, digest, len(content))
    return (b"", moved) if digest == cursor.digest else (content, moved)


class NewLines:
    """The lines that a file got since a cursor. Iterate it once; then `cursor` says how far it was read.

    At most `most_bytes` are read. If there is more, the oldest part is skipped, and counted. A line that is longer than
    `LONGEST_LINE` is skipped without being held in memory. A last line without its line end waits for the next look,
    unless it is a whole JSON value already.
    """

    def __init__(self, file: WatchedFile, cursor: Cursor, most_bytes: int, skips: Skips) -> None:
        self._file, self._before, self._most_bytes, self._skips = file, cursor, most_bytes, skips
        self.cursor = cursor

    def __iter__(self) -> Iterator[bytes]:
        if self._before.stamp == self._file.stamp:
            return
        try:
            with open_regular(self._file.path) as stream:
                yield from self._read(stream)
        except OSError as problem:
            self._skips.add(self._file.name, "file", problem.strerror or "it cannot be read")

    def _read(self, stream: BinaryIO) -> Iterator[bytes]:
        if stream.read(2) in _WIDE_MARKS:
            self._skips.add(self._file.name, "file", "it is UTF-16; convert it to UTF-8")
            return
        offset = self._start(stream)
        stream.seek(offset)
        rest, dropping = b"", False
        end = self._file.size  # bytes that arrive while we read wait for the next look
        while offset < end and (chunk := stream.read(min(_CHUNK, end - offset))):
            offset += len(chunk)
            *lines, rest = (rest + chunk).split(b"\n")
            if dropping and lines:
                lines, dropping = lines[1:], False
            yield from self._short(lines)
            if len(rest) > LONGEST_LINE:
                if not dropping:
                    self._too_long()
                rest, dropping = b"", True
            elif dropping:
                rest = b""
        if rest and _is_json(rest):
            yield rest
            rest = b""
        self._finish(stream, offset - len(rest))

    def _start(self, stream: BinaryIO) -> int:
        """Return the offset to read from: behind the last line read, or 0 if the file is another one now."""
        offset = self._before.offset if _head(stream, self._before.digest) == self._before.digest else 0
        if offset > self._file.size:
            offset = 0
        backlog = self._file.size - offset - self._most_bytes
        if backlog <= 0:
            return offset
        self._skips.add(
            self._file.name, "megabyte", "a look reads only the newest part (sources.look_mb)", backlog // MB + 1
        )
        stream.seek(offset + backlog)
        while (chunk := stream.readline(_CHUNK)) and not chunk.endswith(b"\n"):  # to the beginning of a line
            continue
        return stream.tell()

    def _short(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        for line in lines:
            if len(line) > LONGEST_LINE:
                self._too_long()
            elif line.strip():
                yield line

    def _too_long(self) -> None:
        self._skips.add(self._file.name, "line", f"longer than {LONGEST_LINE // MB} MB")

    def _finish(self, stream: BinaryIO, offset: int) -> None:
        stream.seek(0)
        head = hashlib.sha256(stream.read(min(_HEAD, offset))).hexdigest()
        self.cursor = Cursor(self._file.stamp, f"{min(_HEAD, offset)}:{head}", offset)


def _head(stream: BinaryIO, digest: str) -> str:
    """Return the digest of as many first bytes as `digest` is about, in the same form."""
    length, _, _ = digest.partition(":")
    if not length.isdecimal():
        return ""
    stream.seek(0)
    return f"{length}:{hashlib.sha256(stream.read(int(length))).hexdigest()}"


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True
