"""Two paths of one change that some file system holds as one."""

from collections import Counter

from whet.domain.change import ChangeStatus
from whet.guard.answer import Allow, Answer, Refuse
from whet.guard.names import name
from whet.guard.patterns import fold
from whet.guard.submission import Submission


def collision(submission: Submission) -> Answer:
    """A new spelling of a name is a deletion and an addition, and passes; the same path twice does not."""
    readable = [change for change in submission.changes if isinstance(name(change.path), Allow)]
    listed = Counter(change.path for change in readable)
    left = Counter(fold(change.path) for change in readable if change.status != ChangeStatus.DELETED)
    for path, count in (*listed.items(), *left.items()):
        if count > 1:
            return Refuse(f"{path} is there {count} times, in one spelling or several", "path_collision")
    return Allow()
