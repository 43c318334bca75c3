"""Added lines that want a reader."""

from whet.domain.change import Change, ChangeStatus
from whet.guard.answer import Allow, GuardAnswer, Raise
from whet.guard.change.categories import pattern_of_test
from whet.guard.change.submission import Submission
from whet.guard.content.added import added_lines
from whet.guard.content.suspicious import marks, marks_in_data

_SHOWN = 4


def needs_review(change: Change, submission: Submission) -> GuardAnswer:
    """What a change adds outside of tests: whether it reaches for anything beyond its own business."""
    path = change.path
    if change.status == ChangeStatus.DELETED or pattern_of_test(path, submission.policy) is not None:
        return Allow()
    texts = submission.texts.get(path)
    if texts is None:
        return Raise(f"{path} was not read", "content_unknown")
    old, new = texts
    try:
        added = added_lines(old, new)
        found = (
            marks(old, new, added, _beside(path, submission)) if _is_python(path) else marks_in_data(path, new, added)
        )
    except (SyntaxError, ValueError, RecursionError):
        return Raise(f"{path} cannot be read as Python", "content_unknown")
    if not found:
        return Allow()
    said = [f"{mark.what} ({mark.name}, line {mark.line})" for mark in found[:_SHOWN]]
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return Raise(f"{path} {', '.join(said)}{more}", "needs_review")


def _beside(path: str, submission: Submission) -> list[tuple[str, str]]:
    """The other Python files of the same change; what tests do says nothing about the rest."""
    return [
        texts
        for other, texts in submission.texts.items()
        if other != path and _is_python(other) and pattern_of_test(other, submission.policy) is None
    ]


def _is_python(path: str) -> bool:
    return path.casefold().endswith((".py", ".pyi", ".pyw"))
