"""Reading a file that somebody else may have put there."""

import errno
import os
import stat
from pathlib import Path

MB = 1024 * 1024


def read_file(path: Path, most_bytes: int) -> bytes:
    """What a regular file of at most so many bytes holds. A pipe or a device is not waited for: it is an OSError, as
    is a file that is too large."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {most_bytes // MB} MB")
    return content
