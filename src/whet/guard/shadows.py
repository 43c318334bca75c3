"""A new module may not take the place of one that the interpreter or the test runner imports."""

import sys

from whet.domain.change import Change, ChangeStatus
from whet.guard.answer import Allow, Answer, Refuse
from whet.guard.categories import pattern_of_test
from whet.guard.submission import Submission

_TAKEN = sys.stdlib_module_names | {"pytest", "_pytest", "pluggy", "py", "coverage"}


def shadow(change: Change, submission: Submission) -> Answer:
    """Looks where imports begin: the root, `src/`, and test folders, which pytest puts first on the path."""
    module = change.path.removesuffix(".py").removesuffix("/__init__")
    if change.status != ChangeStatus.ADDED or module == change.path:
        return Allow()
    folder, _, name = module.rpartition("/")
    begins_here = folder in ("", "src") or pattern_of_test(change.path, submission.policy) is not None
    if begins_here and name in _TAKEN:
        return Refuse(f"{change.path} would be imported instead of {name!r}", "shadows_module")
    return Allow()
