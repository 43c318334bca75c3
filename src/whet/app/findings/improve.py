"""Search for a better version of a prompt, a workflow or a slow function, confirm it by inputs that the search has not seen, and
record it."""

import time
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from whet.app.cycles.loop import actor
from whet.app.findings.evaluate import evaluation_called
from whet.app.project import Project
from whet.conversation.roles import model_in_role
from whet.domain.canonical import digest
from whet.domain.clock import now
from whet.domain.improvement import Improvement, ImproveResult, TriedText
from whet.domain.plural import shorten
from whet.errors import EnvironmentProblem, UsageError
from whet.guard.answer import Refuse
from whet.guard.judge import explain
from whet.knowledge.ablation import ShorterText, without_each_part
from whet.knowledge.measures.benchmark import declared_benchmark
from whet.knowledge.measures.evaluation import Scores, is_held_out
from whet.knowledge.rewriting import rewritten
from whet.phases.propose.speed.search import SpeedSearch
from whet.statistics.paired import CaseComparison, PairedResult, compare_cases

_MOST_ROUNDS = 3
_FEWEST_CASES = 8
_MOST_SHOWN_CASES = 20


def improve(project: Project, name: str, path: str = "", *, dry_run: bool = False) -> ImproveResult:
    """Search, confirm once, and record the better version, unless `dry_run`; `whet run --finding` proposes it."""
    project.refuse_unless_permitted()
    is_benchmark = name in project.policy.benchmarks.declared and name not in project.policy.evaluations.declared
    if is_benchmark:
        search = SpeedSearch(declared_benchmark(name, project.kit), project.git.resolve(project.ref), project.kit)
        result = search.result(path)
    else:
        result = _Search(project, name, path).result()
    if result.why_not or dry_run:
        return result
    key = f"improvement/{uuid.uuid4().hex[:8]}"
    project.ledger.append("observe", result.improvement, subject=result.improvement.path, key=key, actor=actor())
    return ImproveResult(result.improvement, "", f"f-{result.improvement.signature[:8]}")


@dataclass(frozen=True)
class _Version:
    """A version of the text, the changes that led to it, and the comparison with the present text by the search's cases."""

    text: str
    changes: tuple[str, ...] = ()
    comparison: CaseComparison = field(default_factory=lambda: compare_cases({}, {}, 0))


