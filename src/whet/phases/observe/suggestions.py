"""Signals from what people, agents and other systems asked for: one per suggestion that is still open.

A case that holds by now is no signal any more, whoever mended it.
"""

from whet.cases.from_suggestion import holds
from whet.domain.canonical import to_plain
from whet.domain.lesson import Lesson
from whet.domain.signal import Signal
from whet.domain.suggestion import Suggestion
from whet.kit import Kit


class Suggestions:
    def __init__(self, kit: Kit) -> None:
        self._kit, self._ledger = kit, kit.ledger

    def observe(self, commit: str) -> tuple[Signal, ...]:
        lessons = [entry.read(Lesson) for entry in self._ledger.entries(kind="Lesson")]
        done = {lesson.signature for lesson in lessons if lesson.ending.worked}
        asked = [entry.read(Suggestion) for entry in self._ledger.entries(kind="Suggestion")]
        still_open = [suggestion for suggestion in asked if suggestion.id not in done]
        return tuple(_signal(suggestion) for suggestion in still_open if not holds(suggestion, commit, self._kit))


def _signal(suggestion: Suggestion) -> Signal:
    return Signal(
        source="suggestions", subject=suggestion.id, kind="suggestion", at=suggestion.at, payload=to_plain(suggestion)
    )
