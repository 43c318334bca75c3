"""Source of signals: code that a declared rewrite has not reached yet."""

from collections.abc import Iterator

from whet.domain.clock import now
from whet.domain.payload import CodemodPlaces
from whet.domain.signal import Signal
from whet.errors import EnvironmentProblem
from whet.kit import Kit
from whet.knowledge.codemod import package_of, rewritten_files


class Codemods:
    def __init__(self, kit: Kit) -> None:
        self._kit, self._git = kit, kit.git
        self.skipped: tuple[str, ...] = ()

    def observe(self, commit: str) -> tuple[Signal, ...]:
        """Return one signal for each file with such code. Codemods that cannot run are named in `skipped`."""
        self.skipped = ()
        return tuple(self._signals(self._git.tree_of(commit))) if self._kit.policy.codemods.declared else ()

    def _signals(self, tree: str) -> Iterator[Signal]:
        files, at = dict.fromkeys(self._git.files(tree)), now()
        for name, policy in self._kit.policy.codemods.declared.items():
            try:
                for file in rewritten_files(name, policy, tree, self._kit):
                    found = CodemodPlaces(path=file.path, package=package_of(file.path, files), lines=file.lines)
                    yield Signal.of("codemods", name, found, at)
            except EnvironmentProblem as problem:
                self.skipped = (*self.skipped, problem.message)
