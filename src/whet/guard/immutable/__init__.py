"""Sections of settings files that no change may touch, compared by what they say and not by how they are written."""

from whet.domain.change import Change, ChangeStatus
from whet.guard.answer import Allow, GuardAnswer, Refuse
from whet.guard.change.submission import Submission
from whet.guard.immutable.documents import Unreadable, documents
from whet.guard.immutable.sections import Value, select
from whet.guard.paths.patterns import patterns

_CHANGED, _UNKNOWN = "immutable_section", "immutable_unknown"


def immutable(change: Change, submission: Submission) -> GuardAnswer:
    """What cannot be compared is refused: a file that comes or goes, one that cannot be read, a section that is not there."""
    listed = submission.policy.guard.immutable
    sections = [
        section for pattern, some in listed.items() if patterns((pattern,)).catches(change.path) for section in some
    ]
    if not sections:
        return Allow()
    if change.status != ChangeStatus.MODIFIED:
        return Refuse(f"{change.path} has immutable sections: it may not come or go", _UNKNOWN)
    texts = submission.texts.get(change.path)
    if texts is None:
        return Refuse(f"{change.path} has immutable sections and was not read", _UNKNOWN)
    try:
        before, after = (documents(change.path, text) for text in texts)
    except Unreadable as problem:
        return Refuse(f"{change.path} has immutable sections and cannot be compared: {problem}", _UNKNOWN)
    return next((no for section in sections if (no := _section(change.path, section, before, after))), Allow())


def _section(path: str, section: str, before: list[Value], after: list[Value]) -> Refuse | None:
    keys = section.split(".")
    old, new = select(before, keys), select(after, keys)
    if not old:
        return Refuse(f"{path} has no section {section!r} now, so it cannot be kept as it is", _UNKNOWN)
    return None if old == new else Refuse(f"{path} changes its immutable section {section!r}", _CHANGED)
