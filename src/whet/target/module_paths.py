"""Find the file in the repository that a module of a running application comes from."""

from collections.abc import Iterable
from pathlib import Path, PurePosixPath


def path_of(module: str, file: str | None, root: Path, paths: Iterable[str]) -> str:
    """Where a module lies in the repository; empty where it does not. An application may run from another copy of it."""
    have = set(paths)
    if file and Path(file).is_relative_to(root):
        inside = Path(file).relative_to(root).as_posix()
        if inside in have:
            return inside
    stem = PurePosixPath(*module.split("."))
    wanted = {f"{prefix}{name}" for prefix in ("", "src/", "lib/") for name in (f"{stem}.py", f"{stem}/__init__.py")}
    return min(wanted & have, default="")
