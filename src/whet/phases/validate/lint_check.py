"""The check that runs ruff: the violation is there on the base, gone with the patch, back on revert, and none is new."""

from collections import Counter

from whet.domain.verdict import CheckResult, Verdict
from whet.kit import Kit
from whet.phases.validate import Claim
from whet.target.linters.ruff import Ruff


class LintCheck:
    def __init__(self, kit: Kit) -> None:
        self._git, self._ruff = kit.git, Ruff(kit.suite, kit.policy.propose.lint_rules)

    def check(self, claim: Claim) -> CheckResult:
        patch, targets = claim.patch, claim.targets.get("lint", ())
        base = self._count_violations(self._git.tree_of(patch.base))
        patched = self._count_violations(patch.tree)
        reverted_tree = self._git.apply(patch.tree, self._git.diff(patch.base, patch.tree), reverse=True)
        reverted = self._count_violations(reverted_tree) if reverted_tree else Counter()
        red = tuple(target for target in targets if base[target])
        gone = tuple(target for target in red if patched[target] < base[target])
        back = tuple(target for target in red if reverted[target] == base[target])
        added = tuple(sorted(key for key in patched if patched[key] > base[key]))
        verdict, reason = _conclude(targets, red, gone, back, added)
        return CheckResult(
            check="lint", verdict=verdict, reason=reason, red=red, green=gone, reverted=back, regressed=added
        )

    def _count_violations(self, tree: str) -> Counter[str]:
        return Counter(f"{violation.rule} {violation.path}" for violation in self._ruff.check(tree))


def _conclude(
    targets: tuple[str, ...], red: tuple[str, ...], gone: tuple[str, ...], back: tuple[str, ...], added: tuple[str, ...]
) -> tuple[Verdict, str]:
    if added:
        return Verdict.FAILED, f"new violations: {', '.join(added)}"
    if set(red) != set(targets):
        return Verdict.INCONCLUSIVE, "the violation is not there on the base"
    if set(gone) != set(red):
        return Verdict.FAILED, "the violation is still there with the patch"
    if set(back) != set(red):
        return Verdict.INCONCLUSIVE, "the violation does not come back when the patch is taken out"
    if not red:
        return Verdict.PASSED, "no new violations"
    return Verdict.PASSED, f"{', '.join(red)}: there, gone with the patch, back on revert"
