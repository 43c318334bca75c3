"""How much one change may do: files, lines, new files, deleted files; and only text."""

from whet.domain.change import Change, ChangeStatus
from whet.guard.answer import Allow, GuardAnswer, Refuse
from whet.guard.change.submission import Submission


def empty(submission: Submission) -> GuardAnswer:
    return Allow() if submission.changes else Refuse("the change is empty", "empty_change")


def files(submission: Submission) -> GuardAnswer:
    return _most(len(submission.changes), submission.policy.guard.max_files, "file")


def lines(submission: Submission) -> GuardAnswer:
    touched = sum(change.added_lines + change.removed_lines for change in submission.changes if _counted(change))
    return _most(touched, submission.policy.guard.max_lines, "line")


def new_files(submission: Submission) -> GuardAnswer:
    return _most(_how_many(submission, ChangeStatus.ADDED), submission.policy.guard.max_new_files, "new_file")


def deleted_files(submission: Submission) -> GuardAnswer:
    count = _how_many(submission, ChangeStatus.DELETED)
    return _most(count, submission.policy.guard.max_deleted_files, "deleted_file")


def text(change: Change, _: Submission) -> GuardAnswer:
    """A binary file cannot be read by who approves it; an uncounted one would slip under the limit."""
    if change.binary is not False:
        return Refuse(f"{change.path} is binary", "binary_file")
    if not _counted(change):
        return Refuse(f"the lines that change in {change.path} were not counted", "lines_unknown")
    return Allow()


def _counted(change: Change) -> bool:
    counts = (change.added_lines, change.removed_lines)
    if not all(isinstance(count, int) and count >= 0 for count in counts):
        return False
    return any(counts) or change.status != ChangeStatus.MODIFIED or change.old_blob == change.new_blob


def _how_many(submission: Submission, status: ChangeStatus) -> int:
    return sum(change.status == status for change in submission.changes)


def _most(count: int, limit: int, what: str) -> GuardAnswer:
    if count <= limit:
        return Allow()
    return Refuse(f"the change has {count} {what.replace('_', ' ')}s; the policy allows {limit}", f"too_many_{what}s")
