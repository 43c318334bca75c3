"""Kinds of edits that this repository has needed before are likelier to be needed again."""

from collections import Counter
from typing import TYPE_CHECKING

from whet.domain.build import Build
from whet.domain.lesson import Lesson

if TYPE_CHECKING:
    from whet.ledger.ledger import Ledger

_EACH, _MOST = 0.2, 2.0


def learned(ledger: "Ledger") -> dict[str, float]:
    """Template name -> how much likelier the fixes that worked here make it."""
    worked = Counter(
        template
        for lesson in (entry.read(Lesson) for entry in ledger.entries(kind="Lesson"))
        if lesson.engine == "repair" and lesson.ending.worked
        for template in _templates(ledger, lesson)
    )
    return {template: min(1 + _EACH * times, _MOST) for template, times in worked.items()}


def _templates(ledger: "Ledger", lesson: Lesson) -> list[str]:
    for entry in ledger.entries(kind="Build", subject=lesson.proposal):
        if made_by := entry.read(Build).made_by.get(lesson.patch_digest):
            return made_by.split("+")
    return []
