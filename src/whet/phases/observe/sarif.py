"""Signals from static analysers: the results in the SARIF files that `sources.sarif` names."""

import json
from collections.abc import Collection

from whet.domain.reported import AnalyserResult
from whet.domain.reported_event import EventKind, ReportedEvent
from whet.domain.signal import Signal
from whet.intake.frames import repository_path
from whet.intake.look import Look
from whet.intake.sarif import sarif_events
from whet.kit import Kit

_MOST_SIGNALS = 1_000
_WHY_NOT = "no test shows it, so no fix could be proved"


class Sarif:
    """The signal source `sarif`. A report that is older than the window is left out: the code has changed since."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._policy = kit, kit.policy.sources
        self.skipped: tuple[str, ...] = ()

    def observe(self, commit: str) -> tuple[Signal, ...]:
        if not self._policy.sarif:
            return ()
        look = Look(self._kit.git.root, self._kit.state, self._policy, "sarif")
        look.at_files(self._policy.sarif, sarif_events, state=True)
        tree = self._kit.git.tree_of(commit)
        paths = frozenset(entry.path for entry in self._kit.git.entries(tree))
        signals: list[Signal] = []
        for event in look.events.since("sarif", look.since, EventKind.RESULT):
            payload = _payload(event, paths)
            if not payload.path:
                look.skips.add(event.origin, "result", "its file is not in the repository")
            elif len(signals) == _MOST_SIGNALS:
                look.skips.add(event.origin, "result", f"one look gives at most {_MOST_SIGNALS:,} signals")
            else:
                signals.append(Signal.of("sarif", event.subject, payload, event.at))
        self.skipped = look.skips.sentences()
        return tuple(signals)


def _payload(event: ReportedEvent, paths: Collection[str]) -> AnalyserResult:
    detail = json.loads(event.detail)
    return AnalyserResult(
        tool=detail["tool"],
        level=detail["level"],
        message=detail["message"],
        path=repository_path(detail["file"], paths),
        line=detail["line"],
        why_not=_WHY_NOT,
    )
