"""Sections of settings files that no change may touch, compared by their values and not by their text."""

from whet.domain.change import Change, ChangeStatus
from whet.guard.answer import Allow, GuardAnswer, Refuse
from whet.guard.change.submission import Submission
from whet.guard.immutable.documents import Unreadable, documents
from whet.guard.immutable.sections import select
from whet.guard.paths.patterns import patterns

_CHANGED, _UNKNOWN = "immutable_section", "immutable_unknown"


def immutable_section(change: Change, submission: Submission) -> GuardAnswer:
    """Refuse a change of an immutable section, and everything that cannot be compared.

    Not comparable are a new or deleted file, a file that cannot be parsed, and a section that the file does not have.
    """
    sections = [
        section
        for pattern, sections_of_pattern in submission.policy.guard.immutable.items()
        if patterns((pattern,)).catches(change.path)
        for section in sections_of_pattern
    ]
    if not sections:
        return Allow()
    if change.status != ChangeStatus.MODIFIED:
        return Refuse(f"{change.path} has immutable sections: it may not be added or deleted", _UNKNOWN)
    texts = submission.texts.get(change.path)
    if texts is None:
        return Refuse(f"{change.path} has immutable sections and was not read", _UNKNOWN)
    try:
        before, after = (documents(change.path, text) for text in texts)
    except Unreadable as problem:
        return Refuse(f"{change.path} has immutable sections and cannot be compared: {problem}", _UNKNOWN)
    for section in sections:
        keys = section.split(".")
        old, new = select(before, keys), select(after, keys)
        if not old:
            return Refuse(f"{change.path} has no section {section!r}, so nothing can be compared", _UNKNOWN)
        if old != new:
            return Refuse(f"{change.path} changes its immutable section {section!r}", _CHANGED)
    return Allow()
