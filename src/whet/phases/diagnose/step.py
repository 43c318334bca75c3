from collections import defaultdict
from collections.abc import Callable, Sequence

from pathspec import GitIgnoreSpec

from whet.config import TargetPolicy
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding
from whet.domain.layer import Layer
from whet.domain.place import Place
from whet.domain.signal import Signal
from whet.phases.diagnose import failing, linting, suggested, tools

Localise = Callable[[Finding], tuple[Place, ...]]


def findings(signals: Sequence[Signal], is_test: Callable[[str], bool]) -> tuple[Finding, ...]:
    """What the signals add up to, the most worthwhile first."""
    by_kind: dict[str, list[Signal]] = defaultdict(list)
    for signal in signals:
        by_kind[signal.kind].append(signal)
    wanted = [str(signal.payload["where"]) for signal in by_kind["suggestion"] if signal.payload["where"]]
    found = [
        *failing.findings(by_kind["failing_test"], wanted, is_test),
        *linting.findings(by_kind["violation"], wanted, is_test),
        *suggested.findings(by_kind["suggestion"]),
        *tools.findings([*by_kind["failing_call"], *by_kind["degraded_window"], *by_kind["slow_window"]], wanted),
    ]
    return tuple(sorted(found, key=lambda finding: (-finding.score, finding.title)))


def diagnose(finding: Finding, localise: Localise, layers: TargetPolicy) -> Diagnosis:
    """A finding with its places and its layer."""
    places = localise(finding)
    paths = [place.path for place in places] or list(finding.paths)
    top = places[0] if places else None
    evidence = (*finding.reasons, *((f"{top.path}:{top.line} in {top.function}: {top.why}",) if top else ()))
    return Diagnosis(
        finding=finding,
        layer=layer_of(paths[0], layers) if paths else Layer.BEHAVIOR,
        places=places,
        evidence=evidence,
        confidence=top.suspicion if top else 0.5,
    )


def layer_of(path: str, layers: TargetPolicy) -> Layer:
    for layer, patterns in (
        (Layer.CONSTANTS, layers.constants), (Layer.PROTOCOL, layers.protocol), (Layer.SKILL, layers.skill),
    ):  # fmt: skip
        if GitIgnoreSpec.from_lines(patterns).match_file(path):
            return layer
    return Layer.BEHAVIOR
