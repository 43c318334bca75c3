from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from whet.config import TargetPolicy
from whet.domain.attribution import Attribution
from whet.domain.canonical import digest
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding, FindingKind
from whet.domain.layer import Layer
from whet.domain.payload import FailingTest
from whet.domain.plural import count
from whet.domain.signal import Signal
from whet.domain.suggestion import Suggestion
from whet.errors import SignalUnclaimed, UsageError
from whet.phases.diagnose import Analyzer, Joiner
from whet.phases.diagnose.ci_tests import merged_with_failing_tests
from whet.phases.diagnose.layer_of import layer_of
from whet.phases.diagnose.one_cause import combine
from whet.store.codec import decode

Attribute = Callable[[Finding, str], Attribution | None]
_SUGGESTED_BONUS = 0.05
"""Added to the score of a finding in a file that somebody suggested to improve."""
_TROUBLED_BONUS = 0.03
"""Added to the score of a finding in a file that has a troubled history."""


def find(
    signals: Sequence[Signal], analyzers: Mapping[str, Analyzer], base: str, tests: Sequence[str] = ()
) -> tuple[Finding, ...]:
    """Group the signals of commit `base` into findings, best first. Refuse a signal whose kind no analyzer claims.

    `tests` names failing tests to take together as the only finding.
    """
    claimed = _claims(analyzers)
    for signal in signals:
        if signal.kind not in claimed:
            raise SignalUnclaimed(
                f"the source {signal.source!r} gives signals of kind {signal.kind!r}, and no analyzer claims that kind",
                f"install an analyzer for it (entry-point group whet.analyzers), or take {signal.source!r} out of observe.sources",
            )
    if tests:
        signals = [signal for signal in signals if signal.kind == FailingTest.kind and signal.subject in tests]
    findings = []
    for name, analyzer in analyzers.items():
        own = [signal for signal in signals if claimed[signal.kind] == name]
        grouped = list(analyzer.findings(own))
        if isinstance(analyzer, Joiner) and not tests:
            grouped = list(analyzer.joined(grouped, base))
        findings += [replace(finding, minimum_signals=analyzer.minimum_signals) for finding in grouped]
    if tests and findings:
        return (_named_together(findings),)
    findings = merged_with_failing_tests(findings)
    suggested = _suggested_paths(signals)
    troubled = frozenset(path for finding in findings if finding.kind == FindingKind.HISTORY for path in finding.paths)
    ranked = [_raised(_raised_by_history(finding, troubled), suggested) for finding in findings]
    return tuple(sorted(ranked, key=lambda finding: (-finding.score, finding.title)))


def _claims(analyzers: Mapping[str, Analyzer]) -> dict[str, str]:
    """Return the name of the analyzer for each signal kind."""
    claimed: dict[str, str] = {}
    for name, analyzer in analyzers.items():
        for kind in analyzer.kinds:
            if kind in claimed:
                raise UsageError(
                    f"the analyzers {claimed[kind]!r} and {name!r} both claim signals of kind {kind!r}",
                    "uninstall one of the two packages",
                )
            claimed[kind] = name
    return claimed


def _named_together(findings: Sequence[Finding]) -> Finding:
    """Combine the findings of the named tests into one; it keeps the title of the first."""
    number = sum(len(finding.subjects) for finding in findings)
    together = combine(findings, findings[0], [f"{count(number, 'failing test')}, named together"])
    signature = digest(["named", *sorted(together.subjects)])[:16]
    return replace(together, id=f"f-{signature[:8]}", signature=signature)


def _suggested_paths(signals: Sequence[Signal]) -> frozenset[str]:
    suggestions = (decode(Suggestion, signal.payload) for signal in signals if signal.kind == Suggestion.kind)
    return frozenset(suggestion.where for suggestion in suggestions if suggestion.where)


def _raised(finding: Finding, suggested: frozenset[str]) -> Finding:
    """Raise the score of a finding in a file that a suggestion names; the suggestion itself keeps its score."""
    if finding.signals[0].kind == Suggestion.kind or not suggested.intersection(finding.paths):
        return finding
    score = round(min(1.0, finding.score + _SUGGESTED_BONUS), 3)
    return replace(finding, score=score, reasons=(*finding.reasons, "someone asked for an improvement there"))


def _raised_by_history(finding: Finding, troubled: frozenset[str]) -> Finding:
    """Raise the score of a finding in a file with a troubled history; the finding about the history itself keeps its score."""
    if finding.kind == FindingKind.HISTORY or not troubled.intersection(finding.paths):
        return finding
    score = round(min(1.0, finding.score + _TROUBLED_BONUS), 3)
    return replace(finding, score=score, reasons=(*finding.reasons, "the history of its file shows trouble"))


def diagnose(
    findings: Sequence[Finding],
    analyzers: Mapping[str, Analyzer],
    base: str,
    layers: TargetPolicy,
    top: int,
    attribute: Attribute | None = None,
) -> tuple[Diagnosis, ...]:
    """Localise findings in their order, until `top` of them have a suspicious place, and attribute these to layers.

    `attribute` replays a finding with earlier versions; where it cannot, the most suspicious file gives the layer.
    """
    claimed = _claims(analyzers)
    located = (_diagnosis(finding, analyzers[claimed[finding.signals[0].kind]], base, layers) for finding in findings)
    chosen = islice((diagnosis for diagnosis in located if diagnosis.places), top)
    if attribute is None:
        return tuple(chosen)
    return tuple(_attributed(diagnosis, attribute(diagnosis.finding, base)) for diagnosis in chosen)


def _attributed(diagnosis: Diagnosis, attribution: Attribution | None) -> Diagnosis:
    if attribution is None:
        return diagnosis
    evidence = (*diagnosis.evidence, *attribution.evidence)
    return replace(diagnosis, layer=attribution.layer, attribution=attribution, evidence=evidence)


def _diagnosis(finding: Finding, analyzer: Analyzer, base: str, layers: TargetPolicy) -> Diagnosis:
    places = analyzer.places(finding, base)
    paths = [place.path for place in places] or list(finding.paths)
    top = places[0] if places else None
    evidence = (*finding.reasons, *((f"{top.path}:{top.line} in {top.function}: {top.why}",) if top else ()))
    return Diagnosis(
        finding=finding,
        layer=layer_of(paths[0], layers) if paths else Layer.BEHAVIOR,
        places=places,
        evidence=evidence,
        confidence=top.suspicion if top else 0.5,
    )
