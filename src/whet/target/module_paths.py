"""Find the file in the repository that a module of a running application comes from."""

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

_SOURCE_FOLDERS = ("", "src/", "lib/")


def path_of(module: str, file: str | None, root: Path, paths: Iterable[str]) -> str:
    """Return the path among `paths` that defines `module`; "" if there is none.

    `file` is the module's file in the application, which may run from another copy of the repository. So a file
    outside `root` is ignored, and the path is derived from the module's name.
    """
    tracked = set(paths)
    if file and Path(file).is_relative_to(root):
        relative = Path(file).relative_to(root).as_posix()
        if relative in tracked:
            return relative
    stem = PurePosixPath(*module.split("."))
    candidates = {f"{folder}{name}" for folder in _SOURCE_FOLDERS for name in (f"{stem}.py", f"{stem}/__init__.py")}
    return min(candidates & tracked, default="")
