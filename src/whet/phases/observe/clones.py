"""Source of signals: other places with code that a proven fix has mended."""

from collections.abc import Iterator

from whet.domain.clock import now
from whet.domain.pattern import Pattern
from whet.domain.payload import ClonedMistake
from whet.domain.signal import Signal
from whet.kit import Kit
from whet.knowledge.clones import clones_in
from whet.knowledge.library import read_library
from whet.knowledge.red_clones import red_clone

_LARGEST = 500_000
_MOST_TRIED = 8  # places at which functions are called; each takes two short runs in the sandbox


class Clones:
    """Searches the tree for the statements that proven fixes of this repository have changed, and calls the functions
    there, to see whether they fail as the mended one did."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git = kit, kit.git

    def observe(self, commit: str) -> tuple[Signal, ...]:
        patterns = [pattern for pattern in read_library(self._kit.ledger).usable if not pattern.imported]
        return tuple(self._signals(patterns, commit)) if patterns else ()

    def _signals(self, patterns: list[Pattern], commit: str) -> Iterator[Signal]:
        entries = [entry for entry in self._git.entries(self._git.tree_of(commit)) if self._is_source(entry.path)]
        at, tried, tree = now(), 0, self._git.tree_of(commit)
        for entry, content in zip(entries, self._git.blobs([entry.blob for entry in entries]), strict=True):
            if len(content) > _LARGEST:
                continue
            source = content.decode(errors="replace")
            for pattern, hit in clones_in(source, patterns):
                tried += 1
                example = pattern.examples[0]
                red = red_clone(self._kit, tree, entry.path, source, hit, example) if tried <= _MOST_TRIED else None
                mistake = ClonedMistake(
                    pattern=pattern.id,
                    path=entry.path,
                    line=hit.first_line,
                    code=hit.code,
                    mended_by=example.proposal,
                    mended_in=example.path,
                    replay=red.regression if red else None,
                    failures=red.failures if red else {},
                )
                yield Signal.of("clones", pattern.id, mistake, at)

    def _is_source(self, path: str) -> bool:
        return path.endswith(".py") and not self._kit.is_test(path)
