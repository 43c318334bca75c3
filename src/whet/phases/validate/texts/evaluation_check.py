"""The check of declared evaluations: texts that they score, measured case by case on base and patch, in the sandbox."""

from collections.abc import Sequence
from dataclasses import dataclass

from whet.domain.plural import shorten
from whet.domain.verdict import CheckResult, Verdict
from whet.errors import EnvironmentProblem
from whet.kit import Kit
from whet.knowledge.measures.evaluation import Evaluation, Scores, is_held_out
from whet.phases.validate import Claim
from whet.statistics.paired import PairedResult, compare_cases

_MOST_NAMES = 3


@dataclass(frozen=True)
class _Evaluated:
    evaluation: str
    comparison: PairedResult
    words: str


class EvaluationCheck:
    """Fails a patch that makes the score of a text worse. An evaluation among the targets must get better."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git, self._policy = kit, kit.git, kit.policy.evaluations

    def check(self, claim: Claim) -> CheckResult | None:
        """Run the evaluations of the texts that the patch changes; None if it changes none and claims none."""
        claimed = claim.targets.get("evaluations", ())
        concerned = [
            name for name in sorted(self._policy.declared) if any(map(self._named(name).judges, claim.patch.paths))
        ]
        names = [*concerned, *(name for name in claimed if name not in concerned)]
        if not names:
            return None
        results = [self._evaluate(name, claim) for name in names]
        better = [item.evaluation for item in results if item.comparison is PairedResult.BETTER]
        red = claimed or (better if claim.by_outsider and self._only_texts(claim, better) else ())
        shown = tuple(name for name in red if name in better)
        verdict, reason = _conclude(results, claimed)
        return CheckResult(
            check="evaluations",
            verdict=verdict,
            reason=reason,
            red=tuple(red),
            green=shown,
            reverted=shown,  # the base was scored again after the patch
            regressed=tuple(item.evaluation for item in results if item.comparison is PairedResult.WORSE),
            details={item.evaluation: item.words for item in results},
        )

    def _named(self, name: str) -> Evaluation:
        return Evaluation(name, self._policy.declared[name], self._kit)

    def _only_texts(self, claim: Claim, names: Sequence[str]) -> bool:
        """True if these evaluations score every file of the patch: a better score says nothing about other files."""
        return all(any(self._named(name).judges(path) for name in names) for path in claim.patch.paths)

    def _evaluate(self, name: str, claim: Claim) -> _Evaluated:
        if name not in self._policy.declared:
            return _Evaluated(name, PairedResult.OPEN, "is not declared in [evaluations]")
        evaluation, base = self._named(name), self._git.tree_of(claim.patch.base)
        scores: list[Scores] = []
        try:
            for number, tree in enumerate((base, claim.patch.tree, base), 1):
                self._kit.progress.advance(f"evaluation {name}", number, 3)
                scores.append(evaluation.scores(tree, base))
        except EnvironmentProblem as problem:
            return _Evaluated(name, PairedResult.OPEN, problem.message)
        return self._compare(name, *scores, claimed=name in claim.targets.get("evaluations", ()))

    def _compare(self, name: str, base: Scores, patched: Scores, again: Scores, *, claimed: bool) -> _Evaluated:
        """Compare the cases whose score is the same in both runs of the base.

        A claim of whet's own is decided by the cases that its search has not seen, and may make none of the others worse
        on the whole.
        """
        if why := next((run.why_not_complete for run in (base, patched, again) if run.why_not_complete), ""):
            return _Evaluated(name, PairedResult.OPEN, why)
        if base.by_case.keys() != patched.by_case.keys() or base.by_case.keys() != again.by_case.keys():
            return _Evaluated(name, PairedResult.OPEN, "has other cases with the patch than without it")
        tolerance = self._policy.tolerance
        steady = [case for case, score in base.by_case.items() if abs(again.by_case[case] - score) <= tolerance]
        unsteady = len(base.by_case) - len(steady)
        if unsteady * 2 > len(base.by_case):
            return _Evaluated(
                name, PairedResult.OPEN, f"gave {unsteady} of {len(base.by_case)} cases another score when it ran again"
            )
        whole = compare_cases(base.by_case, patched.by_case, tolerance, steady)
        deciding, result, words = whole, whole.result, str(whole)
        if claimed and result is not PairedResult.WORSE:
            deciding = compare_cases(base.by_case, patched.by_case, tolerance, list(filter(is_held_out, steady)))
            result, words = deciding.result, f"{deciding}, none of them seen by the search; all: {whole}"
        if unsteady:
            words += f"; {unsteady} left out, because the score changes from run to run"
        if deciding.worse:
            words += f"; worse: {shorten(deciding.worse, _MOST_NAMES)}"
        return _Evaluated(name, result, f"{result} by {words}")


def _conclude(results: Sequence[_Evaluated], claimed: Sequence[str]) -> tuple[Verdict, str]:
    def words(*comparisons: PairedResult, only: Sequence[str] | None = None) -> list[str]:
        chosen = [
            item for item in results if item.comparison in comparisons and (only is None or item.evaluation in only)
        ]
        return [f"{item.evaluation} {item.words}" for item in chosen]

    if worse := words(PairedResult.WORSE):
        return Verdict.FAILED, f"scored worse: {'; '.join(worse)}"
    if undecided := words(PairedResult.OPEN):
        return Verdict.INCONCLUSIVE, f"not decided: {'; '.join(undecided)}"
    if missed := words(PairedResult.WITHIN, only=claimed):
        return Verdict.INCONCLUSIVE, f"claimed to be better and not shown to be: {'; '.join(missed)}"
    return Verdict.PASSED, "; ".join(words(PairedResult.BETTER, PairedResult.WITHIN))
