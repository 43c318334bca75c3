"""How many calls are kept, so that recording stays within its share of the tools' own time.

Three costs are measured: what a kept call costs on the caller's thread and on the drainer's, and what a call costs that
is only counted. The last cannot be lowered; the others are spread over as many calls as it takes.
"""

from __future__ import annotations

from whet.domain.execution import MOST_SHARE

FOR_FAILURES = 0.01
"""Of the hard limit, so much is never given to calls that succeeded."""

LONGEST_GAP = 10_000
"""However dear keeping is, one call in so many is kept: the estimates live from it."""

LONGEST_REST_SECONDS = 5.0


class Sampling:
    def __init__(self, most: float, limit: float) -> None:
        self.most = most
        """The largest share of calls that is kept, whatever it costs."""
        self.floor_ns = 150.0
        """What a call costs that is only counted; the drainer measures it."""
        self.drain_ns = 20_000.0
        """What a kept call costs on the drainer's thread; it measures that too."""
        self._share = min(limit, MOST_SHARE - FOR_FAILURES) / 2
        """It aims at half of what it may take: the estimates are of the past."""

    def gap(self, own_ns: float, cost_ns: float) -> float:
        """How many calls to each kept one, from the tool's mean time and the cost of keeping on the caller's thread."""
        return max(_gap(own_ns * self._share - self.floor_ns, cost_ns + self.drain_ns), 1 / self.most)

    def error_gap(self, own_ns: float, cost_ns: float, share: float) -> float:
        """The same for failures, which are `share` of the calls. They get what is left up to the hard limit, so that they
        are the last to be sampled."""
        return _gap(own_ns * (MOST_SHARE / 2 - self._share), share * (cost_ns + self.drain_ns))

    def drained(self, entries: int, thread_ns: int) -> None:
        weight = min(entries / 100, 0.5)
        self.drain_ns += weight * (thread_ns / entries - self.drain_ns)

    def rest_seconds(self, fixed_ns: int, own_ns: float, elapsed_seconds: float) -> float:
        """How long until the next write, if nothing fails: a write costs something however little is in it, and that is to
        be a quarter of what the tools' own time allows for, or to be rare."""
        affordable = own_ns * self._share / 4
        return min(elapsed_seconds * fixed_ns / max(affordable, 1.0), LONGEST_REST_SECONDS)


def _gap(allowed_ns: float, cost_ns: float) -> float:
    return cost_ns / max(allowed_ns, cost_ns / LONGEST_GAP)
