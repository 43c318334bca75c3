"""Two paths that some file system or some reader holds as one."""

from collections import Counter

from whet.domain.change import ChangeStatus
from whet.guard.answer import Allow, GuardAnswer, Refuse
from whet.guard.change.submission import Submission
from whet.guard.paths.names import name
from whet.guard.paths.patterns import fold

_CODE = "path_collision"


def collision(submission: Submission) -> GuardAnswer:
    """A new spelling of a name is a deletion and an addition, and passes; the same path twice does not."""
    readable = [change for change in submission.changes if isinstance(name(change.path), Allow)]
    listed = Counter(change.path for change in readable)
    left = Counter(fold(change.path) for change in readable if change.status != ChangeStatus.DELETED)
    for path, count in (*listed.items(), *left.items()):
        if count > 1:
            return Refuse(f"{path} is there {count} times, in one spelling or several", _CODE)
    return Allow()


def twin(submission: Submission) -> GuardAnswer:
    """A new file may not differ from one that is there, nor its folder from another, in case or in look alone."""
    added = [change.path for change in submission.changes if change.status == ChangeStatus.ADDED]
    added = [path for path in added if isinstance(name(path), Allow)]
    if not added:
        return Allow()
    gone = {change.path for change in submission.changes if change.status == ChangeStatus.DELETED}
    there = {fold(place): place for path in submission.around.paths - gone for place in _places(path)}
    for path in added:
        for place in _places(path):
            if there.get(fold(place), place) != place:
                return Refuse(f"{path} is too much like {there[fold(place)]}, which is there already", _CODE)
    return Allow()


def _places(path: str) -> list[str]:
    """A path and the folders above it."""
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
