"""Declared rewrites that are not done yet as findings, one for each package."""

from collections import defaultdict
from collections.abc import Sequence

from whet.domain.canonical import digest
from whet.domain.category import Category
from whet.domain.finding import Finding, FindingKind
from whet.domain.payload import CodemodPlaces
from whet.domain.place import Place
from whet.domain.plural import count
from whet.domain.signal import Signal
from whet.kit import Kit
from whet.store.codec import decode


class DeclaredRewrites:
    kinds = (CodemodPlaces.kind,)
    minimum_signals = 1  # the policy asks for it, and the search can be repeated at will

    def __init__(self, kit: Kit) -> None:
        self._declared = kit.policy.codemods.declared

    def findings(self, signals: Sequence[Signal]) -> list[Finding]:
        packages: dict[tuple[str, str], list[Signal]] = defaultdict(list)
        for signal in signals:
            packages[signal.subject, decode(CodemodPlaces, signal.payload).package].append(signal)
        return [self._finding(name, package, members) for (name, package), members in sorted(packages.items())]

    def places(self, finding: Finding, base: str) -> tuple[Place, ...]:
        files = [decode(CodemodPlaces, signal.payload) for signal in finding.signals]
        why = f"the codemod {finding.subjects[0]} matches"
        return tuple(Place(path=file.path, line=file.lines[0], function="", suspicion=1.0, why=why) for file in files)

    def _finding(self, name: str, package: str, signals: Sequence[Signal]) -> Finding:
        files = [decode(CodemodPlaces, signal.payload) for signal in signals]
        number = sum(len(file.lines) for file in files)
        signature = digest(["codemod", name, package])[:16]
        policy = self._declared.get(name)
        return Finding(
            id=f"f-{signature[:8]}",
            kind=FindingKind.CODEMOD,
            signature=signature,
            title=f"{name} is not done in {count(number, 'place')} of {package if package != '.' else 'the top folder'}",
            category=Category.REFACTORING,
            subjects=(name,),
            paths=tuple(file.path for file in files),
            signals=tuple(signals),
            score=0.3,
            reasons=(policy.why if policy and policy.why else "whet.toml declares it",),
            minimum_signals=1,
        )
