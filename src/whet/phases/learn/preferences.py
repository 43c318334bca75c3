"""The learner of preferences: keeps an engine from repeating what people always reject."""

from whet.domain.finding import Finding
from whet.kit import Kit
from whet.knowledge.preferences import muting, read_preferences


class Preferences:
    def __init__(self, kit: Kit) -> None:
        self._ledger = kit.ledger

    def why_not(self, finding: Finding, engine: str, base: str) -> str:
        muted = muting(finding, engine, read_preferences(self._ledger))
        return f"people rejected it every time ({muted.sentence}); `whet unlearn {muted.id}` ends this" if muted else ""

    def avoid(self, signature: str) -> frozenset[str]:
        return frozenset()
