"""Results of static analysers, as one finding per tool and rule."""

from collections import defaultdict
from collections.abc import Sequence

from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.finding import MINIMUM_SIGNALS, Finding, FindingKind
from whet.domain.place import Place
from whet.domain.plural import count
from whet.domain.reported import AnalyserResult
from whet.domain.signal import Signal
from whet.kit import Kit
from whet.store.codec import decode

_SCORES = {"error": 0.3, "warning": 0.2, "note": 0.1, "none": 0.1}


class AnalyserResults:
    """An error of an analyser is a finding by itself: running the analyser again shows it again. Weaker results count
    from three of the same rule, as those of the linter do."""

    kinds = (AnalyserResult.kind,)
    minimum_signals = 1

    def __init__(self, kit: Kit) -> None:
        self._is_test = kit.is_test

    def findings(self, signals: Sequence[Signal]) -> list[Finding]:
        rules: dict[tuple[str, str], list[Signal]] = defaultdict(list)
        first_source: dict[tuple[str, AnalyserResult], str] = {}
        for signal in signals:
            payload = decode(AnalyserResult, signal.payload)
            # a report and a language server may give the same result, which then counts once
            known = first_source.setdefault((signal.subject, payload), signal.source)
            if known == signal.source and not self._is_test(payload.path):
                rules[payload.tool, signal.subject].append(signal)
        return [finding for group in rules.items() if (finding := _finding(*group[0], group[1]))]

    def places(self, finding: Finding, base: str) -> tuple[Place, ...]:
        results = [decode(AnalyserResult, signal.payload) for signal in finding.signals]
        return tuple(
            Place(path=result.path, line=result.line, function="", suspicion=0.5, why=result.message)
            for result in results
        )


def _finding(tool: str, rule: str, signals: Sequence[Signal]) -> Finding | None:
    results = [decode(AnalyserResult, signal.payload) for signal in signals]
    errors = [result for result in results if result.level == "error"]
    if not errors and len(results) < MINIMUM_SIGNALS:
        return None
    first = (errors or results)[0]
    paths = tuple(dict.fromkeys(result.path for result in (*errors, *results)))
    signature = digest(["analyser", tool, rule])[:16]
    return Finding(
        id=f"f-{signature[:8]}",
        kind=FindingKind.ANALYSER,
        signature=signature,
        title=f"{tool} {rule}: {first.message}",
        category=Category.CODE_QUALITY,
        subjects=(rule,),
        paths=paths,
        signals=tuple(signals),
        score=round(_SCORES[first.level] + min(0.1, len(results) / 1000), 3),
        reasons=(
            f"{count(len(results), 'result')} in {count(len(paths), 'file')}",
            f"first at {first.path}:{first.line}",
            first.why_not,
        ),
        minimum_signals=1,
    )
