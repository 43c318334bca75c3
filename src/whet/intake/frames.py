"""Read the frames of Python stack traces, and tell the project's own frames from those of libraries."""

import re
from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

from whet.domain.reported_event import Frame

MOST_FRAMES = 50
_LONGEST_TRACE = 64_000
_PYTHON = re.compile(r'^[ \t]*File "([^"\n]{1,500})", line (\d{1,7})(?:, in ([^\n]{1,200}))?', re.MULTILINE)
_PYTEST = re.compile(r"^([\w./-]{1,300}\.py):(\d{1,7}):(?: in ([\w.<>]{1,200})|[ \t]*[\w.]*$|[ \t])", re.MULTILINE)
_FOREIGN = re.compile(r"(?:^|/)(?:site-packages|dist-packages|lib/python\d[\w.]*)/|^<")


def frames_in(trace: str) -> tuple[Frame, ...]:
    """Return the frames of a Python traceback, or of a pytest failure, outermost first. Of a chain of exceptions the last
    one counts."""
    last = trace[-_LONGEST_TRACE:].replace("\\", "/").rpartition("Traceback (most recent call last)")[2]
    matches = list(_PYTHON.finditer(last)) or list(_PYTEST.finditer(last))
    return tuple((match[1], (match[3] or "").strip(), int(match[2])) for match in matches[-MOST_FRAMES:])


def is_in_app(file: str) -> bool:
    """True if a frame's file is not of a library, the interpreter or generated code."""
    return not _FOREIGN.search(file.replace("\\", "/"))


def repository_path(file: str, paths: Collection[str]) -> str:
    """Return the path in the repository that a frame's file ends with; '' if there is none.

    The code may have run elsewhere, as in `/app/shop/cart.py`, so the longest matching end counts.
    """
    parts = PurePosixPath(file.replace("\\", "/")).parts
    ends = ("/".join(parts[start:]) for start in range(len(parts)))
    return next((end for end in ends if end in paths), "") if is_in_app(file) else ""


def innermost(frames: Iterable[Frame], paths: Collection[str]) -> Frame | None:
    """Return the innermost frame that is in the repository, with its path there."""
    own = [(path, function, line) for file, function, line in frames if (path := repository_path(file, paths))]
    return own[-1] if own else None
