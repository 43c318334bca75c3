"""Added lines that want a reader, and doctests that a change may not edit."""

import ast
import doctest
from collections import Counter
from difflib import SequenceMatcher

from whet.domain.change import Change, ChangeStatus
from whet.guard.answer import Allow, Answer, Raise
from whet.guard.categories import pattern_of_test
from whet.guard.submission import Submission
from whet.guard.suspicious import marks

_SHOWN = 4


def wants_a_reader(change: Change, submission: Submission) -> Answer:
    """Python that a change adds outside of tests: what it reaches for beyond its own business."""
    path = change.path
    if not _is_code(change, submission):
        return Allow()
    texts = submission.texts.get(path)
    if texts is None:
        return Raise(f"{path} was not read", "content_unknown")
    old, new = texts
    try:
        found = marks(new, added_lines(old, new))
    except (SyntaxError, ValueError, RecursionError):
        return Raise(f"{path} cannot be read as Python", "content_unknown")
    if not found:
        return Allow()
    said = [f"{mark.what} ({mark.name}, line {mark.line})" for mark in found[:_SHOWN]]
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return Raise(f"{path} {', '.join(said)}{more}", "wants_a_reader")


def doctests(change: Change, submission: Submission) -> Answer:
    """An example in a docstring is a test; one that vanishes or says something else judges nothing any more."""
    texts = submission.texts.get(change.path)
    if texts is None or not _is_code(change, submission):
        return Allow()
    lost = _examples(texts[0]) - _examples(texts[1])
    if not lost:
        return Allow()
    source, _ = next(iter(lost))
    return Raise(f"{change.path} alters or drops the doctest `{source.strip()}`", "doctest_touched")


def added_lines(old: str, new: str) -> frozenset[int]:
    """The numbers of the lines in `new` that `old` does not have in that place."""
    before, after = old.splitlines(), new.splitlines()
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


def _is_code(change: Change, submission: Submission) -> bool:
    if change.status == ChangeStatus.DELETED or not change.path.casefold().endswith((".py", ".pyi", ".pyw")):
        return False
    return pattern_of_test(change.path, submission.policy) is None


def _examples(text: str) -> "Counter[tuple[str, str]]":
    if ">>>" not in text:
        return Counter()
    try:
        tree = ast.parse(text)
        texts = [node.value.value for node in ast.walk(tree) if _is_text(node)]  # type: ignore[attr-defined]
        return Counter(
            (found.source, found.want) for one in texts for found in doctest.DocTestParser().get_examples(one)
        )
    except (SyntaxError, ValueError, RecursionError):
        return Counter()


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
