"""`Implementation`: the function that a tool runs at present, with its call counters and its sampling state.

A tool has one implementation at a time. Replacing it is a single attribute store, so every call runs entirely on the old
or entirely on the new one. The counters belong to the implementation and not to the tool, so that the figures of two
versions never mix.
"""

from __future__ import annotations

from itertools import count
from random import random
from time import perf_counter_ns

from whet.runtime.capture.failure import describe
from whet.runtime.capture.values import SHORT, UNCHANGING, capture, capture_one

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from whet.runtime.capture.capturer import Capturer
    from whet.runtime.capture.values import Captured
    from whet.runtime.tool import Tool

NEVER = 1 << 62
UNSAMPLED = 100
"""The first 100 calls and the first 100 failures of each implementation in each process are captured whatever they cost,
because a share of the run time of a tool that ran ten times is meaningless. At about 30 microseconds each this takes 3 ms
once."""

_HALVE_AFTER = 4096
"""After this many samples the sums behind the estimates are halved, so that the estimates follow a tool whose run time
changes."""


def _no_capturer(_implementation: Implementation) -> Capturer | None:
    return None


capturer_for: Callable[[Implementation], Capturer | None] = _no_capturer
"""Returns the capturer of an implementation, or None. `whet.runtime.settings` sets this when `whet.runtime` is imported.
A hook and not an import: the capturer's thread creates a tool, and so would otherwise import this module in a circle."""


class Implementation:
    """A tool's function with its counters.

    `calls` and `errors` are `itertools.count` objects: `next()` on them is atomic, so threads need no lock. `due` is the
    number of the next call to capture and `error_due` that of the next failure. The sums behind the sampling are
    estimates; an update lost between two threads does no harm.
    """

    __slots__ = (
        "__weakref__",
        "arm",
        "calls",
        "calls_counted",
        "capturer",
        "cost_ns",
        "due",
        "error_cost_ns",
        "error_due",
        "error_samples",
        "errors",
        "errors_counted",
        "function",
        "own_ns",
        "samples",
        "tool",
        "unsampled_calls",
        "unsampled_errors",
        "version",
    )  # fmt: skip

    def __init__(
        self, tool: Tool, function: Callable[..., Any], version: str | None = None, arm: str = "current"
    ) -> None:
        self.tool = tool
        self.function = function
        self.version = version
        """None until the capturer asks for it; then the digest of the source that declared the tool."""
        self.arm = arm
        self.capturer: Capturer | None = None
        self.calls = count()
        self.errors = count()
        self.calls_counted = self.errors_counted = 0
        self.reset()

    def reset(self) -> None:
        """Capture the next call again and look up its capturer again."""
        self.capturer = None
        self.due = self.error_due = 0
        self.unsampled_calls = self.unsampled_errors = UNSAMPLED
        self.samples = self.own_ns = self.cost_ns = 0
        self.error_samples = self.error_cost_ns = 0

    @property
    def mean_ns(self) -> float:
        return self.own_ns / self.samples if self.samples else 0.0

    @property
    def mean_cost_ns(self) -> float:
        """Return the mean time that capturing one call, failed or not, takes on the caller's thread."""
        return (self.cost_ns + self.error_cost_ns) / ((self.samples + self.error_samples) or 1)

    def take_counts(self) -> tuple[int, int]:
        """Return the calls and failures since the last time. Only the drainer may call this.

        Reading an `itertools.count` consumes a number, which no call gets then; hence the `+ 1`.
        """
        calls, errors = next(self.calls), next(self.errors)
        new = calls - self.calls_counted, errors - self.errors_counted
        self.calls_counted, self.errors_counted = calls + 1, errors + 1
        return new

    def succeeded(self, number: int, inputs: Captured, output: object, before_ns: int, own_ns: int, ended: int) -> None:
        """Capture a call that returned. `before_ns` is the time that capturing its inputs took, `ended` when it returned."""
        capturer = self.capturer
        if capturer is None:
            return
        if not capturer.sampling.most:
            self.due = NEVER
            return
        kind = type(output)
        # The test of `capture_one`, repeated here to save a function call on every captured call.
        if kind in UNCHANGING or (kind is str and len(output) <= SHORT):  # type: ignore[arg-type] # it is a str
            weight = inputs[2]
        else:
            output, weight = capture_one(output)
            weight += inputs[2]
        capturer.put((self, ended, own_ns, inputs, output, None), weight)
        self.samples += 1
        self.own_ns += own_ns
        self.cost_ns += before_ns + perf_counter_ns() - ended
        if self.unsampled_calls > 0:
            self.unsampled_calls -= 1
        else:
            self._schedule_next(number, capturer)

    def failed(self, number: int, inputs: Captured, error: Exception, before_ns: int, own_ns: int, ended: int) -> None:
        """Capture the failure of a call whose inputs were captured. Its run time enters the estimates in any case."""
        self.samples += 1
        self.own_ns += own_ns
        self._capture_failure(number, inputs, error, own_ns, before_ns, ended)
        capturer = self.capturer
        if capturer is not None and self.unsampled_calls <= 0:
            self._schedule_next(number, capturer)

    def failed_uncaptured(self, number: int, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> None:
        """Capture the failure of a call that was only being counted.

        Its inputs are captured now, after the call, and marked so if the call could have changed them. Its duration is
        unknown.
        """
        entered = perf_counter_ns()
        if self.due != NEVER or self.capturer is not None:
            self._capture_failure(number, None, error, None, 0, entered, args, kwargs)

    def _capture_failure(
        self,
        number: int,
        inputs: Captured | None,
        error: Exception,
        own_ns: int | None,
        before_ns: int,
        ended: int,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        failure_number = next(self.errors)
        if failure_number < self.error_due:
            return
        capturer = self.capturer
        if capturer is None:
            return
        inputs = inputs or capture(args, kwargs or {}, before=False)
        capturer.put((self, ended, own_ns, inputs, None, describe(error)), inputs[2] + 1)
        capturer.urgent = True
        self.error_samples += 1
        self.error_cost_ns += before_ns + perf_counter_ns() - ended
        if self.unsampled_errors > 0:
            self.unsampled_errors -= 1
        else:
            share = (failure_number + 1) / (number + 1)
            gap = capturer.sampling.error_gap(self.mean_ns, self.error_cost_ns / self.error_samples, share)
            self.error_due = failure_number + int(2 * gap * random()) if gap > 1 else 0  # noqa: S311 (a sample)

    def _schedule_next(self, number: int, capturer: Capturer) -> None:
        """Set `due` so far ahead that the cost of capturing stays within its share of the tool's own run time."""
        gap = capturer.sampling.gap(self.mean_ns, self.cost_ns / self.samples)
        self.due = number + int(2 * gap * random()) if gap > 1 else 0  # noqa: S311 (a sample, not a secret)
        if self.samples > _HALVE_AFTER:
            self.samples //= 2
            self.own_ns //= 2
            self.cost_ns //= 2

    def find_capturer(self) -> None:
        """Look up the capturer. Called before the first captured call runs, so that it counts even if it never returns."""
        self.capturer = capturer = capturer_for(self)
        if capturer is None:
            self.due = self.error_due = NEVER
        elif capturer.sampling.most < 1:
            self.unsampled_calls = 0

    def detach(self) -> None:
        """Leave the capturer. The next call, if there is one, enrols with it again."""
        self.capturer = None
        self.due = self.error_due = 0
