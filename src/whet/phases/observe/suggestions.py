"""Signals from suggestions of people, agents and other systems: one per suggestion that is still open.

A suggestion whose case holds already gives no signal.
"""

from whet.cases.from_suggestion import holds
from whet.domain.lesson import Lesson
from whet.domain.signal import Signal
from whet.domain.suggestion import Suggestion
from whet.kit import Kit


class Suggestions:
    def __init__(self, kit: Kit) -> None:
        self._kit, self._ledger = kit, kit.ledger

    def observe(self, commit: str) -> tuple[Signal, ...]:
        lessons = [entry.read(Lesson) for entry in self._ledger.entries(kind="Lesson")]
        fulfilled = {lesson.signature for lesson in lessons if lesson.ending.worked}
        suggestions = [entry.read(Suggestion) for entry in self._ledger.entries(kind="Suggestion")]
        dropped = {entry.subject for entry in self._ledger.entries(kind="DroppedSuggestion")}
        still_open = [suggestion for suggestion in suggestions if suggestion.id not in fulfilled | dropped]
        return tuple(
            Signal.of("suggestions", suggestion.id, suggestion, suggestion.at)
            for suggestion in still_open
            if not holds(suggestion, commit, self._kit)
        )
