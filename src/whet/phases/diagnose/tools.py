"""Findings about a running application's tools: calls that fail the same way, tools that degrade or are slow."""

import math
from collections import defaultdict
from collections.abc import Sequence

from whet.cases.regression import regression_of, timed_calls_of
from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.finding import MINIMUM_SIGNALS, Finding, FindingKind
from whet.domain.payload import DegradedWindow, FailingCall, SlowWindow
from whet.domain.place import Place
from whet.domain.signal import Signal
from whet.domain.timed_calls import TimedCalls
from whet.errors import EnvironmentProblem
from whet.kit import Kit
from whet.knowledge.measures.benchmark import benchmark_of_calls
from whet.knowledge.measures.profile import hot_functions
from whet.phases.diagnose.places import regression_places
from whet.store.codec import decode

ToolPayload = FailingCall | DegradedWindow | SlowWindow
_PAYLOADS: dict[str, type[FailingCall] | type[DegradedWindow] | type[SlowWindow]] = {
    payload.kind: payload for payload in (FailingCall, DegradedWindow, SlowWindow)
}
_KINDS = {
    FailingCall.kind: (FindingKind.FAILING_TOOL, Category.BUG_FIX),
    DegradedWindow.kind: (FindingKind.DEGRADING_TOOL, Category.PERFORMANCE),
    SlowWindow.kind: (FindingKind.SLOW_TOOL, Category.PERFORMANCE),
}
_CAN_BE_REPLAYED, _ONLY_OBSERVED = 1.0, 0.4  # how likely a fix is without a model
_PREFERENCE = {FindingKind.FAILING_TOOL: 1.0, FindingKind.DEGRADING_TOOL: 0.8, FindingKind.SLOW_TOOL: 0.6}


class RunningTools:
    kinds = tuple(_KINDS)
    minimum_signals = MINIMUM_SIGNALS

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    def findings(self, signals: Sequence[Signal]) -> list[Finding]:
        groups: dict[tuple[str, str, str], list[Signal]] = defaultdict(list)
        for signal in signals:
            groups[signal.kind, signal.subject, _payload(signal).signature].append(signal)
        return [
            _finding(tool, members) for (_, tool, _), members in groups.items() if len(members) >= self.minimum_signals
        ]

    def places(self, finding: Finding, base: str) -> tuple[Place, ...]:
        """Return the traced places of the replayed calls, or where the captured calls of a slow tool spend their time; none where
        the calls cannot be repeated."""
        tree = self._kit.git.tree_of(base)
        if timed := timed_calls_of(finding):
            return self._slow_places(timed, tree)
        regression = regression_of(finding, tree, self._kit)
        return regression_places(finding, regression, tree, self._kit) if regression else ()

    def _slow_places(self, timed: TimedCalls, tree: str) -> tuple[Place, ...]:
        try:
            hot = hot_functions(benchmark_of_calls(timed, self._kit), tree, self._kit)
        except EnvironmentProblem as problem:
            self._kit.progress.warn(problem.message)
            return ()
        total = sum(function.seconds for function in hot) or 1.0
        return tuple(
            Place(path=function.path, line=function.line, function=function.name, suspicion=round(function.seconds / total, 3),
                  why=f"the {timed.name} spend {function.seconds:.2f} s in {function.name} under the profiler")
            for function in hot
        )  # fmt: skip


def _payload(signal: Signal) -> ToolPayload:
    return decode(_PAYLOADS[signal.kind], signal.payload)


def _finding(tool: str, signals: Sequence[Signal]) -> Finding:
    payload = _payload(signals[0])
    kind, category = _KINDS[signals[0].kind]
    path = payload.tool.path if payload.tool else ""
    score, reasons = _score(kind, payload)
    signature = digest([kind.value, tool, payload.signature])[:16]
    return Finding(
        id=f"f-{signature[:8]}",
        kind=kind,
        signature=signature,
        title=f"{tool}: {payload.summary}",
        category=category,
        subjects=(tool,),
        paths=(path,) if path else (),
        signals=tuple(signals),
        score=score,
        reasons=reasons,
    )


def _timed(payload: DegradedWindow | SlowWindow) -> TimedCalls | None:
    return payload.timed if isinstance(payload, SlowWindow) else None


def _score(kind: FindingKind, payload: ToolPayload) -> tuple[float, tuple[str, ...]]:
    """Return impact times frequency times fixability times preference, and the reasons in words."""
    impact = min(1.0, 0.5 + math.log10(1 + payload.affected) / 8)
    frequency = min(1.0, 0.7 + 0.3 * payload.affected / max(payload.calls, 1))
    replayed = (payload.replay if isinstance(payload, FailingCall) else _timed(payload)) is not None
    fixable = _CAN_BE_REPLAYED if replayed else _ONLY_OBSERVED
    score = min(1.0, impact * frequency * fixable * _PREFERENCE[kind])
    why = "it can be called again at will" if replayed else payload.why_not
    return round(score, 3), (f"{payload.affected:,} of {payload.calls:,} calls", why)
