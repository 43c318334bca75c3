"""The change of one path between two git trees."""

from dataclasses import dataclass
from enum import StrEnum


class ChangeStatus(StrEnum):
    ADDED = "added"
    MODIFIED = "modified"
    DELETED = "deleted"
    TYPE_CHANGED = "type_changed"


@dataclass(frozen=True, kw_only=True)
class Change:
    """The change of one path between two trees, as git reports it.

    Rename detection is off: a rename is a deletion and an addition, so the guard judges both paths.
    Modes are git's (`100644`, `100755`, `120000` symlink, `160000` submodule); `000000` means no file on that side.
    """

    path: str
    status: ChangeStatus
    old_mode: str
    new_mode: str
    old_blob: str
    new_blob: str
    added_lines: int
    removed_lines: int
    binary: bool = False
