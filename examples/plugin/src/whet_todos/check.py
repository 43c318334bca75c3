"""The check: expired comments are there on the base, gone with the patch, and back when the patch is reverted."""

from collections import Counter

from whet.domain.verdict import CheckResult, Verdict
from whet.kit import Kit
from whet.phases.validate import Claim
from whet_todos.source import expired


class TodoCheck:
    def __init__(self, kit: Kit) -> None:
        self._git = kit.git

    def check(self, claim: Claim) -> CheckResult:
        patch = claim.patch
        base, fixed = self._count(self._git.tree_of(patch.base)), self._count(patch.tree)
        reverted_tree = self._git.apply(patch.tree, self._git.diff(patch.base, patch.tree), reverse=True)
        reverted = self._count(reverted_tree) if reverted_tree else Counter()
        owners = claim.targets.get("todos", ())
        red = tuple(owner for owner in owners if base[owner])
        green = tuple(owner for owner in red if not fixed[owner])
        back = tuple(owner for owner in red if reverted[owner] == base[owner])
        proven = set(owners) == set(red) == set(green) == set(back)
        added = tuple(owner for owner in fixed if fixed[owner] > base[owner])
        verdict = Verdict.FAILED if added else Verdict.PASSED if proven else Verdict.INCONCLUSIVE
        reason = "expired comments: there, gone with the patch, back on revert" if proven else "nothing is shown"
        return CheckResult(
            check="todos", verdict=verdict, reason=reason, red=red, green=green, reverted=back, regressed=added
        )

    def _count(self, tree: str) -> Counter[str]:
        return Counter(todo.owner for todo in expired(self._git, tree))
