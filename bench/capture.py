"""Measure the cost of capturing: a captured call on the caller's thread, the drainer, and the import of the public names.

A captured call is compared with an OpenTelemetry span with the same five attributes, a batch processor and an exporter
that does nothing, in the same run. The caller's cost is the processor time of its thread, the best of some rounds with
the drainer idle, because the machine may be busy with something else.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

from bench.table import Row
from whet import runtime, tool
from whet.runtime.capture.drainer import Drainer
from whet.runtime.implementation import UNSAMPLED
from whet.runtime.registry import declared_tool

CALLS, ROUNDS = 1000, 20
BATCH = 16_000
IMPORTS = 10
FEW = 5


@tool(name="bench.work")
def work(number: int, text: str, *, flag: bool = False) -> int:
    return number if flag else len(text)


def bare(number: int, text: str, *, flag: bool = False) -> int:
    return number if flag else len(text)


class NullExporter(SpanExporter):
    """Drops all spans."""

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return SpanExportResult.SUCCESS


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        runtime.configure(state=Path(folder) / "state")
        try:
            return [*_measure_calls(), *_measure_drainer(), *map(_measure_share, (100, 1000)), _measure_import()]
        finally:
            runtime.configure()


def _measure_calls() -> list[Row]:
    baseline = _microseconds(bare)
    kept = _microseconds(work, before=_keep_all, after=runtime.flush) - baseline
    counted = _microseconds(work, before=_keep_none) - baseline
    span = _microseconds(_spanned()) - baseline
    return [
        Row(
            "capturer",
            "a captured call, caller's thread",
            f"{kept:.2f} us",
            f"OpenTelemetry span {span:.1f} us",
            kept / span,
        ),
        Row(
            "capturer",
            "a call that is only counted",
            f"{counted:.2f} us",
            f"OpenTelemetry span {span:.1f} us",
            counted / span,
        ),
    ]


def _spanned() -> Callable[..., int]:
    provider = TracerProvider()
    provider.add_span_processor(
        BatchSpanProcessor(NullExporter(), max_queue_size=2 * CALLS, schedule_delay_millis=60_000)
    )
    tracer = provider.get_tracer("bench")

    def spanned(number: int, text: str, *, flag: bool = False) -> int:
        with tracer.start_as_current_span("bench.work") as span:
            span.set_attributes({"tool": "bench.work", "number": number, "text": text, "flag": flag})
            output = bare(number, text, flag=flag)
            span.set_attribute("output", output)
            return output

    return spanned


def _microseconds(
    function: Callable[..., int],
    before: Callable[[], object] = lambda: None,
    after: Callable[[], object] = lambda: None,
) -> float:
    """Return the processor time of one call in microseconds, in the best round."""
    best = float("inf")
    for _ in range(ROUNDS):
        before()
        began = time.thread_time_ns()
        for number in range(CALLS):
            function(number, "hello", flag=True)
        best = min(best, time.thread_time_ns() - began)
        after()
    return best / CALLS / 1000


def _keep_all() -> None:
    implementation = declared_tool(work).implementation
    implementation.due, implementation.unsampled_calls = 0, BATCH + CALLS


def _keep_none() -> None:
    declared_tool(work).implementation.due = 1 << 60


def _measure_drainer() -> list[Row]:
    capturer = declared_tool(work).implementation.capturer
    assert capturer is not None
    drainer = capturer.drainer
    assert isinstance(drainer, Drainer)
    wall = processor = 0.0
    for _ in range(5):
        _keep_all()
        written = drainer.written
        with capturer.lock:
            for number in range(BATCH):
                work(number, "hello", flag=True)
            began = time.perf_counter()
        runtime.flush(60)
        elapsed = time.perf_counter() - began
        assert drainer.written - written == BATCH
        wall, processor = max(wall, BATCH / elapsed), max(processor, 1e9 / capturer.sampling.drain_ns)
    return [
        Row("capturer", "executions drained to SQLite", f"{wall:,.0f} /s", "aim: 100,000 /s", wall / 100_000),
        Row(
            "capturer",
            "the same, a second of processor time",
            f"{processor:,.0f} /s",
            "aim: 100,000 /s",
            processor / 100_000,
        ),
    ]


def _measure_share(microseconds: int) -> Row:
    """Compare the processor time of a captured tool, plus that of the drainer, with the same function not captured.

    The two functions take turns, a few calls each.
    """

    def busy(rounds: int) -> int:
        total = 0
        for number in range(rounds):
            total += number
        return total

    captured = tool(name=f"bench.busy{microseconds}")(busy)
    rounds = microseconds * 20
    for _ in range(2 * UNSAMPLED):
        captured(rounds)
    runtime.flush()
    capturer = declared_tool(captured).implementation.capturer
    assert capturer is not None
    assert capturer.drainer is not None
    before, spent = capturer.drainer.spent_ns, {busy: 0, captured: 0}
    for _ in range(2_000_000 // microseconds // FEW):
        for function in spent:
            began = time.thread_time_ns()
            for _ in range(FEW):
                function(rounds)
            spent[function] += time.thread_time_ns() - began
    runtime.flush()
    drained = capturer.drainer.spent_ns - before
    cost = 100 * (spent[captured] + drained - spent[busy]) / spent[busy]
    each = spent[busy] / (2_000_000 // microseconds) / 1000
    return Row(
        "capturer", f"share of a tool that takes {each:.0f} us", f"{cost:.2f} %", "bound: 1 %, 5 % at most", cost
    )


def _measure_import() -> Row:
    bare_python, with_names = _start("pass"), _start("from whet import BaseTool, Case, Registry, tool")
    spent = with_names - bare_python
    return Row("capturer", "import of the names, over bare python", f"{spent:.1f} ms", "bound: 30 ms", spent / 30)


def _start(code: str) -> float:
    """Return the processor time of a Python process in milliseconds, the best of some."""
    best = float("inf")
    for _ in range(IMPORTS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return 1000 * best


if __name__ == "__main__":
    from bench.table import show

    print(show(measure()))
