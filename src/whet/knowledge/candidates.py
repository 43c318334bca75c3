"""Apply patterns at the suspicious places of a failure, the likeliest first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from whet.domain.pattern import Pattern, Rule
from whet.domain.place import Place
from whet.knowledge.examples import example_from
from whet.knowledge.library import Library, rule_of
from whet.knowledge.rewrite import AppliedRule, applications
from whet.knowledge.similarity import Similarity
from whet.knowledge.syntax import parse

MOST = 24


@dataclass(frozen=True)
class KnownFixCandidate:
    """A file rewritten by a pattern at one place."""

    pattern: Pattern
    path: str
    hit: AppliedRule
    order: tuple[float, ...]

    @property
    def line(self) -> int:
        return self.hit.first_line

    @property
    def source(self) -> str:
        return self.hit.source


@dataclass(frozen=True)
class FailureText:
    """A failure as far as the ranking looks at it."""

    exception: str
    message: str


def candidates(
    library: Library,
    failure: FailureText,
    places: Sequence[Place],
    sources: Mapping[str, str],
    similar: Similarity,
) -> list[KnownFixCandidate]:
    """Return rewritten files, at most `MOST`.

    The order is: patterns that mended the same exception, the most suspicious place, the narrower match, then failure
    texts that are `similar` (0 counts as not at all), then the pattern's outcomes. A rewrite whose own rule was rejected is
    left out, whatever its variables are called.
    """
    offered: dict[tuple[str, str], KnownFixCandidate] = {}
    for candidate in _all(library.usable, failure, places, sources, similar):
        key = candidate.path, candidate.source
        if key not in offered or candidate.order < offered[key].order:
            offered[key] = candidate
    ranked = sorted(offered.values(), key=lambda candidate: (candidate.order, candidate.path, candidate.line))
    allowed = (item for item in ranked if not _was_rejected(item, sources[item.path], library))
    return [candidate for candidate, _ in zip(allowed, range(MOST), strict=False)]


def _all(
    patterns: Sequence[Pattern],
    failure: FailureText,
    places: Sequence[Place],
    sources: Mapping[str, str],
    similar: Similarity,
) -> Iterator[KnownFixCandidate]:
    likeness = {pattern.id: _likeness(pattern, failure, similar) for pattern in patterns}
    for path, source in sources.items():
        root, suspicion = parse(source), {place.line: place.suspicion for place in places if place.path == path}
        for pattern in patterns:
            kin, likest = likeness[pattern.id]
            for width, rule in _rules(pattern):
                for hit in applications(rule, source, root, suspicion):
                    order = (-kin, -_suspicion(hit, suspicion), width, -likest, -pattern.outcomes.weight)
                    yield KnownFixCandidate(pattern, path, hit, order)


def _rules(pattern: Pattern) -> Iterator[tuple[int, Rule]]:
    yield from ((0, context) for context in pattern.contexts)
    yield 1, pattern.rule


def _suspicion(hit: AppliedRule, suspicion: Mapping[int, float]) -> float:
    return max((suspicion.get(line, 0.0) for line in range(hit.first_line, hit.last_line + 1)), default=0.0)


def _likeness(pattern: Pattern, failure: FailureText, similar: Similarity) -> tuple[float, float]:
    """Return 1 if the pattern has mended the same exception, and the highest similarity of the failure texts."""
    kin = any(example.exception and example.exception == failure.exception for example in pattern.examples)
    best = max((similar(example.failure, failure.message) for example in pattern.examples), default=0.0)
    return float(kin), best


def _was_rejected(candidate: KnownFixCandidate, before: str, library: Library) -> bool:
    if not library.rejected:
        return False
    example = example_from(before, candidate.source, candidate.path, proposal="-", engine="-")
    rule = rule_of(example) if example else None
    return rule is not None and rule.id in library.rejected
