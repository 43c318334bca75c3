"""Find where a path in a call leads: links, `..`, other names of a file, the repository that holds it."""

import os
import stat
import sys
from collections.abc import Iterable
from functools import lru_cache

from whet.domain.own_files import FILE_NAME, STATE_FOLDER
from whet.guard.calls.place import FilePlace, Resolve

_HOME_VARIABLES = ("$HOME", "${HOME}")
_LINKED_CORE = (FILE_NAME, "whet.signers", "whet.passkeys", ".git/config", ".claude/settings.json",
                ".claude/settings.local.json", ".codex/hooks.json", ".codex/config.toml", ".gemini/settings.json",
                ".cursor/hooks.json", ".github/hooks/whet.json")  # fmt: skip
_MOST_STATE_FILES = 200


def user_record() -> str:
    """Return the folder outside of all repositories that holds parts of whet's record."""
    configured = os.environ.get("XDG_STATE_HOME", "")
    base = configured if configured.startswith("/") else os.path.expanduser("~/.local/state")
    return os.path.join(base, "whet")


def resolver(folders: Iterable[str], records: Iterable[str]) -> Resolve:
    """Return a function that finds the places of a path, which may be relative to any of `folders`.

    `records` are folders outside the repository that hold whet's record.
    """
    bases = tuple(dict.fromkeys(folders))
    outside = tuple(os.path.realpath(record) for record in records)

    @lru_cache(maxsize=2048)
    def resolve(text: str) -> tuple[FilePlace, ...]:
        if "\0" in text:
            raise ValueError("a path has a NUL character")
        paths = dict.fromkeys(path for base in bases for path in _readings(text, base))
        return tuple(_place(path, outside) for path in paths)

    return resolve


def _readings(text: str, base: str) -> Iterable[str]:
    """Yield the paths that a text may mean. A program may remove `..` before or after it follows a link."""
    if text.lower().startswith("file://"):
        from urllib.parse import unquote

        text = unquote(text[len("file://") :]).removeprefix("localhost")
    for variable in _HOME_VARIABLES:
        if text.startswith(variable):
            text = f"~{text.removeprefix(variable)}"
    joined = os.path.join(base, os.path.expanduser(text) if text.startswith("~") else text)
    try:
        yield from (os.path.normpath(joined), os.path.realpath(joined), os.path.realpath(os.path.normpath(joined)))
    except OSError:
        yield os.path.normpath(joined)


def _place(path: str, records: tuple[str, ...]) -> FilePlace:
    root = repository_of(path)
    inside = None if root is None else os.path.relpath(path, root)
    is_record = any(is_below(path, record) for record in (*records, *_state_folders(root)))
    keeps = "" if is_record else _keeps(path, root)
    if keeps == STATE_FOLDER:
        is_record, keeps = True, ""
    return FilePlace(path=path, inside="" if inside == "." else inside, record=is_record, keeps=keeps)


def _keeps(path: str, root: str | None) -> str:
    """Return why the guard depends on a file: it is a second name of another file, or a part of the running whet."""
    same = _other_name(path, root)
    if same:
        return same if same == STATE_FOLDER else f"it is another name of {same}"
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    program = os.path.realpath(sys.argv[0]) if sys.argv[0] else ""
    if path == program or (is_below(path, package) and not (root and is_below(package, root))):
        return "it is part of the whet that guards this machine"
    return ""


def _other_name(path: str, root: str | None) -> str:
    """Return the file of whet or of the guard that a path is a hard link to; the state folder for a file in it."""
    entry = _entry(path)
    if root is None or entry is None or not stat.S_ISREG(entry.st_mode) or entry.st_nlink < 2:
        return ""
    for name in _LINKED_CORE:
        if _is_same(entry, os.path.join(root, name)) and os.path.join(root, name) != path:
            return name
    for folder in _state_folders(root):
        if any(_is_same(entry, os.path.join(folder, name)) for name in _names(folder)):
            return STATE_FOLDER
    return ""


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)[:_MOST_STATE_FILES]
    except OSError:
        return []


def _is_same(entry: os.stat_result, path: str) -> bool:
    other = _entry(path)
    return other is not None and (other.st_dev, other.st_ino) == (entry.st_dev, entry.st_ino)


def _entry(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except (OSError, ValueError):
        return None


def is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")


def _state_folders(root: str | None) -> tuple[str, ...]:
    if root is None:
        return ()
    return tuple(os.path.join(folder, STATE_FOLDER) for folder in dict.fromkeys((root, first_checkout(root))))


@lru_cache(maxsize=256)
def repository_of(path: str) -> str | None:
    """Return the nearest folder at or above a path that has an entry `.git`; None outside of all repositories."""
    folder = path
    while True:
        if os.path.lexists(os.path.join(folder, ".git")):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


@lru_cache(maxsize=64)
def first_checkout(root: str) -> str:
    """Return the checkout that holds whet's state: of a linked worktree the repository's first one, else `root`."""
    link = os.path.join(root, ".git")
    try:
        if not stat.S_ISREG(os.lstat(link).st_mode):
            return root
        with open(link, encoding="utf-8") as file:
            folder = file.read(4096).removeprefix("gitdir:").strip()
    except (OSError, UnicodeDecodeError):
        return root
    common, separator, _ = os.path.realpath(os.path.join(root, folder)).rpartition("/.git/worktrees/")
    return common if separator else root
