"""The kind of a change, from what it changes. A proposal states its kind before there is a patch; the patch must fit."""

import ast
from collections.abc import Iterable

from whet.config import TargetPolicy
from whet.domain.proposal import ProposalKind
from whet.guard.answer import Allow, GuardAnswer, Raise
from whet.guard.change.submission import Submission
from whet.guard.content.passage import PYTHON
from whet.guard.paths.patterns import patterns

# A kind also covers changes of the kinds behind it.
_COVERS = {
    ProposalKind.CONSTANT_TUNE: {ProposalKind.CONSTANT_TUNE},
    ProposalKind.FORMULA_CHANGE: {ProposalKind.CONSTANT_TUNE, ProposalKind.FORMULA_CHANGE},
    ProposalKind.PROTOCOL_UPDATE: {ProposalKind.PROTOCOL_UPDATE},
    ProposalKind.SKILL_IMPROVE: {ProposalKind.SKILL_IMPROVE},
    ProposalKind.BEHAVIOR_FIX: set(ProposalKind),
}


def kind_fits(submission: Submission) -> GuardAnswer:
    """Raise the tier of a change that is of another kind than its proposal says, because the policy may let kinds pass."""
    stated = submission.kind
    if stated is None:
        return Allow()
    for change in submission.changes:
        if change.path in submission.trusted_new_tests:
            continue
        actual = kind_of(change.path, *submission.texts.get(change.path, ("", "")), submission.policy.target)
        if actual not in _COVERS[stated]:
            return Raise(f"{change.path} is a {actual}, and the proposal is a {stated}", "kind_does_not_fit")
    return Allow()


def kind_of(path: str, before: str, after: str, layers: TargetPolicy) -> ProposalKind:
    """Return the kind of the change of one file. Whatever cannot be told is a change of behaviour."""
    if patterns(layers.constants).names(path):
        return _kind_of_constants(path, before, after)
    if patterns(layers.protocol).names(path):
        return ProposalKind.PROTOCOL_UPDATE
    if patterns(layers.skill).names(path):
        return ProposalKind.SKILL_IMPROVE
    return ProposalKind.BEHAVIOR_FIX


def _kind_of_constants(path: str, before: str, after: str) -> ProposalKind:
    """Tell new values from new formulas. A file of constants that gains or loses a statement changes behaviour."""
    if not path.endswith(PYTHON):
        return ProposalKind.BEHAVIOR_FIX
    old, new = _statements(before), _statements(after)
    if old is None or new is None or len(old) != len(new):
        return ProposalKind.BEHAVIOR_FIX
    changed = [(left, right) for left, right in zip(old, new, strict=True) if ast.dump(left) != ast.dump(right)]
    if not all(_same_name(left, right) for left, right in changed):
        return ProposalKind.BEHAVIOR_FIX
    same_shape = all(_shape(left) == _shape(right) for left, right in changed)
    return ProposalKind.CONSTANT_TUNE if same_shape else ProposalKind.FORMULA_CHANGE


def _statements(text: str) -> list[ast.stmt] | None:
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError):
        return None


def _same_name(left: ast.stmt, right: ast.stmt) -> bool:
    """True if both statements assign to the same name at the top of the file."""
    return bool(_names(left)) and _names(left) == _names(right)


def _names(statement: ast.stmt) -> list[str]:
    targets: Iterable[ast.expr] = ()
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        targets = [statement.target]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return names if len(names) == len(list(targets)) else []


def _shape(statement: ast.stmt) -> str:
    """Return a statement with its numbers and texts left blank. True, False and None are part of the shape."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float, str):
            node.value = "" if isinstance(node.value, str) else 0
    return ast.dump(statement)
