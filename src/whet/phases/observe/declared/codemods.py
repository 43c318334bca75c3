"""Source of signals: code that a declared rewrite has not reached yet."""

from collections.abc import Iterator

from whet.domain.clock import now
from whet.domain.payload import CodemodPlaces
from whet.domain.signal import Signal
from whet.kit import Kit
from whet.knowledge.codemod import matches, package_of, rewritten_file


class Codemods:
    def __init__(self, kit: Kit) -> None:
        self._kit, self._git = kit, kit.git

    def observe(self, commit: str) -> tuple[Signal, ...]:
        """Return one signal for each file with such code."""
        return tuple(self._signals(self._git.tree_of(commit))) if self._kit.policy.codemods.declared else ()

    def _signals(self, tree: str) -> Iterator[Signal]:
        files, at = dict.fromkeys(self._git.files(tree)), now()
        for name, policy in self._kit.policy.codemods.declared.items():
            for path, text, places in matches(policy, tree, self._kit):
                if rewritten_file(text, places) != text:
                    found = CodemodPlaces(
                        path=path, package=package_of(path, files), lines=tuple(place.first_line for place in places)
                    )
                    yield Signal.of("codemods", name, found, at)
