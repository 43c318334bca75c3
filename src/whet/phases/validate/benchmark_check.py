"""The check of benchmarks, declared ones and those of captured calls: base and patch measured in turn, in the sandbox."""

from collections.abc import Sequence
from dataclasses import dataclass

from whet.domain.verdict import CheckResult, Verdict
from whet.errors import EnvironmentProblem
from whet.kit import Kit
from whet.knowledge.measures.benchmark import Benchmark, benchmark_of_calls, declared_benchmark
from whet.phases.validate import Claim
from whet.statistics.paired import PairedResult, compare, interval


@dataclass(frozen=True)
class _Measured:
    name: str
    comparison: PairedResult
    words: str


class BenchmarkCheck:
    """Fails a patch that makes a declared benchmark worse. A benchmark among the targets must get better."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git, self._policy = kit, kit.git, kit.policy.benchmarks

    def check(self, claim: Claim) -> CheckResult | None:
        """Measure every declared benchmark, and the captured calls of the claim; None if none is declared and none is claimed."""
        claimed = claim.targets.get("benchmarks", ())
        if not self._policy.declared and not claimed:
            return None
        benchmarks = {name: declared_benchmark(name, self._kit) for name in self._policy.declared}
        if claim.timed:
            benchmarks[claim.timed.name] = benchmark_of_calls(claim.timed, self._kit)
        measured = [self._measure(name, benchmarks.get(name), claim) for name in sorted({*benchmarks, *claimed})]
        better = {item.name for item in measured if item.comparison is PairedResult.BETTER}
        red = tuple(name for name in claimed if name in benchmarks)
        verdict, reason = _conclude(measured, claimed)
        return CheckResult(
            check="benchmarks",
            verdict=verdict,
            reason=reason,
            red=red,
            green=tuple(name for name in red if name in better),
            reverted=red,  # every second run was one without the patch
            regressed=tuple(item.name for item in measured if item.comparison is PairedResult.WORSE),
            details={item.name: item.words for item in measured},
        )

    def _measure(self, name: str, benchmark: Benchmark | None, claim: Claim) -> _Measured:
        if benchmark is None:
            return _Measured(name, PairedResult.OPEN, "is not declared in [benchmarks]")
        margin, most = self._policy.margin_percent / 100, self._policy.most_pairs
        first_seed = int(claim.patch.digest[:8], 16)  # inputs that no search has seen
        ratios: list[float] = []
        comparison = PairedResult.OPEN
        try:
            for base, patched in benchmark.pairs(self._git.tree_of(claim.patch.base), claim.patch.tree, first_seed):
                ratios.append(benchmark.ratio(base, patched))
                self._kit.progress.advance(f"benchmark {name}", len(ratios), most)
                comparison = compare(ratios, margin)
                if len(ratios) >= most or self._is_decided(comparison, name, claim):
                    break
        except EnvironmentProblem as problem:
            return _Measured(name, PairedResult.OPEN, problem.message)
        return _Measured(name, comparison, f"{comparison} by {interval(ratios)} in {len(ratios)} pairs")

    @staticmethod
    def _is_decided(comparison: PairedResult, name: str, claim: Claim) -> bool:
        """True if more pairs change nothing: a claimed benchmark that is not worse may still turn out better."""
        if comparison is PairedResult.WITHIN:
            return name not in claim.targets.get("benchmarks", ())
        return comparison is not PairedResult.OPEN


def _conclude(measured: Sequence[_Measured], claimed: Sequence[str]) -> tuple[Verdict, str]:
    def words(*comparisons: PairedResult, only: Sequence[str] | None = None) -> list[str]:
        chosen = [item for item in measured if item.comparison in comparisons and (only is None or item.name in only)]
        return [f"{item.name} {item.words}" for item in chosen]

    if worse := words(PairedResult.WORSE):
        return Verdict.FAILED, f"made worse: {'; '.join(worse)}"
    if unshown := words(PairedResult.OPEN):
        return Verdict.INCONCLUSIVE, f"not decided, because the noise is larger than the margin: {'; '.join(unshown)}"
    if missed := words(PairedResult.WITHIN, only=claimed):
        return Verdict.INCONCLUSIVE, f"claimed to be better and not shown to be: {'; '.join(missed)}"
    return Verdict.PASSED, "; ".join(words(PairedResult.BETTER, PairedResult.WITHIN))
