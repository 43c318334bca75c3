"""Apply one edit at every like site: a mistake is often copied, as `a < b and c < d` for `a <= b and c <= d`."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from typing import TypeVar

from whet.phases.propose.repair.candidate import Edit, Replacement

_MOST_SITES, _MOST_TOGETHER = 6, 4
ALL_SITES, SOME_SITES = 0.6, 0.35

Site = TypeVar("Site")


def edit_shape(edit: Edit, source: str) -> Hashable:
    """Return what an edit does regardless of its place: each text that it replaces, and the new one."""
    return tuple((source[item.start : item.end], item.text) for item in edit.replacements)


def like_sites(sites: Iterable[tuple[Hashable, Edit, Site]]) -> Iterator[tuple[Edit, Site, float]]:
    """Yield joint edits of sites that have the same key: of all sites, and of two of a few; each with a factor.

    The result has what belongs to the first of the joint sites, such as its line. Insertions of lines are left out.
    """
    groups: dict[Hashable, list[tuple[Edit, Site]]] = defaultdict(list)
    for key, edit, site in sites:
        if not any(item.start == item.end and "\n" in item.text for item in edit.replacements):
            groups[key].append((edit, site))
    for group in groups.values():
        if 2 <= len(group) <= _MOST_SITES:
            yield from _joined(group, ALL_SITES)
            if 2 < len(group) <= _MOST_TOGETHER:
                for two in combinations(group, 2):
                    yield from _joined(list(two), SOME_SITES)


def _joined(group: list[tuple[Edit, Site]], factor: float) -> Iterator[tuple[Edit, Site, float]]:
    parts = sorted((item for edit, _ in group for item in edit.replacements), key=lambda item: (item.start, item.end))
    if not _overlap(parts):
        first, site = group[0]
        summary = replace(first.summary, form=f"{first.summary.form} in {len(group)} places")
        yield Edit(tuple(parts), summary, first.weight, first.borrowed), site, factor


def _overlap(parts: list[Replacement]) -> bool:
    return any(first.end > second.start or first.start == second.start for first, second in pairwise(parts))
