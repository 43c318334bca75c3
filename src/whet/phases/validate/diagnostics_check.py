"""The check of linter and type checkers: a patch brings no finding that the base does not have."""

from collections import Counter
from collections.abc import Sequence

from whet.domain.diagnostic import Diagnostic
from whet.domain.plural import count, shorten
from whet.domain.verdict import CheckResult, Verdict
from whet.errors import EnvironmentProblem
from whet.kit import Kit
from whet.phases.validate import Claim
from whet.target.linters.diagnostics import Diagnostics

_MOST_SHOWN = 3


class DiagnosticsCheck:
    def __init__(self, kit: Kit) -> None:
        self._kit, self._git = kit, kit.git

    def check(self, claim: Claim) -> CheckResult | None:
        """Compare the findings with and without the patch; None if the project configures no tool that can run here."""
        base = self._git.tree_of(claim.patch.base)
        diagnostics = Diagnostics(self._kit.suite, base)
        tools = () if self._kit.policy.checks.diagnostics == "off" else diagnostics.tools
        if not tools:
            return None
        new, silent, broken = _compare(diagnostics, tools, base, claim.patch.tree)
        verdict, reason = self._conclude(new, broken)
        skipped = [
            *silent,
            *(f"{tool} is configured and not installed in the target's environment" for tool in diagnostics.missing),
        ]
        return CheckResult(
            check="diagnostics",
            verdict=verdict,
            reason=f"{reason} ({', '.join(tools)})",
            regressed=tuple(diagnostic.text for diagnostic in new),
            details={"tools": list(tools), "skipped": skipped},
        )

    def _conclude(self, new: Sequence[Diagnostic], broken: Sequence[str]) -> tuple[Verdict, str]:
        if new:
            words = f"{count(len(new), 'new finding')}: {shorten([entry.text for entry in new], _MOST_SHOWN)}"
            return Verdict(self._kit.policy.checks.diagnostics), words
        if broken:
            return Verdict.INCONCLUSIVE, "; ".join(broken)
        return Verdict.PASSED, "no new findings"


def _compare(
    diagnostics: Diagnostics, tools: Sequence[str], base: str, patched: str
) -> tuple[list[Diagnostic], list[str], list[str]]:
    """Return the new findings, the tools that do not run on the base, and those that run there and not with the patch.

    A tool runs on the base only if it has findings with the patch or does not run with it.
    """
    new: list[Diagnostic] = []
    silent: list[str] = []
    broken: list[str] = []
    for tool in tools:
        after, failure = _run(diagnostics, tool, patched)
        if not after and not failure:
            continue  # whatever the base has, the patch adds nothing to it
        try:
            before = Counter(diagnostic.key for diagnostic in diagnostics.run(tool, base, fresh=False))
        except EnvironmentProblem as problem:
            silent.append(problem.message)
            continue
        if failure:
            broken.append(f"with the patch, {failure}")
        new += _added(before, after)
    return new, silent, broken


def _run(diagnostics: Diagnostics, tool: str, tree: str) -> tuple[Sequence[Diagnostic], str]:
    """Return the findings of a tool in a tree, and why it does not run there."""
    try:
        return diagnostics.run(tool, tree), ""
    except EnvironmentProblem as problem:
        return (), problem.message


def _added(before: Counter[tuple[str, str, str, str]], after: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return the findings beyond those that were there before; of equal ones, the last."""
    left, added = before.copy(), []
    for diagnostic in after:
        if left[diagnostic.key] > 0:
            left[diagnostic.key] -= 1
        else:
            added.append(diagnostic)
    return added
