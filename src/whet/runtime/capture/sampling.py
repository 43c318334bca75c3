"""`Sampling`: decides how many calls to capture, so that capturing stays within its share of the tools' own run time.

Three costs are measured: a captured call on the caller's thread, a captured call on the drainer's thread, and a call that
is only counted. The last cannot be lowered; to stay within the share, the other two are spread over enough calls.
"""

from __future__ import annotations

from whet.domain.execution import MOST_SHARE

FOR_FAILURES = 0.01
"""The part of the hard limit that is reserved for failures."""

LONGEST_GAP = 10_000
"""At least one call in this many is captured whatever it costs, because the estimates need samples."""

LONGEST_REST_SECONDS = 5.0


class Sampling:
    """The measured costs of capturing, and the gaps between captured calls that follow from them."""

    def __init__(self, most: float, limit: float) -> None:
        self.most = most
        """The largest share of calls that is captured, however cheap that is."""
        self.counted_ns = 150.0
        """The cost of a call that is only counted; the drainer measures it."""
        self.drain_ns = 20_000.0
        """The cost of a captured call on the drainer's thread, which measures it."""
        self._share = min(limit, MOST_SHARE - FOR_FAILURES) / 2
        """Half of the allowed share is aimed at, because the estimates lag behind."""

    def gap(self, own_ns: float, cost_ns: float) -> float:
        """Return the number of calls per captured call, given the tool's mean time and the cost on the caller's thread."""
        return max(_gap(own_ns * self._share - self.counted_ns, cost_ns + self.drain_ns), 1 / self.most)

    def error_gap(self, own_ns: float, cost_ns: float, share: float) -> float:
        """Return the number of failures per captured failure; failures are `share` of the calls.

        They may use the rest of the hard limit, so that calls that worked are thinned out before failures are.
        """
        return _gap(own_ns * (MOST_SHARE / 2 - self._share), share * (cost_ns + self.drain_ns))

    def note_drain(self, entries: int, thread_ns: int) -> None:
        """Move the estimate of the drainer's cost towards what these entries took."""
        weight = min(entries / 100, 0.5)
        self.drain_ns += weight * (thread_ns / entries - self.drain_ns)

    def rest_seconds(self, fixed_ns: int, own_ns: float, elapsed_seconds: float) -> float:
        """Return how long to wait until the next write, unless a call fails.

        Each write has a fixed cost. It is to take at most a quarter of the time that capturing may take.
        """
        affordable = own_ns * self._share / 4
        return min(elapsed_seconds * fixed_ns / max(affordable, 1.0), LONGEST_REST_SECONDS)


def _gap(allowed_ns: float, cost_ns: float) -> float:
    return cost_ns / max(allowed_ns, cost_ns / LONGEST_GAP)
