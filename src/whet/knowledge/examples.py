"""Take the example of a pattern from a patch that passed its proof."""

from collections.abc import Iterable

from whet.cases.regression import failures_of
from whet.domain.change import ChangeStatus
from whet.domain.finding import Finding
from whet.domain.fix_example import FixExample
from whet.domain.patch import Patch
from whet.domain.proposal import Proposal
from whet.kit import Kit
from whet.knowledge.changed_code import changed_code
from whet.knowledge.generalise import generalise
from whet.knowledge.syntax import local_names

MOST_CHARACTERS = 2000
_MOST_FAILURE = 500


def example_of(proposal: Proposal, patch: Patch, kit: Kit) -> FixExample | None:
    """Return the example that a proposal's patch gives; None unless it changes one piece of code that has a rule."""
    changed = [change for change in patch.changes if change.path.endswith(".py") and not kit.is_test(change.path)]
    if len(changed) != 1 or changed[0].status is not ChangeStatus.MODIFIED:
        return None
    path = changed[0].path
    before, after = _text(kit.git.read(patch.base, path)), _text(kit.git.read(patch.tree, path))
    exception, failure = failure_of(proposal.diagnosis.finding)
    return example_from(
        before, after, path, exception=exception, failure=failure, proposal=proposal.id, engine=proposal.engine
    )


def example_from(
    before: str, after: str, path: str, *, exception: str = "", failure: str = "", proposal: str, engine: str
) -> FixExample | None:
    """Return the example that two versions of a file give; None if the change has no rule, or code too deep to compare."""
    try:
        code = changed_code(before, after)
    except RecursionError:
        return None
    if code is None or max(map(len, (code.before, code.after))) > MOST_CHARACTERS:
        return None
    names, function = local_names(before, code.line)
    new_names, _ = local_names(after, code.line)
    variables = tuple(sorted(name for name in names | new_names if name in code.before or name in code.after))
    if generalise(code.core_before, code.core_after, variables) is None:
        return None
    return FixExample(
        core_before=code.core_before,
        core_after=code.core_after,
        before=code.before,
        after=code.after,
        variables=variables,
        exception=exception,
        failure=failure,
        path=path,
        function=function,
        proposal=proposal,
        engine=engine,
    )


def failure_of(finding: Finding) -> tuple[str, str]:
    """Return the exception of a finding's first known failure, and its message."""
    failures: Iterable[tuple[str, str]] = (
        (failure.exception, failure.message[:_MOST_FAILURE]) for failure in failures_of(finding).values()
    )
    return next(iter(failures), ("", ""))


def _text(content: bytes | None) -> str:
    return (content or b"").decode(errors="replace")
