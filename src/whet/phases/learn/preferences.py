"""The learner of preferences: keeps an engine from repeating what people always reject."""

from whet.domain.finding import Finding
from whet.domain.preference import Preference
from whet.kit import Kit
from whet.knowledge.preferences import muting, read_preferences


class Preferences:
    def __init__(self, kit: Kit) -> None:
        self._ledger = kit.ledger
        self._read: tuple[int, tuple[Preference, ...]] = (-1, ())

    def why_not(self, finding: Finding, engine: str, base: str) -> str:
        muted = muting(finding, engine, self._preferences())
        return f"people rejected it every time ({muted.sentence}); `whet unlearn {muted.id}` ends this" if muted else ""

    def _preferences(self) -> tuple[Preference, ...]:
        """Read the preferences once for each state of the ledger: a cycle asks for every finding and engine."""
        seq = self._ledger.head().seq
        if self._read[0] != seq:
            self._read = (seq, read_preferences(self._ledger))
        return self._read[1]

    def avoid(self, signature: str) -> frozenset[str]:
        return frozenset()
