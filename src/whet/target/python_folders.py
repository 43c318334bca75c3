"""Decide which folders of the host an interpreter may see in the sandbox.

The folders are named by links, by `pyvenv.cfg` and by the interpreter itself, which may all come from an unpacked archive.
So every folder is judged by its content on the host, and by its real path.
"""

import os
import pwd
from collections.abc import Iterable, Iterator
from pathlib import Path

from whet.files import MB, read_file

_ALWAYS_VISIBLE = Path("/usr")
_SYSTEM = tuple(map(Path, ("/boot", "/dev", "/etc", "/proc", "/run", "/sys")))
_STANDARD_LIBRARY = ("lib*/python3*/os.py", "lib/pypy3*/os.py", "lib-python/3/os.py")
_LINKS_FOLLOWED = 40


def starting_programs(interpreter: Path) -> list[Path]:
    """Return the interpreter, the targets of its links and the base interpreter that its `pyvenv.cfg` names.

    The folder two levels above each of them is needed to start the interpreter.
    """
    programs = [interpreter, *_link_targets(interpreter), _real(interpreter)]
    programs += [home / interpreter.name for program in programs for home in _homes_named_by(program.parent.parent)]
    return [*programs, *map(_real, programs)]


def visible_folders(installations: Iterable[Path], root: Path, sources: Iterable[Path] = ()) -> tuple[str, ...]:
    """Return the outermost of these folders to mount, without those that are not Python's.

    `installations` must be, or lie in, installations of Python or virtual environments. `sources`, the folders of
    editable installs, may also be folders of modules. The repository is left out, except for virtual environments in
    it that are in `installations`.
    """
    kept: list[Path] = []
    allowed = [folder for folder in _normal(installations) if _is_installation(folder, root)]
    allowed += [folder for folder in _normal(sources) if _is_source(folder, root)]
    for folder in sorted(allowed):
        if not _is_below(folder, [*kept, _ALWAYS_VISIBLE]):
            kept.append(folder)
    return tuple(map(str, kept))


def folders_of_pth_files(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the folders that the .pth files in `folders` add to the import path, such as those of editable installs.

    The interpreter leaves out folders that do not exist in the sandbox yet. Lines of code are not run here.
    """
    for file in (file for folder in folders for file in sorted(folder.glob("*.pth"))):
        try:
            lines = read_file(file, MB).decode(errors="surrogateescape").splitlines()
        except OSError:
            continue
        for line in map(str.strip, lines):
            if line and not line.startswith(("#", "import ", "import\t")) and "\0" not in line:
                yield file.parent / line


def is_visible(folder: Path, visible: Iterable[str]) -> bool:
    """True if a folder is in the sandbox when `visible` are mounted, and no link leads out of them."""
    mounted = [*map(Path, visible), _ALWAYS_VISIBLE]
    return _is_below(Path(os.path.normpath(folder)), mounted) and _is_below(_real(folder), map(_real, mounted))


def _normal(folders: Iterable[Path]) -> set[Path]:
    return {Path(os.path.normpath(folder)) for folder in folders if folder.is_absolute()}


def _is_installation(folder: Path, root: Path) -> bool:
    """True if a folder is part of Python, and of the repository only if it is part of a virtual environment there."""
    for path, top in ((folder, root), (_real(folder), _real(root))):
        inside = [parent for parent in (path, *path.parents) if top in parent.parents]
        if path == top or (inside and not any(map(_is_environment, inside))):
            return False
    return may_be_seen(folder, root) and _is_part_of_python(_real(folder))


def _is_source(folder: Path, root: Path) -> bool:
    real = _real(folder)
    if _is_below(folder, [root]) or _is_below(real, [_real(root)]) or not may_be_seen(folder, root):
        return False
    return _is_part_of_python(real) or _is_module_folder(real)


def may_be_seen(folder: Path, root: Path) -> bool:
    """True if a folder exists and is neither above the repository nor a home folder or above one."""
    real, above = _real(folder), set(_real(root).parents)
    for home in _homes():
        above |= {home, *home.parents}
    return real not in above and os.access(real, os.R_OK | os.X_OK) and real.is_dir()


def _is_part_of_python(real: Path) -> bool:
    """True if a folder is, or lies in, an installation of Python or a virtual environment."""
    homes = _homes()
    for folder in (real, *real.parents):
        if folder in homes or folder in (Path("/"), Path("/home")) or folder.parent == Path("/home"):
            return False
        if _is_environment(folder) or any(any(folder.glob(pattern)) for pattern in _STANDARD_LIBRARY):
            return True
    return False


def _is_module_folder(real: Path) -> bool:
    """True if modules lie directly in a folder, as in the source folder of another project, installed as editable."""
    hidden = any(part.startswith(".") for part in real.parts)
    if hidden or len(real.parts) <= 2 or _is_below(real, _SYSTEM):
        return False
    return any(any(real.glob(pattern)) for pattern in ("*.py", "*/__init__.py"))


def _is_environment(folder: Path) -> bool:
    return os.access(folder / "pyvenv.cfg", os.R_OK)


def _homes_named_by(environment: Path) -> Iterator[Path]:
    """Yield the folder of the base interpreter, as `pyvenv.cfg` of a virtual environment names it."""
    try:
        text = read_file(environment / "pyvenv.cfg", MB).decode(errors="surrogateescape")
    except OSError:
        return
    for line in text.splitlines():
        key, _, value = line.partition("=")
        if key.strip().lower() == "home" and value.strip().startswith("/") and "\0" not in value:
            yield Path(value.strip())


def _link_targets(path: Path) -> list[Path]:
    """Return every hop of a chain of symbolic links; all of them must exist inside the sandbox."""
    hops: list[Path] = []
    while path.is_symlink() and len(hops) < _LINKS_FOLLOWED:
        path = path.parent / path.readlink()
        hops.append(path)
    return hops


def _homes() -> set[Path]:
    """Return the real home folders of the user and of the user who called sudo."""
    homes = {Path(os.environ.get("HOME", "/"))}
    for user in {str(os.getuid()), os.environ.get("SUDO_UID", "")}:
        try:
            homes.add(Path(pwd.getpwuid(int(user)).pw_dir))
        except (KeyError, ValueError):
            continue
    return {_real(home) for home in homes} - {Path("/")}


def _real(path: Path) -> Path:
    """Return a path without links; a circle of links is left as it is."""
    return Path(os.path.realpath(path))


def _is_below(folder: Path, others: Iterable[Path]) -> bool:
    return any(folder == other or other in folder.parents for other in others)
