"""Live progress of a repair search."""

import time
from collections.abc import Callable, Iterable, Iterator

from whet.domain.plural import count
from whet.domain.progress import Progress
from whet.phases.propose.repair.candidate import Candidate

_REPORT_SECONDS = 0.2


class SearchProgress:
    """Counts tried and green candidates, and reports the rate and the best candidate so far."""

    def __init__(self, progress: Progress, clock: Callable[[], float] = time.monotonic) -> None:
        self._progress, self._clock = progress, clock
        self._began = self._reported = clock()
        self._tried = self._green = 0
        self._best: Candidate | None = None

    def counted(self, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        """Yield the candidates unchanged, counting each as tried when it is taken."""
        for candidate in candidates:
            self._tried += 1
            now = self._clock()
            if now - self._reported >= _REPORT_SECONDS:
                self._reported = now
                self._progress.note(self._report(now - self._began))
            yield candidate

    def green(self, candidates: Iterable[Candidate]) -> None:
        """Note candidates that turned the target tests green."""
        for candidate in candidates:
            self._green += 1
            if self._best is None or candidate.naturalness > self._best.naturalness:
                self._best = candidate

    def _report(self, seconds: float) -> str:
        tried = f"{count(self._tried, 'edit')} tried, {self._tried / seconds:.0f} a second"
        return f"{tried}; {self._green} green, best so far: {self._best.summary}" if self._best else tried
