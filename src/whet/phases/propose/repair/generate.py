"""Turn suspicious places into complete candidate sources, likeliest first."""

import ast
import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from operator import itemgetter
from types import MappingProxyType

from whet.domain.place import Place
from whet.phases.propose.repair.candidate import SUBJECT_WIDTH, Candidate, Edit, Replacement, apply
from whet.phases.propose.repair.degenerate import count_degenerate
from whet.phases.propose.repair.grammar import expressions, statements
from whet.phases.propose.repair.grammar.like_sites import edit_shape, like_sites
from whet.phases.propose.repair.hints import Hints, template_boosts
from whet.phases.propose.repair.module import Module
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.suspects import own_nodes, suspects
from whet.phases.propose.repair.symptoms import TOLERANT
from whet.phases.propose.repair.templates import TEMPLATES
from whet.phases.propose.repair.templates.template import Template
from whet.phases.propose.repair.tidy import Chunk, Tidier
from whet.pyast.bindings import first_bound_lines
from whet.pyast.functions import Function

_BORROWED = 0.35
_SLOW = 0.4  # for edits outside a function's body: each such candidate must import the project again
SYMPTOM = 0.4  # a guard where the failure shows: it often hides a mistake of the caller
_PAIRED = 60
_MOST_NODES = 300  # a larger statement is a table of data, of which only the first part is edited
_BOTH, _APART = 0.3, 0.6
_ALL: tuple[Template, ...] = (*TEMPLATES, *expressions.TEMPLATES, *statements.TEMPLATES)
_NO_PRIORS: Mapping[str, float] = MappingProxyType({})


def candidates(
    path: str, source: str, places: Sequence[Place], hints: Hints, priors: Mapping[str, float] = _NO_PRIORS
) -> Iterator[Candidate]:
    """Yield every single edit that the templates know at the places in this file, likeliest first, without duplicates.

    Each candidate parses and differs from the source. Text that an edit does not touch stays byte for byte. A source
    that does not parse yields nothing.
    """
    factors = _factors(hints, priors)
    for draft, changed in _distinct(source, places, hints, factors):
        yield Candidate(
            path=path,
            source=changed,
            template=draft.template.name,
            line=draft.line,
            summary=draft.edit.summary.render(draft.function or path),
            rank=draft.rank(factors),
            naturalness=draft.naturalness(factors),
        )


def pairs(
    path: str, source: str, places: Sequence[Place], hints: Hints, priors: Mapping[str, float] = _NO_PRIORS
) -> Iterator[Candidate]:
    """Yield combinations of two of the likeliest edits, likeliest first.

    Two edits in one function, or the same edit in two functions, rank above other combinations.
    """
    factors = _factors(hints, priors)
    likeliest = [draft for draft, _ in islice(_distinct(source, places, hints, factors), _PAIRED)]
    combined = []
    for first, second in combinations(likeliest, 2):
        near = first.chunk == second.chunk or first.edit.summary == second.edit.summary
        if not _overlap(first.edit, second.edit):
            share = _BOTH if near else _BOTH * _APART
            combined.append((first.rank(factors) * second.rank(factors) * share, first, second))
    combined.sort(key=itemgetter(0), reverse=True)
    seen, chunks = {source}, Chunks(source)
    for rank, first, second in combined:
        chunk = first.chunk if first.chunk == second.chunk else (0, len(source))
        changed = chunks.apply((*first.edit.replacements, *second.edit.replacements), chunk)
        if changed is None or changed in seen:
            continue
        seen.add(changed)
        yield Candidate(
            path=path,
            source=changed,
            template=f"{first.template.name}+{second.template.name}",
            line=min(first.line, second.line),
            summary=_joint_summary(first, second, path),
            rank=rank,
            naturalness=first.naturalness(factors) * second.naturalness(factors) * _BOTH,
        )


def all_candidates(
    sources: Mapping[str, str], places: Sequence[Place], hints: Hints, priors: Mapping[str, float]
) -> Iterator[Candidate]:
    """Yield the candidates of every suspicious file, likeliest first: single edits, then combinations of two."""
    for make in (candidates, pairs):
        streams = [
            make(path, source, [place for place in places if place.path == path], hints, priors)
            for path, source in sources.items()
        ]
        yield from heapq.merge(*streams, key=lambda candidate: -candidate.rank)


