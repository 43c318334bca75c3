"""Source of signals: better values of constants that `whet tune` found and nobody has proposed yet."""

from whet.domain.signal import Signal
from whet.domain.tuning import Tuning
from whet.errors import UsageError
from whet.kit import Kit
from whet.knowledge.constants import read_constants


class Tunings:
    def __init__(self, kit: Kit) -> None:
        self._git, self._ledger = kit.git, kit.ledger

    def observe(self, commit: str) -> tuple[Signal, ...]:
        """Return one signal for the last result of each name, if the constants still have the values that it started from."""
        latest = {entry.subject: entry for entry in self._ledger.entries(kind="Tuning")}
        tunings = [entry.read(Tuning) for entry in latest.values()]
        return tuple(
            Signal.of("tuning", tuning.name, tuning, tuning.found_at)
            for tuning in tunings
            if self._applies(tuning, commit)
        )

    def _applies(self, tuning: Tuning, commit: str) -> bool:
        text = (self._git.read(commit, tuning.path) or b"").decode(errors="replace")
        try:
            present = read_constants(tuning.path, text, dict.fromkeys(tuning.constants))
        except UsageError:
            return False
        return tuple(map(float, present.values())) == tuning.before
