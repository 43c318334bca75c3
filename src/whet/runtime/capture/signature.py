"""Compute the signature of a failure, by which repeated failures are grouped.

It is made of the error's type and the functions of the tool's own project on the stack. Line numbers and messages are
left out and a function that occurs repeatedly is named once, so that an edited file, another argument or a deeper
recursion gives the same signature.
"""

from __future__ import annotations

import os
from hashlib import sha256
from sysconfig import get_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whet.runtime.capture.failure import Frame

_FOREIGN = tuple({get_paths()[key] + os.sep for key in ("stdlib", "platstdlib", "purelib", "platlib")})


def project_of(file: str | None) -> str:
    """Return the folder of the project that a file belongs to.

    That is the nearest folder with a `whet.toml`, `.git` or `pyproject.toml`, else the folder of the outermost package.
    """
    if file is None:
        return ""
    folder = package = os.path.dirname(os.path.abspath(file))
    while os.path.isfile(os.path.join(package, "__init__.py")):
        package = os.path.dirname(package)
    above = folder
    while above != os.path.dirname(above):
        if any(os.path.exists(os.path.join(above, name)) for name in ("whet.toml", ".git", "pyproject.toml")):
            return above
        above = os.path.dirname(above)
    return package


def own_frames(frames: list[Frame], project: str) -> list[Frame]:
    """Return the frames inside the project, with paths relative to it."""
    inside = project + os.sep
    return [
        (os.path.relpath(file, project).replace(os.sep, "/"), function, line)
        for file, function, line in frames
        if project and file.startswith(inside) and not file.startswith(_FOREIGN) and "/site-packages/" not in file
    ]


def signature(error: str, frames: list[Frame]) -> str:
    """Return 16 hex digits that stand for the error's type and the functions in these frames."""
    places = dict.fromkeys(f"{file}:{function}" for file, function, _ in frames)
    return sha256("\n".join([error, *places]).encode("utf-8", "backslashreplace")).hexdigest()[:16]
