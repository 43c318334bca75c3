"""Open, create and replace the files of a state folder (`.whet`). No other module opens a file there.

The folder and its subfolders have mode 0700 and their files 0600, whatever the umask is. Everything is opened relative to
a descriptor of the folder, never through a link, and checked on that descriptor: an entry that other users can reach, that
belongs to another user, that is a symbolic link or has a hard link is refused with StateUnusable. Plain failures of the
operating system, such as a missing file, are OSError.

Applications that capture their calls load this module, so it imports little.
"""

from __future__ import annotations

import contextlib
import os
import stat

from whet.errors import StateUnusable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from typing import Any

    Folder = str | os.PathLike[str]

SWITCH = "STOP"
"""The kill switch. Anything at this path means stop, so it is the one entry that is never refused."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC  # O_NONBLOCK: do not hang at a pipe
_DATABASE_SUFFIXES = ("", "-wal", "-shm", "-journal")


def make_folder(folder: Folder) -> None:
    """Create a state folder with mode 0700 and a `.gitignore` for all of it. Refuse an unsafe one."""
    with contextlib.suppress(FileExistsError):
        _make_folder(os.fspath(folder), None)
    with _opened(folder) as handle, contextlib.suppress(FileExistsError):
        file = _create(".gitignore", os.O_WRONLY, handle)
        os.write(file, b"*\n")
        os.close(file)


def open_file(folder: Folder, name: str, flags: int = os.O_RDONLY) -> int:
    """Return the descriptor of a regular file in the folder. `name` may begin with subfolders, which must exist.

    O_CREAT creates a missing file with mode 0600. O_TRUNC takes effect after the file was checked, so a file that
    belongs elsewhere is not emptied.
    """
    with _parent_of(folder, name) as (parent, base):
        handle = _open_or_create(base, flags & ~os.O_TRUNC, parent)
    try:
        _refuse(os.fstat(handle), folder, name)
        if flags & os.O_TRUNC:
            os.ftruncate(handle, 0)
    except BaseException:
        os.close(handle)
        raise
    return handle


def read(folder: Folder, name: str, most_bytes: int = -1) -> bytes:
    """Return the content of a file, or its first `most_bytes`."""
    with os.fdopen(open_file(folder, name), "rb") as file:
        return file.read(most_bytes)


def replace(folder: Folder, name: str, content: bytes, *, flush: bool = True, flush_folder: bool = False) -> None:
    """Write a file by a rename, so that a reader sees the old or the new content.

    `flush` waits until the content is on disk, so that a power failure leaves the old or the new content too;
    `flush_folder` waits for the rename.

    Two writers of one name must hold a lock: the temporary file has a fixed name, so that the next writer removes what
    a killed one left.
    """
    with _parent_of(folder, name, create=True) as (parent, base):
        temporary = f".{base}.new"
        try:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=parent)
            with os.fdopen(_create(temporary, os.O_WRONLY, parent), "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno()) if flush else None
            os.replace(temporary, base, src_dir_fd=parent, dst_dir_fd=parent)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary, dir_fd=parent)
            raise
        if flush_folder:
            os.fsync(parent)


def remove(folder: Folder, name: str) -> None:
    """Delete a file, or the link that is in its place."""
    with _parent_of(folder, name) as (parent, base):
        os.unlink(base, dir_fd=parent)


def names(folder: Folder, subfolder: str) -> list[str]:
    """Return the sorted names in a subfolder; none if it does not exist."""
    try:
        with _parent_of(folder, f"{subfolder}/-") as (parent, _):
            return sorted(os.listdir(parent))
    except FileNotFoundError:
        return []


def status(folder: Folder, name: str) -> os.stat_result:
    """Return the status of an entry itself, not of the file that a link leads to."""
    with _parent_of(folder, name) as (parent, base):
        return os.stat(base, dir_fd=parent, follow_symlinks=False)


@contextlib.contextmanager
def locked(folder: Folder, name: str = "") -> Iterator[None]:
    """Hold the lock of a file, which is created if needed, or of the folder itself. Other holders are waited for."""
    import fcntl  # not needed by applications that record

    if name:
        with _parent_of(folder, name, create=True):
            pass
    handle = open_file(folder, name, os.O_RDWR | os.O_CREAT) if name else _open_folder(folder)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def put_switch(folder: Folder, text: str) -> None:
    """Write the kill switch. In a folder that is not safe it is created too, because stopping must always work; an entry
    that is there already is then left alone."""
    content = text.encode(errors="backslashreplace")
    with contextlib.suppress(OSError, StateUnusable):
        make_folder(folder)
    try:
        handle = open_file(folder, SWITCH, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    except StateUnusable:
        parent = os.open(folder, _FOLDER)
        try:
            handle = _create(SWITCH, os.O_WRONLY, parent)
        finally:
            os.close(parent)
    with os.fdopen(handle, "wb") as file:
        file.write(content)


# ---- databases ---------------------------------------------------------------------------------------------------------


def check_database(folder: Folder, name: str) -> tuple[int, int]:
    """Create a missing SQLite file, check it and its side files, and return its device and inode numbers.

    The files are not opened here: closing a descriptor would release the locks that SQLite holds on them in this process.
    SQLite gives its side files the mode of the database.
    """
    with _opened(folder) as parent:
        with contextlib.suppress(FileExistsError):
            os.mknod(name, 0o600 | stat.S_IFREG, dir_fd=parent)
            os.chmod(name, 0o600, dir_fd=parent)  # the umask may have removed bits
        for suffix in _DATABASE_SUFFIXES:
            with contextlib.suppress(FileNotFoundError):
                entry = os.stat(name + suffix, dir_fd=parent, follow_symlinks=False)
                _refuse(entry, folder, name + suffix)
        database = os.stat(name, dir_fd=parent, follow_symlinks=False)
        return database.st_dev, database.st_ino


def refuse_exchanged(folder: Folder, name: str, identity: tuple[int, int]) -> None:
    """Raise StateUnusable if the database was replaced since `check_database` looked at it."""
    if check_database(folder, name) != identity:
        raise StateUnusable(f"{os.path.join(folder, name)} was replaced while it was opened", "run the command again")


def connect(folder: Folder, name: str, own: frozenset[str] = frozenset(), **options: Any) -> sqlite3.Connection:
    """Open a SQLite database and refuse one with planted code (`own` as in `refuse_planted`).

    SQLite follows links, so the file is compared before and after.
    """
    import sqlite3

    identity = check_database(folder, name)
    connection: sqlite3.Connection = sqlite3.connect(os.path.join(folder, name), **options)
    try:
        refuse_exchanged(folder, name, identity)
        refuse_planted(connection, os.path.join(folder, name), own)
    except BaseException:
        connection.close()
        raise
    return connection


def refuse_planted(connection: sqlite3.Connection, path: str, own: frozenset[str] = frozenset()) -> None:
    """Raise StateUnusable if the database has a trigger, a view or a virtual table other than `own`, which are given by
    their statements.

    Triggers run when whet writes and views when whet reads, and either could change what a row says.
    """
    query = "SELECT type, name, sql FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL TABLE%'"
    for kind, name, statement in connection.execute(query).fetchall():
        if statement not in own:
            shown = ascii(str(name)[:60])
            raise StateUnusable(
                f"{path} has the {ascii(kind)[1:-1]} {shown}, which was not put there by whet",
                f"find out who wrote it and what it changed, remove it (DROP {str(kind).upper()}), then run `whet audit`",
            )


# ---- checks ------------------------------------------------------------------------------------------------------------


def refuse_unsafe(folder: Folder) -> None:
    """Raise StateUnusable for the first entry of the folder, at any depth, that is not safe. A missing folder is fine."""
    try:
        with _opened(folder) as handle:
            _refuse_unsafe_entries(folder, "", handle)
    except FileNotFoundError:
        return


def _refuse_unsafe_entries(folder: Folder, prefix: str, handle: int) -> None:
    for base in sorted(os.listdir(handle)):
        name = f"{prefix}{base}"
        if name == SWITCH:
            continue
        with contextlib.suppress(FileNotFoundError):  # removed meanwhile
            entry = os.stat(base, dir_fd=handle, follow_symlinks=False)
            _refuse(entry, folder, name, is_folder=stat.S_ISDIR(entry.st_mode))
            if stat.S_ISDIR(entry.st_mode):
                subfolder = os.open(base, _FOLDER, dir_fd=handle)
                try:
                    _refuse_unsafe_entries(folder, f"{name}/", subfolder)
                finally:
                    os.close(subfolder)


def _refuse(entry: os.stat_result, folder: Folder, name: str, *, is_folder: bool = False) -> None:
    """Raise StateUnusable unless the entry is a file, or a folder, of this user alone."""
    path = os.path.join(folder, name) if name else os.fspath(folder)
    kind = stat.S_ISDIR if is_folder else stat.S_ISREG
    if stat.S_ISLNK(entry.st_mode):
        raise StateUnusable(f"{path} is a link, and whet opens none in its state folder", "look at it, and remove it")
    if entry.st_uid != os.geteuid():
        raise StateUnusable(
            f"{path} belongs to another user (uid {entry.st_uid})", "run whet as the user who owns it, or chown it"
        )
    if not kind(entry.st_mode):
        raise StateUnusable(f"{path} is not a {'folder' if is_folder else 'regular file'}", "look at it, and remove it")
    if entry.st_mode & 0o077:
        raise StateUnusable(
            f"{path} can be reached by other users (mode {stat.S_IMODE(entry.st_mode):04o})",
            f"chmod -R go= {os.fspath(folder)}",
        )
    if not is_folder and entry.st_nlink > 1:
        raise StateUnusable(
            f"{path} has {entry.st_nlink} names (hard links), so it can be changed from outside the folder",
            "look at it, copy it, and put the copy in its place",
        )


# ---- descriptors -------------------------------------------------------------------------------------------------------


def _open_folder(folder: Folder) -> int:
    """Return a checked descriptor of the state folder."""
    try:
        handle = os.open(folder, _FOLDER)
    except NotADirectoryError:
        _refuse(os.lstat(folder), folder, "", is_folder=True)
        raise
    try:
        _refuse(os.fstat(handle), folder, "", is_folder=True)
    except BaseException:
        os.close(handle)
        raise
    return handle


@contextlib.contextmanager
def _opened(folder: Folder) -> Iterator[int]:
    handle = _open_folder(folder)
    try:
        yield handle
    finally:
        os.close(handle)


@contextlib.contextmanager
def _parent_of(folder: Folder, name: str, *, create: bool = False) -> Iterator[tuple[int, str]]:
    """Yield a checked descriptor of the folder that holds `name`, and the last part of the name."""
    *parts, base = name.split("/")
    if any(part in ("", ".", "..") for part in (*parts, base)):
        raise ValueError(f"{name!r} is not a name in the state folder")
    handle = _open_folder(folder)
    try:
        for number, part in enumerate(parts, 1):
            inner = _open_subfolder(folder, "/".join(parts[:number]), part, handle, create=create)
            os.close(handle)
            handle = inner
        yield handle, base
    finally:
        os.close(handle)


def _open_subfolder(folder: Folder, name: str, base: str, parent: int, *, create: bool) -> int:
    if create:
        with contextlib.suppress(FileExistsError):
            _make_folder(base, parent)
    try:
        handle = os.open(base, _FOLDER, dir_fd=parent)
    except NotADirectoryError:
        _refuse(os.stat(base, dir_fd=parent, follow_symlinks=False), folder, name, is_folder=True)
        raise
    try:
        _refuse(os.fstat(handle), folder, name, is_folder=True)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _make_folder(path: str, parent: int | None) -> None:
    """Create a folder with mode 0700, whatever the umask is.

    The umask may remove permission bits of the new folder. O_PATH can open the folder even so, to restore them.
    """
    os.mkdir(path, 0o700, dir_fd=parent)
    handle = os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    try:
        if stat.S_IMODE(os.fstat(handle).st_mode) != 0o700:
            os.chmod(f"/proc/self/fd/{handle}", 0o700)
    finally:
        os.close(handle)


def _open_or_create(base: str, flags: int, parent: int) -> int:
    """Open a file, or create it if it is missing and `flags` has O_CREAT. Links are not followed."""
    while True:
        try:
            return os.open(base, flags & ~os.O_CREAT | _FILE, dir_fd=parent)
        except FileNotFoundError:
            if not flags & os.O_CREAT:
                raise
        except OSError:
            entry = os.stat(base, dir_fd=parent, follow_symlinks=False)
            if stat.S_ISLNK(entry.st_mode) or not stat.S_ISREG(entry.st_mode):
                return os.open(base, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)  # for the caller's check
            raise
        with contextlib.suppress(FileExistsError):
            return _create(base, flags, parent)


def _create(base: str, flags: int, parent: int) -> int:
    """Create a file with mode 0600, or raise FileExistsError for anything at its path."""
    handle = os.open(base, flags | os.O_CREAT | os.O_EXCL | _FILE, 0o600, dir_fd=parent)
    os.fchmod(handle, 0o600)  # the umask may have removed bits
    return handle
