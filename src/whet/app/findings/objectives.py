"""Objectives of a search for better constants: a declared benchmark, or a declared evaluation."""

from typing import Protocol

from whet.app.project import Project
from whet.errors import EnvironmentProblem, UsageError
from whet.knowledge.measures.benchmark import BenchmarkObjective, declared_benchmark
from whet.knowledge.measures.evaluation import Evaluation, Scores, is_held_out
from whet.statistics.paired import PairedResult, compare_cases


class Objective(Protocol):
    """A number to improve. `ratio` is below 1 if the second measurement is better; `margin` is the least gain that counts."""

    margin: float

    def measure(self, tree: str, seed: int) -> float: ...

    def ratio(self, base: float, other: float) -> float: ...

    def confirm(self, base: str, tuned: str) -> tuple[PairedResult, str]:
        """Compare two trees once, on inputs that no search has used."""
        ...


def objective_of(project: Project, name: str) -> Objective:
    """Return the benchmark or the evaluation of this name. Raise UsageError if there is none, or one of each."""
    benchmarks, evaluations = project.policy.benchmarks.declared, project.policy.evaluations.declared
    if name in benchmarks and name in evaluations:
        raise UsageError(f"{name!r} is a benchmark and an evaluation", "give one of them another name in whet.toml")
    if name in evaluations:
        return EvaluationObjective(project, name)
    if name not in benchmarks:
        raise UsageError(
            f"the objective {name!r} is no benchmark and no evaluation",
            f"declare [benchmarks.declared.{name}] or [evaluations.declared.{name}] in whet.toml",
        )
    return BenchmarkObjective(declared_benchmark(name, project.kit), project.kit)


class EvaluationObjective:
    """The mean score of the cases that a search may see. A tree is scored at most twice: the second run shows the noise."""

    def __init__(self, project: Project, name: str) -> None:
        self._git, self._tolerance = project.git, project.policy.evaluations.tolerance
        self._evaluation = Evaluation(name, project.policy.evaluations.declared[name], project.kit)
        self._base = project.git.tree_of(project.git.resolve(project.ref))
        self._runs: dict[str, list[Scores]] = {}
        self.margin = self._tolerance

    def measure(self, tree: str, seed: int) -> float:
        scores = self._scores(tree, seed)
        seen = [score for case, score in scores.by_case.items() if not is_held_out(case)]
        if scores.unscored or not seen:
            why = scores.why_not_complete or "has no case that the search may see"
            raise EnvironmentProblem(
                f"the evaluation {self._evaluation.name} {why}", "declare more cases, and score all of them"
            )
        return sum(seen) / len(seen)

    def ratio(self, base: float, other: float) -> float:
        """Return 1 minus the gain in score, so that a search can treat it as the ratio of a benchmark."""
        return 1 - (other - base)

    def confirm(self, base: str, tuned: str) -> tuple[PairedResult, str]:
        """Compare the trees by the cases that the search has not seen."""
        before, after = self._scores(base, 0), self._scores(tuned, 0)
        held_out = [case for case in before.by_case if is_held_out(case)]
        comparison = compare_cases(before.by_case, after.by_case, self._tolerance, held_out)
        return comparison.result, f"{comparison.result} by {comparison}"

    def _scores(self, tree: str, seed: int) -> Scores:
        runs = self._runs.setdefault(tree, [])
        if len(runs) < 2:
            runs.append(self._evaluation.scores(tree, self._base))
            return runs[-1]
        return runs[seed % 2]
