"""Search for a faster version of the functions in which a declared benchmark spends its time."""

import ast
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from whet.app.findings.objectives import BenchmarkObjective
from whet.app.project import Project
from whet.domain.canonical import digest
from whet.domain.clock import now
from whet.domain.improvement import Improvement, TriedText
from whet.domain.plural import shorten
from whet.errors import EnvironmentProblem, UsageError
from whet.knowledge.tuning import Race
from whet.phases.propose.speed.rewrites import faster_versions
from whet.pyast.functions import Function, functions
from whet.statistics.paired import PairedResult

_PROFILED = re.compile(
    r"^\s*\S+\s+(\d{1,9}\.\d{1,9})\s+[\d.]+\s+[\d.]+\s+[\d.]+\s+(\S.*):(\d{1,9})\(.+\)\s*$", re.MULTILINE
)
_MOST_FUNCTIONS = 5
_MOST_ROUNDS = 3


@dataclass(frozen=True)
class ImproveResult:
    """The result of a search. `why_not` says why no version is proposed; empty if one is."""

    improvement: Improvement
    why_not: str
    finding: str = ""


@dataclass(frozen=True)
class _Version:
    """A version of one file, the rewrites that led to it, and its measure as a ratio to the present text."""

    path: str
    text: str
    changes: tuple[str, ...] = ()
    ratio: float = 1.0


def faster(project: Project, name: str, path: str = "") -> ImproveResult:
    """Profile the benchmark, try rewrites of its slow functions, and confirm the best with seeds that were not used."""
    return _Faster(project, name).result(path)


class _Faster:
    def __init__(self, project: Project, name: str) -> None:
        self._project, self._name, self._git = project, name, project.git
        self._objective = BenchmarkObjective(project, name)
        self._policy = project.policy.benchmarks.declared[name]
        self._commit = project.git.resolve(project.ref)
        self._tree = project.git.tree_of(self._commit)
        self._tried: list[TriedText] = []

    def result(self, path: str) -> ImproveResult:
        hot = self._hot_functions()
        if path and path not in hot:
            raise UsageError(
                f"{self._name} spends no time in {path}", f"it does in {shorten(list(hot), 5) or 'no file'}"
            )
        if not hot:
            raise UsageError(
                f"{self._name} spends its time in no function of this repository", "see its command in whet.toml"
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
            evaluation=self._name, path=best.path, before=digest(texts[best.path]), after=best.text, changes=best.changes,
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
        most = self._project.policy.evaluations.most_tries - len(self._tried)
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
        race.run(list(keys), lambda done, all_: self._project.progress.advance("rewrites", done, all_))
        for key in sorted(keys, key=race.score):
            candidate, ratio = keys[key], race.score(key)
            faster = ratio < 1 - max(noise, self._objective.margin)
            words = (
                f"{ratio - 1:+.1%}"
                if not faster or self._keeps_tests(candidate)
                else f"{ratio - 1:+.1%}, and breaks a test"
            )
            self._tried.append(
                TriedText(change="; ".join(candidate.changes), comparison=words, mean=round(1 - ratio, 6))
            )
            if faster and "breaks" not in words:
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
        base = self._project.suite.run(self._tree, fresh=False)
        report = self._project.suite.run(self._tree_with(candidate), fresh=False)
        return report.complete and set(report.red) <= set(base.red)

    def _tree_with(self, version: _Version) -> str:
        return self._git.with_files(self._tree, {version.path: version.text.encode()})

    def _hot_functions(self) -> dict[str, dict[str, float]]:
        """Return, by file, the functions in which the benchmark spends most of its time, with their seconds."""
        spent: dict[tuple[str, str], float] = defaultdict(float)
        known: dict[str, list[tuple[str, int, int]]] = {}
        for seconds, file, line in _PROFILED.findall(self._profile()):
            path = self._path_of(file)
            if path and path not in self._policy.command and not self._project.kit.is_test(path):
                if path not in known:
                    known[path] = self._lines_of(path)
                for name, first, last in known[path]:
                    if first <= int(line) <= last:
                        spent[path, name] += float(seconds)
        hot: dict[str, dict[str, float]] = defaultdict(dict)
        for path, name in sorted(spent, key=lambda place: -spent[place])[:_MOST_FUNCTIONS]:
            hot[path][name] = spent[path, name]
        return dict(hot)

    def _profile(self) -> str:
        """Run the benchmark once under Python's profiler, in the sandbox, and return its output."""
        command = [part.replace("{seed}", "0") for part in self._policy.command]
        if not PurePosixPath(command[0]).name.startswith("python") or len(command) < 2:
            raise UsageError(
                f"the command of {self._name} does not start Python, so nothing shows where its time goes",
                "begin the command with python",
            )
        profiled = [command[0], "-m", "cProfile", "-s", "tottime", *command[1:]]
        finished = self._project.suite.sandbox.run(
            self._project.suite.job(self._tree, profiled, 10 * self._policy.timeout_seconds)
        )
        if finished.exit_code or finished.stopped_by:
            why = finished.problem or f"ended with {finished.exit_code}: {finished.output.strip()[-300:]}"
            raise EnvironmentProblem(f"the benchmark {self._name} {why}", "run its command by hand; see [benchmarks]")
        return finished.output

    def _path_of(self, file: str) -> str:
        """Return the path in the repository of a file that the profiler names; empty for other files."""
        root = str(self._git.root)
        path = file.removeprefix(f"{root}/") if file.startswith(f"{root}/") else file
        return path if path.endswith(".py") and path in self._git.regular_files(self._tree) else ""

    def _lines_of(self, path: str) -> list[tuple[str, int, int]]:

        try:
            tree = ast.parse(self._git.read(self._commit, path) or b"")
        except SyntaxError:
            return []
        return [
            (name, min([node.lineno, *(item.lineno for item in node.decorator_list)]), node.end_lineno or node.lineno)
            for name, node in functions(tree).items()
            if isinstance(node, Function)
        ]
