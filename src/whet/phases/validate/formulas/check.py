"""The check of declared formulas: their cases and properties on the base, with the patch, and on the base again."""

from collections.abc import Iterator, Sequence

from whet.domain.verdict import CheckResult, Verdict
from whet.errors import BadConfig
from whet.kit import Kit
from whet.knowledge.formulas.declared import Formula, FormulaMissing, FormulaUnreadable, find_formula, refuse_missing
from whet.knowledge.formulas.sampling import sample
from whet.knowledge.formulas.trial import try_formula
from whet.phases.validate import Claim
from whet.phases.validate.formulas.compare import MOST_SHOWN, ComparedFormula, FormulaTrials, compare_formula, note_new


class FormulaCheck:
    """Fails a patch with which a declared formula gets a case wrong, or loses a property, that it had on the base."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git, self._declared = kit, kit.git, kit.policy.formulas.declared

    def check(self, claim: Claim) -> CheckResult | None:
        """Compare all declared formulas; None if there is nothing to compare: no formula, or a patch of tests alone.

        Which other code and data a formula needs is not asked: calling all of them costs less than a wrong answer.
        """
        claimed = claim.targets.get("formulas", ())
        if not claimed and (not self._declared or all(map(self._kit.is_test, claim.patch.paths))):
            return None
        results = []
        for number, name in enumerate(sorted({*self._declared, *claimed}), 1):
            self._kit.progress.advance("formulas", number, len(self._declared))
            results.append(self._compare(name, claim) if name in self._declared else _undeclared(name))
        verdict, reason = _conclude(results, claimed)
        # A case that turns right shows nothing by itself: the author of a patch knows the cases, and can write a condition for
        # each. For whet's own patches the tests that come with them show it, and their safeguards look for such conditions.
        right = tuple(result.name for result in results if result.name in claimed and result.turned_right)
        return CheckResult(
            check="formulas",
            verdict=verdict,
            reason=reason,
            red=claimed,
            green=right,
            reverted=right,  # the base was tried again after the patch
            also_mended=tuple(_labelled(results, "mended")),
            regressed=tuple(_labelled(results, "worse")),
            details={
                "formulas": {result.name: result.words for result in results},
                "skipped": _sentences(results, "unknown"),
            },
        )

    def _compare(self, name: str, claim: Claim) -> ComparedFormula:
        """Compare one formula. Raise BadConfig if neither tree has a function that fits its declaration."""
        base, patched = self._git.tree_of(claim.patch.base), claim.patch.tree
        before, after = (self._look_for(name, tree, (base, patched)) for tree in (base, patched))
        seed = claim.patch.digest  # inputs that no search has seen
        result = ComparedFormula(name)
        if not isinstance(after, Formula):
            if isinstance(before, Formula):
                result.worse.append(f"the function: with the patch, {after}")
            elif isinstance(after, FormulaUnreadable):
                result.undecided.append(f"the function: before and after, {after}")
            else:
                raise after if isinstance(after, BadConfig) else refuse_missing(name, after)
        elif not isinstance(before, Formula):
            note_new(result, try_formula(after, sample(after, seed), patched, self._kit))
        else:
            samples = sample(before, seed)
            trials = FormulaTrials(
                base=try_formula(before, samples, base, self._kit),
                patched=try_formula(after, samples, patched, self._kit),
                elsewhere=try_formula(after, samples, patched, self._kit, elsewhere=True),
                base_again=try_formula(before, samples, base, self._kit),
            )
            compare_formula(result, samples, trials)
        return result

    def _look_for(self, name: str, tree: str, trees: tuple[str, str]) -> Formula | FormulaMissing | BadConfig:
        """Return the formula in a tree, or why there is none."""
        try:
            return find_formula(name, tree, trees, self._kit)
        except (FormulaMissing, BadConfig) as problem:
            return problem


def _labelled(results: Sequence[ComparedFormula], outcome: str) -> Iterator[str]:
    """Yield the formula with each case or property of an outcome."""
    for result in results:
        for words in getattr(result, outcome):
            yield f"{result.name}: {words.partition(': ')[0]}"


def _undeclared(name: str) -> ComparedFormula:
    return ComparedFormula(name, undecided=["it is not declared in [formulas]"])


def _conclude(results: Sequence[ComparedFormula], claimed: Sequence[str]) -> tuple[Verdict, str]:
    if worse := _sentences(results, "worse"):
        return Verdict.FAILED, f"got worse: {_joined(worse)}"
    claims = [result for result in results if result.name in claimed]
    if wrong := _sentences(claims, "still_broken"):
        return Verdict.FAILED, f"still wrong with the patch: {_joined(wrong)}"
    if undecided := _sentences(results, "undecided"):
        return Verdict.INCONCLUSIVE, f"not decided: {_joined(undecided)}"
    if unmended := [result.name for result in claims if not result.mended]:
        return Verdict.INCONCLUSIVE, f"claimed to be mended, and nothing was wrong before: {', '.join(unmended)}"
    return Verdict.PASSED, "; ".join(f"{result.name}: {result.words}" for result in results)


def _sentences(results: Sequence[ComparedFormula], outcome: str) -> list[str]:
    return [f"{result.name}: {words}" for result in results for words in getattr(result, outcome)]


def _joined(sentences: Sequence[str]) -> str:
    rest = len(sentences) - MOST_SHOWN
    return "; ".join(sentences[:MOST_SHOWN]) + (f"; and {rest} more" if rest > 0 else "")
