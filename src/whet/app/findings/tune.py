"""Search for better values of declared constants, confirm them on fresh inputs, and record them as a finding."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from whet.app.cycles.loop import actor
from whet.app.findings.objectives import objective_of
from whet.app.project import Project
from whet.config import TunedPolicy
from whet.domain.canonical import digest
from whet.domain.clock import now
from whet.domain.plural import shorten
from whet.domain.tuning import Tuning
from whet.errors import EnvironmentProblem, UsageError
from whet.knowledge.constants import read_constants, with_constants
from whet.knowledge.tuning import MOST_WITHOUT_OPTUNA, Dimension, Race, Values, evenly, with_optuna
from whet.statistics.paired import PairedResult

_KEPT_BY_OPTUNA = 4


@dataclass(frozen=True)
class TuneResult:
    """The result of a search. `why_not` says why no values are proposed; empty if some are."""

    tuning: Tuning
    why_not: str
    finding: str = ""


def tune(project: Project, name: str, *, dry_run: bool = False) -> TuneResult:
    """Search, confirm once, and record the values, unless `dry_run`; `whet run --finding` proposes them."""
    project.refuse_unless_permitted()
    declared = _declared(project, name)
    search = _Search(project, name, declared)
    result = search.result()
    if result.why_not or dry_run:
        return result
    key = f"tuning/{uuid.uuid4().hex[:8]}"
    project.ledger.append("observe", result.tuning, subject=name, key=key, actor=actor())
    return TuneResult(result.tuning, "", f"f-{signature_of(result.tuning)[:8]}")


def signature_of(tuning: Tuning) -> str:
    return digest(["tuned", tuning.name, tuning.path])[:16]


class _Search:
    def __init__(self, project: Project, name: str, declared: TunedPolicy) -> None:
        self._project, self._name, self._declared, self._git = project, name, declared, project.git
        self._base = project.git.resolve(project.ref)
        self._tree = project.git.tree_of(self._base)
        content = project.git.read(self._base, declared.file)
        if content is None:
            raise UsageError(f"{declared.file} is not in the last commit", "see file in [tune.declared] of whet.toml")
        self._text = content.decode()
        self._present = read_constants(declared.file, self._text, declared.constants)
        self._objective = objective_of(project, declared.objective)
        self._trees: dict[Values, str] = {}

    def result(self) -> TuneResult:
        present = tuple(float(value) for value in self._present.values())
        race = Race(
            present, lambda values, seed: self._objective.measure(self._tree_with(values), seed), self._objective.ratio
        )
        self._project.progress.note("measuring the noise: the present values against themselves")
        noise = race.noise()
        best = race.run(self._candidates(race), lambda done, all_: self._project.progress.advance("values", done, all_))
        ratio = race.score(best)
        least = max(noise, self._objective.margin)
        why_not, confirmed = "", ""
        if best == present or ratio >= 1 - least:
            why_not = f"no values are better by more than {least:.1%}, the noise or the margin"
        else:
            comparison, confirmed = self._objective.confirm(self._tree, self._tree_with(best))
            if comparison is not PairedResult.BETTER:
                why_not = f"the best values were not confirmed on fresh inputs: {confirmed}"
        tuning = Tuning(
            name=self._name, path=self._declared.file, constants=tuple(self._present), before=present, after=best,
            objective=self._declared.objective, noise=noise, confirmed=confirmed, ratio=round(ratio, 4),
            curve=race.curve(), base=self._base, found_at=now(),
        )  # fmt: skip
        return TuneResult(tuning, why_not)

    def _candidates(self, race: Race) -> list[Values]:
        """Return the values to race: evenly spread, or the best of those that Optuna chose if many may be tried."""
        bounds = self._declared.constants
        dimensions = [
            Dimension(bounds[name].low, bounds[name].high, isinstance(value, int))
            for name, value in self._present.items()
        ]
        if self._declared.trials <= MOST_WITHOUT_OPTUNA:
            return evenly(dimensions, self._declared.trials)
        try:
            tried = list(with_optuna(dimensions, self._declared.trials, race))
        except ImportError:
            raise EnvironmentProblem(
                f"more than {MOST_WITHOUT_OPTUNA} trials need Optuna", "pip install 'whet[tune]', or set trials lower"
            ) from None
        return sorted(dict.fromkeys(tried), key=race.score)[:_KEPT_BY_OPTUNA]

    def _tree_with(self, values: Values) -> str:
        if values not in self._trees:
            text = with_constants(self._declared.file, self._text, dict(zip(self._present, values, strict=True)))
            self._trees[values] = self._git.with_files(self._tree, {self._declared.file: text.encode()})
        return self._trees[values]


def _declared(project: Project, name: str) -> TunedPolicy:
    known: Mapping[str, TunedPolicy] = project.policy.tune.declared
    if name not in known:
        existing = f"declared are {shorten(list(known), 5)}" if known else "nothing is declared"
        raise UsageError(
            f"there is nothing to tune called {name!r}: {existing}", "declare it as [tune.declared.NAME] in whet.toml"
        )
    return known[name]
