"""The parts of reports that a look left out, with the reasons."""

from collections import Counter

from whet.domain.plural import count

_MOST_SENTENCES = 20


class Skips:
    """Counts of skipped things by place and reason."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str, str]] = Counter()

    def add(self, place: str, noun: str, why: str, number: int = 1) -> None:
        """Count things that are called `noun`; `place` is the file that they were in."""
        self._counts[place, noun, why] += number

    def total(self, noun: str) -> int:
        """Return how many things of that name were skipped."""
        return sum(number for (_, name, _), number in self._counts.items() if name == noun)

    def sentences(self) -> tuple[str, ...]:
        """Return one sentence per place and reason, the largest number first."""
        ranked = self._counts.most_common()
        shown = [
            f"{f'{place}: ' if place else ''}{count(number, noun)} skipped: {why}"
            for (place, noun, why), number in ranked[:_MOST_SENTENCES]
        ]
        if len(ranked) > _MOST_SENTENCES:
            shown.append(f"and {count(len(ranked) - _MOST_SENTENCES, 'more reason')} like these")
        return tuple(shown)
