"""Added lines that want a reader."""

from difflib import SequenceMatcher

from whet.domain.change import Change, ChangeStatus
from whet.guard.answer import Allow, Answer, Raise
from whet.guard.categories import pattern_of_test
from whet.guard.submission import Submission
from whet.guard.suspicious import lines_of, marks, marks_in_data

_SHOWN = 4


def wants_a_reader(change: Change, submission: Submission) -> Answer:
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
        found = marks(old, new, added) if _is_python(path) else marks_in_data(path, new, added)
    except (SyntaxError, ValueError, RecursionError):
        return Raise(f"{path} cannot be read as Python", "content_unknown")
    if not found:
        return Allow()
    said = [f"{mark.what} ({mark.name}, line {mark.line})" for mark in found[:_SHOWN]]
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return Raise(f"{path} {', '.join(said)}{more}", "wants_a_reader")


def added_lines(old: str, new: str) -> frozenset[int]:
    """The numbers of the lines in `new` that `old` does not have in that place."""
    before, after = lines_of(old), lines_of(new)
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    tail = 0
    while tail < min(len(before), len(after)) - same and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    matcher = SequenceMatcher(None, before[same : len(before) - tail], after[same : len(after) - tail], autojunk=False)
    return frozenset(
        same + number + 1
        for operation, _, _, first, last in matcher.get_opcodes()
        if operation in ("insert", "replace")
        for number in range(first, last)
    )


def _is_python(path: str) -> bool:
    return path.casefold().endswith((".py", ".pyi", ".pyw"))
