"""What makes two failures the same: the error's type and the functions of the tool's own project that it went through.

Line numbers and messages are left out, and a function that the stack goes through again and again is named once, so an
edited file, another argument or a deeper recursion does not make a new failure of an old one.
"""

from __future__ import annotations

import os
from hashlib import sha256
from sysconfig import get_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whet.runtime.record.failure import Frame

_FOREIGN = tuple({get_paths()[key] + os.sep for key in ("stdlib", "platstdlib", "purelib", "platlib")})


def project_of(file: str | None) -> str:
    """The folder of the project that a file belongs to: the nearest with a policy or a version control, else that of the
    outermost package, else its own."""
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
    """The frames inside the project, their files relative to it."""
    inside = project + os.sep
    return [
        (os.path.relpath(file, project).replace(os.sep, "/"), function, line)
        for file, function, line in frames
        if project and file.startswith(inside) and not file.startswith(_FOREIGN) and "/site-packages/" not in file
    ]


def signature(error: str, frames: list[Frame]) -> str:
    places = dict.fromkeys(f"{file}:{function}" for file, function, _ in frames)
    return sha256("\n".join([error, *places]).encode("utf-8", "backslashreplace")).hexdigest()[:16]
