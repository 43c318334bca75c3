from dataclasses import dataclass
from enum import StrEnum


class ChangeStatus(StrEnum):
    ADDED = "added"
    MODIFIED = "modified"
    DELETED = "deleted"
    TYPE_CHANGED = "type_changed"


@dataclass(frozen=True, kw_only=True)
class Change:
    """What happens to one path between two trees, as git itself tells it.

    Renames are not guessed: one is a deletion and an addition, so that both paths meet the guard.
    Modes are git's (`100644`, `100755`, `120000` symlink, `160000` submodule), `000000` where there is no file.
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
