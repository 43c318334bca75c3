"""Join findings that have one cause: their failing tests share the most suspicious lines."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from whet.domain.finding import Finding
from whet.target.suspicion.blame import Blame, CodePlace

# A failing test that blames more functions than this blames none of them in particular.
_MOST_FUNCTIONS = 3


def common_causes(blamed: Mapping[str, Blame]) -> list[tuple[tuple[CodePlace, ...], list[str]]]:
    """Return the groups of failing tests that have one cause, each with the functions that they share.

    Tests with the same functions have one cause if they also share a suspicious line in them. The smallest sets of
    functions are the causes; a test with a larger set belongs to the only cause within it, if that is at least half of
    the set.
    """
    functions = {test: frozenset(blame) for test, blame in blamed.items() if blame}
    causes = {cause for cause in functions.values() if not any(other < cause for other in functions.values())}
    small = {cause for cause in causes if len(cause) <= _MOST_FUNCTIONS}
    members: dict[frozenset[CodePlace], list[str]] = {}
    for test, places in functions.items():
        within = [cause for cause in causes if cause <= places]
        if len(within) == 1 and within[0] in small and 2 * len(within[0]) >= len(places):
            members.setdefault(within[0], []).append(test)
    return [
        (tuple(sorted(cause)), group)
        for cause, tests in members.items()
        for group in _share_lines(tests, cause, blamed)
        if len(group) > 1
    ]


def part_to_keep(findings: Sequence[Finding], proposed: Iterable[str]) -> Finding:
    """Return the part whose title, id and signature a joint finding keeps, so that a later run recognises it.

    `proposed` are the signatures that a change was proposed for, the latest first: rejections of a part count for the
    whole. Without one, the part with the lowest signature is kept.
    """
    by_signature = {finding.signature: finding for finding in findings}
    known = next((signature for signature in proposed if signature in by_signature), min(by_signature))
    return by_signature[known]


def combine(findings: Sequence[Finding], first: Finding, reasons: Iterable[str]) -> Finding:
    """Return one finding with the subjects, paths and signals of all; the rest is that of `first`."""
    ordered = [first, *(finding for finding in findings if finding is not first)]
    return replace(
        first,
        subjects=tuple(subject for finding in ordered for subject in finding.subjects),
        paths=tuple(dict.fromkeys(path for finding in ordered for path in finding.paths)),
        signals=tuple(signal for finding in ordered for signal in finding.signals),
        reasons=tuple(reasons),
    )


def _share_lines(tests: Sequence[str], cause: frozenset[CodePlace], blamed: Mapping[str, Blame]) -> list[list[str]]:
    """Split tests that blame the same functions into groups that are connected by shared lines."""
    groups: list[tuple[set[tuple[CodePlace, int]], list[str]]] = []
    for test in tests:
        lines = {(place, line) for place in cause for line in blamed[test][place]}
        names = [test]
        apart = []
        for group in groups:
            if group[0] & lines:
                lines |= group[0]
                names = [*group[1], *names]
            else:
                apart.append(group)
        groups = [*apart, (lines, names)]
    return [names for _, names in groups]
