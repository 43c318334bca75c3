"""Synthesise expressions that have, at every visit, the value that turns the failing tests green."""

import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from whet.domain.place import Place
from whet.phases.propose.repair.candidate import Candidate
from whet.phases.propose.repair.generate import SYMPTOM, Chunks
from whet.phases.propose.repair.hints import Hints
from whet.phases.propose.repair.synthesis.grammar import Grammar
from whet.phases.propose.repair.synthesis.hole import Hole, HoleRole, holes
from whet.phases.propose.repair.synthesis.trials import HoleTrial, Needed, solved, trials
from whet.target.distributed import CandidateRunner

_PRIOR = 0.25
_LATER = 0.5  # so that edits of about the same likelihood are tried too, before the search is over
_BY_ROLE = {HoleRole.CONDITION: 1.0, HoleRole.VALUE: 0.8, HoleRole.NEW_CONDITION: 0.6}
_MOST_TRIALS, _MOST_HOLES, _MOST_PASSING = 400, 12, 40
_SHARE = 0.2  # of the time that is left, for the trials and again for the enumeration
_ENUMERATION_SECONDS = 3.0
Request = tuple[Mapping[str, str], Mapping[str, Any]]
_MARK = "__whet_hole__(lambda: ({}))"


class Synthesis:
    """Finds holes whose value decides the failing tests, and fills them."""

    def __init__(
        self,
        warm: CandidateRunner,
        targets: Sequence[str],
        passing: Sequence[str],
        expected: Mapping[str, Sequence[str]],
    ) -> None:
        """`passing` are tests that pass on the base; `expected` are the results that failing tests name, as literals."""
        self._warm, self._targets, self._expected = warm, tuple(targets), expected
        self._passing = tuple(passing[:_MOST_PASSING])

    def candidates(
        self, sources: Mapping[str, str], places: Sequence[Place], hints: Hints, limits: tuple[float, float]
    ) -> Iterator[Candidate]:
        """Yield candidates, the likeliest first. `limits` are the deadline, and the seconds that one run may take."""
        deadline, seconds = limits
        found: list[Candidate] = []
        for path, source in sources.items():
            try:
                at = holes(source, [place for place in places if place.path == path], hints)
            except (SyntaxError, ValueError):
                continue
            wanted = self._solved(path, source, at, (_soon(deadline), seconds))
            found += self._fitting(path, source, wanted, (_soon(deadline), seconds))
        yield from sorted(found, key=lambda candidate: -candidate.rank)

    def _solved(self, path: str, source: str, at: Sequence[Hole], limits: tuple[float, float]) -> dict[Hole, Needed]:
        """Return the holes by which all targets can pass, with the values that they need for it."""
        until, seconds = limits
        tried: list[HoleTrial] = []

        def requests() -> Iterator[Request]:
            for trial in islice((trial for hole in at for trial in trials(hole, self._expected)), _MOST_TRIALS):
                if time.monotonic() > until:
                    return
                tried.append(trial)
                yield {path: _marked(trial.hole, source)}, {"forced": trial.forced}

        results = self._warm.fill(requests(), self._targets, seconds, swift=True)
        outcomes = [result.outcomes for result in results]
        return solved(list(zip(tried, outcomes, strict=True)), self._targets)

    def _fitting(
        self, path: str, source: str, wanted: Mapping[Hole, Needed], limits: tuple[float, float]
    ) -> Iterator[Candidate]:
        until, seconds = limits
        chosen = sorted(wanted, key=lambda hole: -hole.suspicion * _BY_ROLE[hole.role])[:_MOST_HOLES]
        filled: list[tuple[Hole, Grammar]] = []

        def requests() -> Iterator[Request]:
            for hole in chosen:
                if time.monotonic() > until:
                    return
                grammar = Grammar(hole)
                filled.append((hole, grammar))
                yield (
                    {path: _marked(hole, source)},
                    {"forced": wanted[hole], "grammar": grammar.request(self._targets)},
                )

        tests = [*self._targets, *self._passing]
        results = self._warm.fill(requests(), tests, seconds * 2 + _ENUMERATION_SECONDS)
        chunks = Chunks(source)
        for (hole, grammar), result in zip(filled, results, strict=True):
            for structure, agreement in result.fitting:
                if text := grammar.text(structure):
                    candidate = _candidate(path, hole, text, chunks, agreement * grammar.likelihood(structure))
                    yield from [candidate] if candidate else []


def _soon(deadline: float) -> float:
    """Return when one part of the synthesis has to end."""
    now = time.monotonic()
    return now + (deadline - now) * _SHARE


def _marked(hole: Hole, source: str) -> str:
    return source[: hole.start] + hole.before + _MARK.format(hole.original) + hole.after + source[hole.end :]


def _candidate(path: str, hole: Hole, text: str, chunks: Chunks, weight: float) -> Candidate | None:
    edit, statement, function = hole.edit(text), hole.scope.statement, hole.scope.function
    source = chunks.apply(edit.replacements, hole.scope.module.chunk(statement))
    if source is None:
        return None
    hides_cause = hole.role is HoleRole.NEW_CONDITION and (path, hole.line) in hole.scope.hints.symptoms
    likelihood = _PRIOR * _BY_ROLE[hole.role] * weight * (SYMPTOM if hides_cause else 1.0)
    return Candidate(
        path=path,
        source=source,
        template="synthesis",
        line=hole.line,
        summary=edit.summary.render(f"{function.name}()" if function else path),
        rank=hole.suspicion * likelihood * _LATER,
        naturalness=likelihood * (0.5 + 0.5 * hole.suspicion) / (1 + len(text) / 120),
    )
