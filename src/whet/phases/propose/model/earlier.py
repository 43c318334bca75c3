"""Earlier patches for the same failure that were rejected or did not pass, as examples of what not to do."""

from collections.abc import Iterator

from whet.conversation.prompt import Quotation, cut
from whet.domain.build import Build
from whet.domain.lesson import Lesson
from whet.ledger.ledger import Ledger

_MOST_PATCHES = 3
_MOST_LINES = 60


def earlier_patches(ledger: Ledger, signature: str) -> list[Quotation]:
    """Return the last failed patches for a failure signature, newest first, each with how it ended."""
    quotations: list[Quotation] = []
    for lesson in reversed([entry.read(Lesson) for entry in ledger.entries(kind="Lesson")]):
        if lesson.signature != signature or lesson.ending.worked or len(quotations) >= _MOST_PATCHES:
            continue
        for diff in _diffs(ledger, lesson):
            why = f"{lesson.ending.value.replace('_', ' ')}: {lesson.summary}"
            quotations.append(
                Quotation.of("An earlier patch that must not be repeated", f"{why}\n{cut(diff, _MOST_LINES)}")
            )
            break
    return quotations


def _diffs(ledger: Ledger, lesson: Lesson) -> Iterator[str]:
    """Yield the diff that a lesson is about."""
    for entry in ledger.entries(kind="Build", subject=lesson.proposal):
        build = entry.read(Build)
        for patch in (*build.patches, *build.unconvincing):
            if not lesson.patch_digest or patch.digest == lesson.patch_digest:
                yield patch.diff