def _joint_summary(first: "_Draft", second: "_Draft", path: str) -> str:
    here, there = first.function or path, second.function or path
    if first.edit.summary == second.edit.summary:
        return first.edit.summary.render(here if here == there else f"{here} and {there}")
    other = second.edit.summary.render("" if here == there else there, SUBJECT_WIDTH // 2)
    start = first.edit.summary.render(here, SUBJECT_WIDTH - len(other) - 2)
    return f"{start}; {other[:1].lower()}{other[1:]}"


def _factors(hints: Hints, priors: Mapping[str, float]) -> dict[str, float]:
    """Return, for each template, how much the failures and the repository's history raise its likelihood."""
    by_failure = template_boosts(hints)
    return {name: by_failure.get(name, 1.0) * priors.get(name, 1.0) for name in {*by_failure, *priors}}


def _overlap(edit: Edit, other: Edit) -> bool:
    return any(
        (first.start < second.end and second.start < first.end) or first.start == second.start
        for first in edit.replacements
        for second in other.replacements
    )


def _distinct(
    source: str, places: Sequence[Place], hints: Hints, factors: dict[str, float]
) -> Iterator[tuple["_Draft", str]]:
    """Yield each draft with the source it leads to, likeliest first; drafts that lead to a known source are skipped."""
    try:
        module = Module(source)
    except (SyntaxError, ValueError):
        return
    drafts = list(_drafts(module, places, hints))
    drafts += _at_like_sites(drafts, source)
    drafts.sort(key=lambda draft: draft.rank(factors), reverse=True)
    seen, chunks = {source}, Chunks(source)
    for draft in drafts:
        changed = chunks.apply(draft.edit.replacements, draft.chunk)
        if changed is not None and changed not in seen:
            seen.add(changed)
            yield draft, changed


@dataclass(frozen=True, slots=True)
class _Draft:
    """An edit that was not applied yet. `function` is the name of the function around it, as `mean()`."""

    template: Template
    edit: Edit
    line: int
    function: str
    suspicion: float
    chunk: tuple[int, int]
    in_body: bool
    hides_cause: bool

    def rank(self, factors: dict[str, float]) -> float:
        """Return the likelihood, reduced for edits that are slow to try."""
        return self.suspicion * self._likelihood(factors) * (1.0 if self.in_body else _SLOW)

    def _likelihood(self, factors: dict[str, float]) -> float:
        likelihood = self.template.prior * self.edit.weight * factors.get(self.template.name, 1.0)
        return likelihood * (_BORROWED if self.edit.borrowed else 1.0) * (SYMPTOM if self.hides_cause else 1.0)

    def naturalness(self, factors: dict[str, float]) -> float:
        """Return the likelihood, raised for small edits and less dependent on the place than the rank."""
        size = sum(max(item.end - item.start, len(item.text)) for item in self.edit.replacements)
        return self._likelihood(factors) * (0.5 + 0.5 * self.suspicion) / (1 + size / 120)


def _drafts(module: Module, places: Sequence[Place], hints: Hints) -> Iterator[_Draft]:
    scopes: dict[ast.AST | None, dict[str, int]] = {}
    for statement, suspicion in suspects(module, places):
        function = statement if isinstance(statement, Function) else module.function_of(statement)
        bound = scopes.setdefault(function, first_bound_lines(function) if function else {})
        scope = Scope(module, function, statement, hints, bound)
        chunk = module.chunk(statement)
        body_start = module.body_start(statement)
        is_symptom = bool(places) and (places[0].path, statement.lineno) in hints.symptoms
        name = f"{function.name}()" if function is not None else ""
        for node in islice(own_nodes(statement, module), _MOST_NODES):
            for template in _ALL:
                if isinstance(node, template.kinds):
                    for edit in template.edits(node, scope):
                        line = getattr(node, "lineno", statement.lineno)
                        in_body = all(item.start >= body_start for item in edit.replacements)
                        hides_cause = is_symptom and template.name in TOLERANT
                        yield _Draft(template, edit, line, name, suspicion, chunk, in_body, hides_cause)


def _at_like_sites(drafts: Sequence[_Draft], source: str) -> list[_Draft]:
    """Return drafts that make the same edit in several places of a function."""
    sites = (
        ((draft.template.name, draft.chunk, edit_shape(draft.edit, source)), draft.edit, draft) for draft in drafts
    )
    return [replace(draft, edit=edit, suspicion=draft.suspicion * factor) for edit, draft, factor in like_sites(sites)]


class Chunks:
    """The functions of a source, for applying edits to.

    An edit stays inside its function, so parsing the changed function alone tells whether the whole source still
    parses, and is faster.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._degenerate: dict[tuple[int, int], int] = {}
        self._tidiers: dict[tuple[int, int], Tidier] = {}
        self._applied: set[tuple[tuple[int, int], str]] = set()

    def apply(self, replacements: Sequence[Replacement], span: tuple[int, int]) -> str | None:
        """Return the source with the edit, tidied; None if that does not parse, is degenerate or came up before."""
        if any(item.start < span[0] or item.end > span[1] for item in replacements):
            span = 0, len(self._source)  # a decorator stands above the first line of its function
        start, end = span
        before = self._source[start:end]
        if span not in self._tidiers:
            tree = Chunk(before).tree
            self._degenerate[span] = count_degenerate(tree) if tree is not None else 0
            self._tidiers[span] = Tidier(before)
        local = [Replacement(item.start - start, item.end - start, item.text) for item in replacements]
        after = apply(before, local)
        if (span, after) in self._applied:
            return None
        self._applied.add((span, after))
        chunk = Chunk(after)
        if chunk.tree is None or count_degenerate(chunk.tree) > self._degenerate[span]:
            return None
        return self._source[:start] + self._tidiers[span].tidy(local, chunk) + self._source[end:]
