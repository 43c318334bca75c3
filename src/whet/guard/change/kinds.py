"""The kind of a change, from what it changes. A proposal states its kind before there is a patch; the patch must fit."""

import ast
from collections.abc import Collection, Iterable

from whet.config import FormulasPolicy, TargetPolicy
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
    policy = submission.policy
    for change in submission.changes:
        if change.path in submission.trusted_new_tests:
            continue
        formulas = formulas_in(change.path, policy.formulas)
        actual = kind_of(change.path, *submission.texts.get(change.path, ("", "")), policy.target, formulas)
        if actual not in _COVERS[stated]:
            return Raise(f"{change.path} is a {actual}, and the proposal is a {stated}", "kind_does_not_fit")
    return Allow()


def formulas_in(path: str, policy: FormulasPolicy) -> frozenset[str]:
    """Return the functions of a file that are declared as formulas."""
    module = f"/{path.removesuffix('.py').removesuffix('/__init__')}"
    declared = policy.declared.values()
    return frozenset(
        formula.name for formula in declared if module.endswith(f"/{formula.module.replace('.', '/')}")
    )  # fmt: skip


def kind_of(path: str, before: str, after: str, layers: TargetPolicy, formulas: Collection[str] = ()) -> ProposalKind:
    """Return the kind of the change of one file, whose functions `formulas` are declared formulas.

    Whatever cannot be told is a change of behaviour.
    """
    if patterns(layers.constants).names(path):
        return _kind_of_constants(path, before, after, formulas)
    if formulas and _changes_only_formulas(before, after, formulas):
        return ProposalKind.FORMULA_CHANGE
    if patterns(layers.protocol).names(path):
        return ProposalKind.PROTOCOL_UPDATE
    if patterns(layers.skill).names(path):
        return ProposalKind.SKILL_IMPROVE
    return ProposalKind.BEHAVIOR_FIX


def _kind_of_constants(path: str, before: str, after: str, formulas: Collection[str]) -> ProposalKind:
    """Tell new values from new formulas. A file of constants that gains or loses a statement changes behaviour."""
    changed = _changed_statements(before, after) if path.endswith(PYTHON) else None
    if changed is None:
        return ProposalKind.BEHAVIOR_FIX
    functions = [pair for pair in changed if _same_formula(*pair, formulas)]
    if not all(_same_name(left, right) for left, right in changed if (left, right) not in functions):
        return ProposalKind.BEHAVIOR_FIX
    same_shape = not functions and all(_shape(left) == _shape(right) for left, right in changed)
    return ProposalKind.CONSTANT_TUNE if same_shape else ProposalKind.FORMULA_CHANGE


def _changes_only_formulas(before: str, after: str, formulas: Collection[str]) -> bool:
    """True if the bodies of declared formulas are all that changed in the file."""
    changed = _changed_statements(before, after)
    return bool(changed) and all(_same_formula(left, right, formulas) for left, right in changed or ())


def _changed_statements(before: str, after: str) -> list[tuple[ast.stmt, ast.stmt]] | None:
    """Return the statements at the top of a file that differ; None if their number does, or if the file cannot be read."""
    old, new = _statements(before), _statements(after)
    if old is None or new is None or len(old) != len(new):
        return None
    return [(left, right) for left, right in zip(old, new, strict=True) if ast.dump(left) != ast.dump(right)]


def _same_formula(left: ast.stmt, right: ast.stmt, formulas: Collection[str]) -> bool:
    """True if both statements define the same declared formula with the same arguments and decorators."""
    return (
        isinstance(left, ast.FunctionDef)
        and isinstance(right, ast.FunctionDef)
        and left.name == right.name
        and left.name in formulas
        and ast.dump(left.args) == ast.dump(right.args)
        and list(map(ast.dump, left.decorator_list)) == list(map(ast.dump, right.decorator_list))
    )


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
