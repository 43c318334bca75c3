"""A digest of the packages that the target's interpreter imports, equal on every machine with the same packages.

A cached run of the suite is valid only for the environment that it ran in. Installed packages are identified by the
digests in their RECORD files, not by times, so that two jobs of a build server that install the same packages agree.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from whet.files import MB, read_file

_LARGEST = 20 * MB
_READ_WHOLE = (".pth", ".egg-link", ".py")


@cache
def environment_digest(folders: tuple[str, ...]) -> str:
    """Return a digest of the packages in these folders of the import path; the standard library is left out, because its
    version stands for it."""
    digests = [_folder_digest(Path(folder)) for folder in folders]
    return hashlib.sha256("\n".join(filter(None, digests)).encode()).hexdigest()


def _folder_digest(folder: Path) -> str:
    if not folder.is_dir() or (folder / "os.py").exists() or folder.name == "lib-dynload":
        return ""
    installed = any(folder.glob("*.dist-info"))
    lines = _installed(folder) if installed else _sources(folder)
    return hashlib.sha256("\n".join(lines).encode(errors="surrogateescape")).hexdigest()


def _installed(folder: Path) -> Iterator[str]:
    """Yield one line for each top-level entry of a site-packages folder."""
    for entry in sorted(folder.iterdir()):
        if entry.suffix == ".dist-info":
            yield f"{entry.name} {_digest(_without_bytecode(_content(entry / 'RECORD')))}"
        elif entry.suffix in _READ_WHOLE and entry.is_file():
            yield f"{entry.name} {_digest([_content(entry)])}"
        elif entry.name != "__pycache__":
            yield entry.name


def _sources(folder: Path) -> Iterator[str]:
    """Yield one line for each module below a folder without installed packages, such as that of an editable install.

    Its modules change without a new installation, so their sizes and times count.
    """
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        for name in sorted(files):
            if name.endswith((".py", ".so")):
                status = os.stat(os.path.join(place, name), follow_symlinks=False)  # noqa: PTH116, PTH118 - many files
                yield f"{place}/{name} {status.st_size} {status.st_mtime_ns}"


def _without_bytecode(record: bytes) -> Iterable[bytes]:
    """Return the sorted lines of a RECORD file, without those of compiled files, which a later import may add."""
    return sorted(line for line in record.splitlines() if b".pyc," not in line)


def _content(path: Path) -> bytes:
    try:
        return read_file(path, _LARGEST)
    except OSError:
        return b""  # the name of the entry still counts


def _digest(parts: Iterable[bytes]) -> str:
    return hashlib.sha256(b"\n".join(parts)).hexdigest()
