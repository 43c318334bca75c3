"""What a call of a tool runs, with the counters that every call passes.

A tool has one at a time; replacing it is one store of one attribute, so a call runs wholly on the old or on the new one.
Counts belong to the implementation, not to the tool: a version's figures stay its own whenever the swap happens.
"""

from __future__ import annotations

from itertools import count
from random import random
from time import perf_counter_ns

from whet.runtime import settings
from whet.runtime.record.capture import SHORT, UNCHANGING, capture, capture_one
from whet.runtime.record.failure import describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from whet.runtime.record.capture import Captured
    from whet.runtime.record.recorder import Recorder
    from whet.runtime.tool import Tool

NEVER = 1 << 62
FIRST_KEPT = 100
"""So many calls, and as many failures, are kept of each implementation in each process whatever they cost: a share of
the time of a tool that ran ten times is nothing to go by. At some 30 microseconds each that is 3 ms, once."""

_FORGET_AFTER = 4096
"""Estimates halve their past so often, so that they follow a tool whose time changes."""


class Implementation:
    """`calls` and `errors` only ever count up, by one step that no thread can come between. `due` is the number of the
    next call to be kept. The sums behind the sampling are estimates: an update lost between threads does no harm."""

    __slots__ = (
        "__weakref__", "arm", "calls", "calls_counted", "cost_ns", "due", "error_cost_ns", "error_due", "error_samples", "errors",
        "errors_counted", "errors_first", "first", "function", "own_ns", "recorder", "samples", "tool", "version",
    )  # fmt: skip

    def __init__(
        self, tool: Tool, function: Callable[..., Any], version: str | None = None, arm: str = "current"
    ) -> None:
        self.tool = tool
        self.function = function
        self.version = version
        """None until the recorder needs it: then the digest of the source that the tool was declared in."""
        self.arm = arm
        self.recorder: Recorder | None = None
        self.calls = count()
        self.errors = count()
        self.calls_counted = self.errors_counted = 0
        self.reset()

    def reset(self) -> None:
        """The next call is kept, and asks again where records go."""
        self.recorder = None
        self.due = self.error_due = 0
        self.first = self.errors_first = FIRST_KEPT
        self.samples = self.own_ns = self.cost_ns = 0
        self.error_samples = self.error_cost_ns = 0

    @property
    def mean_ns(self) -> float:
        return self.own_ns / self.samples if self.samples else 0.0

    @property
    def mean_cost_ns(self) -> float:
        """What keeping a call, one that failed or not, takes on the caller's thread."""
        return (self.cost_ns + self.error_cost_ns) / ((self.samples + self.error_samples) or 1)

    def new_counts(self) -> tuple[int, int]:
        """Calls and failures since this was last asked. Reading a counter takes a number from it, which no call then has;
        only the drainer reads."""
        calls, errors = next(self.calls), next(self.errors)
        new = calls - self.calls_counted, errors - self.errors_counted
        self.calls_counted, self.errors_counted = calls + 1, errors + 1
        return new

    def succeeded(self, number: int, inputs: Captured, output: object, before_ns: int, own_ns: int, ended: int) -> None:
        """Keeps a call that returned. `before_ns` is what capturing its inputs cost, `ended` when it returned."""
        recorder = self.recorder
        if recorder is None:
            return
        if not recorder.sampling.most:
            self.due = NEVER
            return
        kind = type(output)
        if kind in UNCHANGING or (kind is str and len(output) <= SHORT):  # type: ignore[arg-type] # it is a str
            weight = inputs[2]
        else:
            output, weight = capture_one(output)
            weight += inputs[2]
        recorder.put((self, ended, own_ns, inputs, output, None), weight)
        self.samples += 1
        self.own_ns += own_ns
        self.cost_ns += before_ns + perf_counter_ns() - ended
        if self.first > 0:
            self.first -= 1
        else:
            self._space(number, recorder)

    def failed(self, number: int, inputs: Captured, error: Exception, before_ns: int, own_ns: int, ended: int) -> None:
        """A call that was to be kept raised: its time counts for the estimates whether or not the failure is kept."""
        self.samples += 1
        self.own_ns += own_ns
        self._keep_failure(number, inputs, error, own_ns, before_ns, ended)
        recorder = self.recorder
        if recorder is not None and self.first <= 0:
            self._space(number, recorder)

    def failed_unwatched(self, number: int, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> None:
        """A call that was not to be kept raised. Its inputs are taken now, after the call, and say so if they could have
        changed; how long it took is not known."""
        entered = perf_counter_ns()
        if self.due != NEVER or self.recorder is not None:
            self._keep_failure(number, None, error, None, 0, entered, args, kwargs)

    def _keep_failure(
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
        recorder = self.recorder
        if recorder is None:
            return
        inputs = inputs or capture(args, kwargs or {}, before=False)
        recorder.put((self, ended, own_ns, inputs, None, describe(error)), inputs[2] + 1)
        recorder.urgent = True
        self.error_samples += 1
        self.error_cost_ns += before_ns + perf_counter_ns() - ended
        if self.errors_first > 0:
            self.errors_first -= 1
        else:
            share = (failure_number + 1) / (number + 1)
            gap = recorder.sampling.error_gap(self.mean_ns, self.error_cost_ns / self.error_samples, share)
            self.error_due = failure_number + int(2 * gap * random()) if gap > 1 else 0  # noqa: S311 (a sample)

    def _space(self, number: int, recorder: Recorder) -> None:
        """Says which call is kept next: far enough that what keeping costs stays within its share of the tool's time."""
        gap = recorder.sampling.gap(self.mean_ns, self.cost_ns / self.samples)
        self.due = number + int(2 * gap * random()) if gap > 1 else 0  # noqa: S311 (a sample, not a secret)
        if self.samples > _FORGET_AFTER:
            self.samples //= 2
            self.own_ns //= 2
            self.cost_ns //= 2

    def find_recorder(self) -> None:
        """Asked by the first call to be kept, before it runs: also a call that never comes back is counted."""
        self.recorder = recorder = settings.recorder_of(self)
        if recorder is None:
            self.due = self.error_due = NEVER
        elif recorder.sampling.most < 1:
            self.first = 0

    def forget(self) -> None:
        """The drainer lost interest in what nobody calls; the next call, if it comes, is announced to it again."""
        self.recorder = None
        self.due = self.error_due = 0
