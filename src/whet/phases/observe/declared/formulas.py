"""Source of signals: declared formulas that get a case wrong or lack a property."""

from collections.abc import Iterator

from whet.domain.clock import now
from whet.domain.signal import Signal
from whet.kit import Kit
from whet.knowledge.formulas.red_formula import CannotBeTried, broken_formula


class Formulas:
    def __init__(self, kit: Kit) -> None:
        self._kit, self._declared = kit, kit.policy.formulas.declared
        self.skipped: tuple[str, ...] = ()

    def observe(self, commit: str) -> tuple[Signal, ...]:
        """Return one signal for each formula that is wrong. Raise BadConfig for one that does not exist.

        A formula whose module cannot be imported is skipped: the suite shows that, too.
        """
        self.skipped = ()
        return tuple(self._signals(self._kit.git.tree_of(commit))) if self._declared else ()

    def _signals(self, tree: str) -> Iterator[Signal]:
        at = now()
        for number, name in enumerate(sorted(self._declared), 1):
            self._kit.progress.advance("formulas", number, len(self._declared))
            try:
                broken = broken_formula(name, tree, self._kit)
            except CannotBeTried as problem:
                self.skipped += (f"{name}: {problem}",)
                continue
            if broken:
                yield Signal.of("formulas", name, broken, at)
