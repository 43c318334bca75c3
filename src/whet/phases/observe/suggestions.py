"""Signals from what people, agents and other systems asked for: one per suggestion that is still open."""

from whet.domain.lesson import Lesson
from whet.domain.plain import plain
from whet.domain.signal import Signal
from whet.domain.suggestion import Suggestion
from whet.phases.kit import Kit


class Suggestions:
    def __init__(self, kit: Kit) -> None:
        self._ledger = kit.ledger

    def observe(self, commit: str) -> tuple[Signal, ...]:
        del commit  # a suggestion stands whatever the code looks like
        lessons = [entry.read(Lesson) for entry in self._ledger.entries(kind="Lesson")]
        done = {lesson.signature for lesson in lessons if lesson.ending.worked}
        asked = [entry.read(Suggestion) for entry in self._ledger.entries(kind="Suggestion")]
        return tuple(_signal(suggestion) for suggestion in asked if suggestion.id not in done)


def _signal(suggestion: Suggestion) -> Signal:
    return Signal(
        source="suggestions", subject=suggestion.id, kind="suggestion", at=suggestion.at, payload=plain(suggestion)
    )
