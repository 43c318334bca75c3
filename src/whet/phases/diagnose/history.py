"""Files and functions with a troubled history, as one finding for each trouble of each.

No engine can act on one: no test is red. It tells a person where to look, and raises other findings in the same file.
"""

from collections import defaultdict
from collections.abc import Sequence

from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.finding import MINIMUM_SIGNALS, Finding, FindingKind
from whet.domain.place import Place
from whet.domain.plural import count
from whet.domain.reported import TroubledHistory
from whet.domain.signal import Signal
from whet.kit import Kit
from whet.store.codec import decode

_SCORES = {"fix_on_fix": 0.25, "reverts": 0.2, "churn": 0.1}


class TroubledHistories:
    kinds = (TroubledHistory.kind,)
    minimum_signals = MINIMUM_SIGNALS

    def __init__(self, kit: Kit) -> None:
        del kit

    def findings(self, signals: Sequence[Signal]) -> list[Finding]:
        groups: dict[tuple[str, str], list[Signal]] = defaultdict(list)
        for signal in signals:
            groups[decode(TroubledHistory, signal.payload).trouble, signal.subject].append(signal)
        return [_finding(group) for group in groups.values() if len(group) >= self.minimum_signals]

    def places(self, finding: Finding, base: str) -> tuple[Place, ...]:
        facts = decode(TroubledHistory, finding.signals[0].payload)
        why = f"its history: {finding.title}"
        return (Place(path=facts.path, line=facts.line, function=facts.function, suspicion=0.2, why=why),)


def _finding(signals: Sequence[Signal]) -> Finding:
    facts = decode(TroubledHistory, signals[0].payload)
    signature = digest(["history", facts.trouble, signals[0].subject])[:16]
    return Finding(
        id=f"f-{signature[:8]}",
        kind=FindingKind.HISTORY,
        signature=signature,
        title=_sentence(facts),
        category=Category.CODE_QUALITY if facts.trouble == "churn" else Category.BUG_FIX,
        subjects=(signals[0].subject,),
        paths=(facts.path,),
        signals=tuple(signals),
        score=round(_SCORES[facts.trouble] + min(0.05, facts.commits / 1000), 3),
        reasons=(
            *(
                (f"three quarters of the files are in {facts.usual:g} or fewer commits",)
                if facts.trouble == "churn"
                else ()
            ),
            f"counted in the newest {count(facts.commits_read, 'commit')}",
            f"last {facts.newest}",
            facts.why_not,
        ),
    )


def _sentence(facts: TroubledHistory) -> str:
    if facts.trouble == "churn":
        return f"{facts.path} changes far more often than the rest: in {count(facts.commits, 'commit')}"
    if facts.trouble == "reverts":
        return f"changes of {facts.path} were reverted {facts.commits} times"
    where = f"{facts.function} in {facts.path}" if facts.function else facts.path
    return f"fixes of {where} are followed by fixes: {facts.commits} within {count(facts.days, 'day')}"
