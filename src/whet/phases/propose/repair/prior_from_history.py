"""Raise the likelihood of templates whose fixes worked in this repository before."""

from collections import Counter
from typing import TYPE_CHECKING

from whet.domain.build import Build
from whet.domain.lesson import Lesson

if TYPE_CHECKING:
    from whet.ledger.ledger import Ledger

_PER_SUCCESS, _MOST = 0.2, 2.0


def template_priors(ledger: "Ledger") -> dict[str, float]:
    """Return a factor for each template, by its name: above 1 if its patches were accepted in this repository before."""
    successes: Counter[str] = Counter()
    for entry in ledger.entries(kind="Lesson"):
        lesson = entry.read(Lesson)
        if lesson.engine == "repair" and lesson.ending.worked:
            successes.update(_templates(ledger, lesson))
    return {template: min(1 + _PER_SUCCESS * count, _MOST) for template, count in successes.items()}


def _templates(ledger: "Ledger", lesson: Lesson) -> list[str]:
    """Return the names of the templates that made the lesson's patch."""
    for entry in ledger.entries(kind="Build", subject=lesson.proposal):
        if made_by := entry.read(Build).made_by.get(lesson.patch_digest):
            return made_by.split("+")
    return []
