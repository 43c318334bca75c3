"""The rule that sends suspicious added lines to a person."""

from whet.domain.change import Change, ChangeStatus
from whet.domain.plural import shorten
from whet.guard.answer import Allow, GuardAnswer, Raise
from whet.guard.change.categories import pattern_of_test
from whet.guard.change.submission import Submission
from whet.guard.content.added import added_lines
from whet.guard.content.passage import PYTHON
from whet.guard.content.suspicious import flags_in_data, flags_on_lines

_MOST_SHOWN = 4


def needs_review(change: Change, submission: Submission) -> GuardAnswer:
    """Raise the tier of a change outside of tests that adds suspicious constructs or cannot be read."""
    path = change.path
    if change.status == ChangeStatus.DELETED or pattern_of_test(path, submission.policy) is not None:
        return Allow()
    texts = submission.texts.get(path)
    if texts is None:
        return Raise(f"{path} was not read", "content_unknown")
    old, new = texts
    try:
        added = added_lines(old, new)
        if _is_python(path):
            flags = flags_on_lines(old, new, added, _other_python_files(path, submission))
        else:
            flags = flags_in_data(path, new, added)
    except (SyntaxError, ValueError, RecursionError):
        return Raise(f"{path} cannot be read as Python", "content_unknown")
    if not flags:
        return Allow()
    return Raise(f"{path} {shorten([flag.sentence for flag in flags], _MOST_SHOWN)}", "needs_review")


def _other_python_files(path: str, submission: Submission) -> list[tuple[str, str]]:
    """Return the texts of the other Python files of the change.

    Tests are left out: code that moves from a test into the program counts as new.
    """
    return [
        texts
        for other, texts in submission.texts.items()
        if other != path and _is_python(other) and pattern_of_test(other, submission.policy) is None
    ]


def _is_python(path: str) -> bool:
    return path.casefold().endswith(PYTHON)
