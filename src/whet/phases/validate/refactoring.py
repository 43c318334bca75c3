"""A refactoring: a change of function bodies after which everything answers as before."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace

from whet.domain.proved_claim import ProvedClaim
from whet.domain.verdict import CheckResult, SafeguardResult, Verdict
from whet.phases.validate.integrity.neighbours.changed_functions import MOST_FUNCTIONS, changed_functions
from whet.phases.validate.integrity.safeguards.varied_inputs import NAME as VARIED_INPUTS
from whet.phases.validate.integrity.safeguards.varied_inputs import held_everywhere
from whet.phases.validate.own_lane import WITHOUT_CODE
from whet.pyast.functions import Function, docstrings

_ORDINARY = {"0", "1", "True", "False", "None", "''", "b''"}
Texts = Mapping[str, tuple[str, str]]


def judge_refactoring(result: CheckResult, texts: Texts, own_red: Sequence[str]) -> CheckResult:
    """Return the result for a change that is said to be a refactoring. `texts` are the old and new texts of the changed files
    that are no tests, `own_red` tests of the change that are red without it."""
    if result.verdict is not Verdict.PASSED:
        return result
    why_not = next(_why_not(result, texts, own_red), "")
    if why_not:
        reason = f"said to be a refactoring, which is not shown: {why_not}; {result.reason}"
        return replace(result, verdict=Verdict.INCONCLUSIVE, reason=reason)
    return replace(result, claim=ProvedClaim.REFACTORING)


def _why_not(result: CheckResult, texts: Texts, own_red: Sequence[str]) -> Iterator[str]:
    if result.red or own_red:
        yield f"{(*result.red, *own_red)[0]} is red without the change and green with it"
    if not result.held:
        yield "no test ran"
    yield from beyond_bodies(texts)
    yield from _new_literals(texts)
    changed = changed_functions({path: both for path, both in texts.items() if path.endswith(".py")})
    if len(changed) >= MOST_FUNCTIONS:
        yield f"{MOST_FUNCTIONS} or more functions change, and not all of them are asked with other inputs"
    answers = [answer for answer in result.safeguards if answer.name == VARIED_INPUTS]
    if not answers:
        yield "the changed functions were not asked with other inputs"
    yield from (_doubt(answer) for answer in answers if not held_everywhere(answer))


def _doubt(answer: SafeguardResult) -> str:
    return "; ".join([answer.words, *answer.notes])


def _new_literals(texts: Texts) -> Iterator[str]:
    """Yield literals that only the new text has: a number that bounds something shows beyond the inputs that are asked."""
    for path, (old, new) in texts.items():
        if path.endswith(".py") and (added := sorted(_literals(new) - _literals(old) - _ORDINARY)):
            yield f"{path} has the new literal {added[0]}, which may matter for inputs that were not asked"


def _literals(text: str) -> set[str]:
    tree = ast.parse(text)
    texts_alone = {id(node) for node in docstrings(tree)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in texts_alone)
    return {repr(node.value) for node in constants}


def beyond_bodies(texts: Texts) -> Iterator[str]:
    """Yield why a change may alter more than function bodies: signatures, module-level code, files that are not Python."""
    for path, (old, new) in texts.items():
        if path.endswith(WITHOUT_CODE):
            continue
        if not path.endswith(".py"):
            yield f"{path} is not Python"
            continue
        try:
            before, after = ast.parse(old), ast.parse(new)
        except (SyntaxError, ValueError, RecursionError):
            yield f"{path} cannot be read"
            continue
        if words := _difference(_outline(before), _outline(after)):
            yield f"{path}: {words}"


def _outline(tree: ast.Module) -> dict[str, str]:
    """Return the parts of a module that are no function bodies, each by a name that people know."""
    return dict(_parts(tree, ""))


def _parts(node: ast.Module | ast.ClassDef, prefix: str) -> Iterator[tuple[str, str]]:
    others: list[str] = []
    for child in node.body:
        if isinstance(child, ast.ClassDef):
            head = ast.ClassDef(**{**dict(ast.iter_fields(child)), "body": [ast.Pass()]})
            yield f"`{prefix}{child.name}`", ast.dump(head)
            yield from _parts(child, f"{prefix}{child.name}.")
        elif isinstance(child, Function):
            head_of_function = deepcopy(child)
            head_of_function.body = [ast.Pass()]
            yield f"`{prefix}{child.name}`", ast.dump(head_of_function)
        elif not isinstance(child, ast.Import | ast.ImportFrom) and not _is_text(child):
            others.append(ast.dump(child))
    yield f"the statements of `{prefix[:-1]}`" if prefix else "the statements of the module", "\n".join(others)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _difference(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """Return the first part that is gone or differs; parts that are new are called by changed functions, or by nobody."""
    for name, text in before.items():
        if name not in after:
            return f"{name} is gone"
        if after[name] != text:
            return f"{name} changed, not only function bodies"
    return ""
