"""Read files whose content or type whet does not control, and name the users they belong to."""

from __future__ import annotations

import errno
import os
import pwd
import stat

TYPE_CHECKING = False  # the hook of coding agents loads this module before every call
if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

MB = 1024 * 1024


def read_file(path: Path | str, most_bytes: int) -> bytes:
    """Return the content of a regular file of at most `most_bytes`. Raise OSError for a larger file, a pipe or a device."""
    with open_regular(path) as file:
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {most_bytes // MB} MB")
    return content


def open_regular(path: Path | str) -> BinaryIO:
    """Open a regular file for reading. Raise OSError for a pipe or a device.

    O_NONBLOCK keeps the open of a pipe without a writer from hanging.
    """
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "it is not a regular file")
    return file


def user_name(uid: int) -> str:
    """Return the name of a user of this machine; `uid N` if the number has no name, as in an unpacked archive."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"uid {uid}"