class _Search:
    def __init__(self, project: Project, name: str, path: str) -> None:
        self._project, self._name, self._git = project, name, project.git
        self._evaluation = evaluation_called(name, project)
        self._tolerance = project.policy.evaluations.tolerance
        self._commit = project.git.resolve(project.ref)
        self._tree = project.git.tree_of(self._commit)
        self._path = self._chosen(path)
        try:
            self._text = (project.git.read(self._commit, self._path) or b"").decode()
        except UnicodeDecodeError:
            raise UsageError(f"{self._path} is not UTF-8", "save it as UTF-8") from None
        self._tried: list[TriedText] = []

    def result(self) -> ImproveResult:
        self._project.progress.note("scoring the present text twice")
        base, again = self._scores(self._text), self._scores(self._text)
        if base.unscored:
            raise UsageError(
                f"{self._name} does not score the present text: {base.why_not_complete}",
                "add what is missing to its cases",
            )
        self._steady = [
            case
            for case, score in base.by_case.items()
            if abs(again.by_case.get(case, score + 1) - score) <= self._tolerance
        ]
        searched = [case for case in self._steady if not is_held_out(case)]
        if min(len(searched), len(self._steady) - len(searched)) < _FEWEST_CASES:
            raise UsageError(
                f"{self._name} has {len(self._steady)} cases with a steady score, and half of them are kept for the confirmation",
                f"declare at least {4 * _FEWEST_CASES} cases",
            )
        self._searched, self._base = searched, base
        best = self._best()
        why_not, confirmed = "no version scored better in the cases of the search", ""
        if best.changes:
            why_not, confirmed = self._confirm(best)
        return ImproveResult(self._improvement(best, confirmed), why_not)

    def _best(self) -> _Version:
        """Take the best version of each round as the start of the next, while the cases of the search get better."""
        best, left = _Version(self._text), self._project.policy.evaluations.most_tries
        for number in range(_MOST_ROUNDS):
            tried = [version for change in self._candidates(best, number, left) if (version := self._try(best, change))]
            left -= len(tried)
            better = [version for version in tried if version.comparison.mean > best.comparison.mean]
            if not better:
                break
            best = max(better, key=lambda version: (version.comparison.mean, -len(version.text)))
        return best

    def _candidates(self, best: _Version, number: int, most: int) -> Iterator[ShorterText]:
        """Yield the versions to try in a round: those of a model first, if there is one, then those without a part."""
        if number == 0:
            for sample, text in enumerate(self._of_model(), 1):
                yield ShorterText(f"as the model's version {sample} says", text)
        for place, shorter in enumerate(without_each_part(self._path, best.text)):
            if place < most:
                yield shorter
            elif place == most:
                self._project.progress.note(f"evaluations.most_tries is {most} here: the parts after it are not tried")

    def _try(self, best: _Version, change: ShorterText) -> _Version | None:
        """Return a version with its score; None if it cannot be scored in every case."""
        self._project.progress.advance("versions", len(self._tried) + 1, self._project.policy.evaluations.most_tries)
        changes = (*best.changes, change.change)
        try:
            scores = self._scores(change.text)
        except EnvironmentProblem as problem:
            self._tried.append(TriedText(change=change.change, comparison=problem.message, mean=-1.0))
            return None
        comparison = compare_cases(self._base.by_case, scores.by_case, self._tolerance, self._searched)
        words = scores.why_not_complete or str(comparison)
        self._tried.append(TriedText(change="; ".join(changes), comparison=words, mean=round(comparison.mean, 6)))
        return None if scores.unscored else _Version(change.text, changes, comparison)

    def _confirm(self, best: _Version) -> tuple[str, str]:
        """Return why the version is not proposed, and the comparison by the cases that the search has not used."""
        scores = self._scores(best.text)
        held_out = list(filter(is_held_out, self._steady))
        if scores.unscored:
            return f"the best version cannot be confirmed: {scores.why_not_complete}", ""
        comparison = compare_cases(self._base.by_case, scores.by_case, self._tolerance, held_out)
        words = f"{comparison.result} by {comparison}"
        if comparison.result is PairedResult.BETTER:
            return "", words
        return f"the best version was not confirmed by the cases that the search had not seen: {words}", words

    def _improvement(self, best: _Version, confirmed: str) -> Improvement:
        return Improvement(
            evaluation=self._name, path=self._path, before=digest(self._text), after=best.text, changes=best.changes,
            mean=round(best.comparison.mean, 6), confirmed=confirmed, tried=tuple(self._tried), base=self._commit,
            found_at=now(),
        )  # fmt: skip

    def _of_model(self) -> Iterable[str]:
        """Return the versions that the configured model writes; none without a model."""
        policy = self._project.policy.models
        if policy.author is None:
            return ()
        kit, subject = self._project.kit, f"improve/{self._name}"
        deadline = time.monotonic() + policy.seconds
        model = model_in_role("author", policy.author, kit, phase="propose", subject=subject, deadline=deadline)
        worst = sorted(self._searched, key=lambda case: self._base.by_case[case])[:_MOST_SHOWN_CASES]
        cases = [f"{case}: score {self._base.by_case[case]:g}" for case in worst]
        return rewritten(self._path, self._text, cases, model, policy.samples, policy.temperature)

    def _scores(self, text: str) -> Scores:
        tree = self._git.with_files(self._tree, {self._path: text.encode()}) if text != self._text else self._tree
        return self._evaluation.scores(tree, self._tree)

    def _chosen(self, path: str) -> str:
        """Return the file to improve: the named one, or the only one that the evaluation scores."""
        scored = [file for file in self._git.regular_files(self._tree) if self._evaluation.judges(file)]
        if path and path not in scored:
            raise UsageError(f"{self._name} does not score {path}", f"it scores {shorten(scored, 5) or 'no file'}")
        if not path and len(scored) != 1:
            raise UsageError(
                f"{self._name} scores {shorten(scored, 5) or 'no file of the last commit'}", "name one file with --file"
            )
        chosen = path or scored[0]
        answer = explain(chosen, self._project.policy)
        if isinstance(answer, Refuse):
            raise UsageError(f"the guard would refuse a change: {answer.reason}", "see guard.open in whet.toml")
        return chosen
