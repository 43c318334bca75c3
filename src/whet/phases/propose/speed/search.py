"""Search for a faster version of the functions in which a benchmark spends its time."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from whet.domain.canonical import digest
from whet.domain.clock import now
from whet.domain.improvement import Improvement, ImproveResult, TriedText
from whet.domain.plural import shorten
from whet.errors import EnvironmentProblem, UsageError
from whet.kit import Kit
from whet.knowledge.measures.benchmark import Benchmark, BenchmarkObjective
from whet.knowledge.measures.profile import hot_functions
from whet.knowledge.tuning import Race
from whet.phases.propose.speed.rewrites import faster_versions
from whet.statistics.paired import PairedResult

_MOST_ROUNDS = 3


@dataclass(frozen=True)
class _Version:
    """A version of one file, the rewrites that led to it, and its measure as a ratio to the present text."""

    path: str
    text: str
    changes: tuple[str, ...] = ()
    ratio: float = 1.0


class SpeedSearch:
    """One search on one commit: profile the benchmark, try rewrites of its slow functions, confirm the best with new seeds."""

    def __init__(self, benchmark: Benchmark, commit: str, kit: Kit) -> None:
        self._kit, self._git, self._benchmark = kit, kit.git, benchmark
        self._objective = BenchmarkObjective(benchmark, kit)
        self._commit, self._tree = commit, kit.git.tree_of(commit)
        self._tried: list[TriedText] = []

    def result(self, path: str = "") -> ImproveResult:
        hot: dict[str, dict[str, float]] = defaultdict(dict)
        for function in hot_functions(self._benchmark, self._tree, self._kit):
            hot[function.path][function.name] = function.seconds
        if path and path not in hot:
            raise UsageError(
                f"{self._benchmark.name} spends no time in {path}", f"it does in {shorten(list(hot), 5) or 'no file'}"
            )
        if not hot:
            raise UsageError(
                f"{self._benchmark.name} spends its time in no function of this repository",
                "see its command in whet.toml",
            )
        texts = {file: (self._git.read(self._commit, file) or b"").decode(errors="replace") for file in hot}
        files = {path} if path else set(hot)
        best, why_not = self._best(hot, {file: texts[file] for file in files}), ""
        confirmed = ""
        if not best.changes:
            why_not = "no rewrite that keeps the tests green is faster by more than the noise and the margin"
        else:
            comparison, confirmed = self._objective.confirm(self._tree, self._tree_with(best))
            if comparison is not PairedResult.BETTER:
                why_not = f"the best version was not confirmed on fresh inputs: {confirmed}"
        improvement = Improvement(
            evaluation=self._benchmark.name, path=best.path, before=digest(texts[best.path]), after=best.text, changes=best.changes,
            mean=round(1 - best.ratio, 6), confirmed=confirmed, tried=tuple(self._tried), base=self._commit, found_at=now(),
            check="benchmarks",
        )  # fmt: skip
        return ImproveResult(improvement, why_not)

    def _best(self, hot: Mapping[str, Mapping[str, float]], texts: Mapping[str, str]) -> _Version:
        """Return the fastest version after some rounds; each starts from the best one of the round before."""
        starts = [_Version(file, text) for file, text in texts.items()]
        best = starts[0]
        for _ in range(_MOST_ROUNDS):
            better = self._round(starts, hot)
            if better is None:
                break
            best, starts = better, [better]
        return best

    def _round(self, starts: list[_Version], hot: Mapping[str, Mapping[str, float]]) -> _Version | None:
        """Return the fastest rewrite that keeps the tests green; None if none is faster than its start."""
        most = self._kit.policy.evaluations.most_tries - len(self._tried)
        candidates = [
            _Version(start.path, rewrite.text, (*start.changes, rewrite.change), start.ratio)
            for start in starts
            for rewrite in faster_versions(start.text, hot[start.path])
        ][:most]
        runnable = [candidate for candidate in candidates if self._runs(candidate)]
        if not runnable:
            return None
        trees = [self._tree_with(starts[0]) if starts[0].changes else self._tree, *map(self._tree_with, runnable)]
        race = Race(
            (0.0,), lambda values, seed: self._objective.measure(trees[int(values[0])], seed), self._objective.ratio
        )
        noise = race.noise()
        keys = {(float(number),): candidate for number, candidate in enumerate(runnable, 1)}
        race.run(list(keys), lambda done, all_: self._kit.progress.advance("rewrites", done, all_))
        for key in sorted(keys, key=race.score):
            candidate, ratio = keys[key], race.score(key)
            faster = ratio < 1 - max(noise, self._objective.margin)
            breaks = faster and not self._keeps_tests(candidate)
            words = f"{ratio - 1:+.1%}" + (", and breaks a test" if breaks else "")
            self._tried.append(
                TriedText(change="; ".join(candidate.changes), comparison=words, mean=round(1 - ratio, 6))
            )
            if faster and not breaks:
                return _Version(candidate.path, candidate.text, candidate.changes, candidate.ratio * ratio)
        return None

    def _runs(self, candidate: _Version) -> bool:
        try:
            self._objective.measure(self._tree_with(candidate), 0)
        except EnvironmentProblem as problem:
            self._tried.append(TriedText(change="; ".join(candidate.changes), comparison=problem.message, mean=-1.0))
            return False
        return True

    def _keeps_tests(self, candidate: _Version) -> bool:
        base = self._kit.suite.run(self._tree, fresh=False)
        report = self._kit.suite.run(self._tree_with(candidate), fresh=False)
        return report.complete and set(report.red) <= set(base.red)

    def _tree_with(self, version: _Version) -> str:
        return self._git.with_files(self._tree, {version.path: version.text.encode()})
