"""Limits on the size of a change: files, lines, new files, deleted files; and only text files."""

from whet.domain.change import Change, ChangeStatus
from whet.guard.answer import Allow, GuardAnswer, Refuse
from whet.guard.change.submission import Submission


def empty_change(submission: Submission) -> GuardAnswer:
    return Allow() if submission.changes else Refuse("the change is empty", "empty_change")


def too_many_files(submission: Submission) -> GuardAnswer:
    return _at_most(submission.policy.guard.max_files, len(submission.changes), "file")


def too_many_lines(submission: Submission) -> GuardAnswer:
    lines = sum(change.added_lines + change.removed_lines for change in submission.changes if _is_counted(change))
    return _at_most(submission.policy.guard.max_lines, lines, "line")


def too_many_new_files(submission: Submission) -> GuardAnswer:
    return _at_most(submission.policy.guard.max_new_files, _count(submission, ChangeStatus.ADDED), "new_file")


def too_many_deleted_files(submission: Submission) -> GuardAnswer:
    count = _count(submission, ChangeStatus.DELETED)
    return _at_most(submission.policy.guard.max_deleted_files, count, "deleted_file")


def uncounted_lines(change: Change, _: Submission) -> GuardAnswer:
    """Refuse binary files, which an approver cannot read, and files whose changed lines were not counted."""
    if change.binary is not False:
        return Refuse(f"{change.path} is binary", "binary_file")
    if not _is_counted(change):
        return Refuse(f"the lines that change in {change.path} were not counted", "lines_unknown")
    return Allow()


def _is_counted(change: Change) -> bool:
    """True if the line counts are believable: a modified file with another blob has at least one changed line."""
    counts = (change.added_lines, change.removed_lines)
    if not all(isinstance(count, int) and count >= 0 for count in counts):
        return False
    return any(counts) or change.status != ChangeStatus.MODIFIED or change.old_blob == change.new_blob


def _count(submission: Submission, status: ChangeStatus) -> int:
    return sum(change.status == status for change in submission.changes)


def _at_most(limit: int, count: int, unit: str) -> GuardAnswer:
    if count <= limit:
        return Allow()
    noun = unit.replace("_", " ") + ("" if count == 1 else "s")
    return Refuse(f"the change has {count} {noun}; the policy allows {limit}", f"too_many_{unit}s")
