"""Live progress of a search."""

import time
from collections.abc import Callable, Iterable, Iterator

from whet.domain.progress import Progress
from whet.phases.propose.repair.candidate import Candidate

_REPORT_SECONDS = 0.2


class Tally:
    """How far the search is: what was tried, how fast, and the likeliest that turned the targets green."""

    def __init__(self, progress: Progress, clock: Callable[[], float] = time.monotonic) -> None:
        self._progress, self._clock = progress, clock
        self._began = self._said = clock()
        self._tried = self._green = 0
        self._best: Candidate | None = None

    def counted(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        """The same ones, as they are taken to be tried."""
        for candidate in candidates:
            self._tried += 1
            now = self._clock()
            if now - self._said >= _REPORT_SECONDS:
                self._said = now
                self._progress.note(self._words(now - self._began))
            yield candidate

    def green(self, candidates: Iterable[Candidate]) -> None:
        for candidate in candidates:
            self._green += 1
            self._best = max(self._best or candidate, candidate, key=lambda one: one.naturalness)

    def _words(self, seconds: float) -> str:
        tried = f"{self._tried} edits tried, {self._tried / seconds:.0f} a second"
        return f"{tried}; {self._green} green, best so far {self._best.summary}" if self._best else tried
