"""The place that a path in a call leads to, and the function that finds it."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class FilePlace:
    """One reading of a path in a call.

    `path` is absolute. `inside` is the path below the top folder of the repository that holds it; None outside of all
    repositories. `record` and `keeps` name a use by whet that the path alone does not show: a part of whet's record, or
    a file that keeps the guard in force.
    """

    path: str
    inside: str | None = None
    record: bool = False
    keeps: str = ""


# Returns every place that a path may mean: as it is written, and with its links followed.
Resolve = Callable[[str], tuple[FilePlace, ...]]
