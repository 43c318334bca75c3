"""Paths that a file system or a person takes for the same path."""

from collections import Counter

from whet.domain.change import ChangeStatus
from whet.guard.answer import Allow, GuardAnswer, Refuse
from whet.guard.change.submission import Submission
from whet.guard.paths.names import safe_name
from whet.guard.paths.patterns import fold

_CODE = "path_collision"


def duplicate_path(submission: Submission) -> GuardAnswer:
    """Refuse a path that is listed twice, and two remaining paths that differ in their spelling only.

    A file that gets another spelling is one deletion and one addition, and is allowed.
    """
    changes = [change for change in submission.changes if isinstance(safe_name(change.path), Allow)]
    listed = Counter(change.path for change in changes)
    remaining = Counter(fold(change.path) for change in changes if change.status != ChangeStatus.DELETED)
    for path, count in (*listed.items(), *remaining.items()):
        if count > 1:
            return Refuse(f"{path} occurs {count} times, in one spelling or several", _CODE)
    return Allow()


def near_duplicate(submission: Submission) -> GuardAnswer:
    """Refuse a new file that differs from an existing file or folder in case or look only."""
    added = [change.path for change in submission.changes if change.status == ChangeStatus.ADDED]
    added = [path for path in added if isinstance(safe_name(path), Allow)]
    if not added:
        return Allow()
    deleted = {change.path for change in submission.changes if change.status == ChangeStatus.DELETED}
    existing = {fold(place): place for path in submission.context.paths - deleted for place in _path_and_folders(path)}
    for path in added:
        for place in _path_and_folders(path):
            similar = existing.get(fold(place), place)
            if similar != place:
                return Refuse(f"{path} looks like {similar}, which exists already", _CODE)
    return Allow()


def _path_and_folders(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
