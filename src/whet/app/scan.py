"""A look without changing anything: what the sources see, what it adds up to, and who could help."""

from dataclasses import dataclass

from whet.app.project import Project
from whet.domain.finding import Finding
from whet.phases.diagnose.step import findings
from whet.phases.observe.step import observe
from whet.target.missing_files import missing_ignored_files


@dataclass(frozen=True)
class Ranked:
    finding: Finding
    engines: tuple[str, ...]


@dataclass(frozen=True)
class Scan:
    base: str
    signals: int
    tests: int
    passed: int
    seconds: float
    seen: tuple[Ranked, ...]
    missing: tuple[str, ...] = ()  # files that git ignores and failing tests miss


def scan(project: Project) -> Scan:
    """The suite runs once."""
    project.permitted()
    base = project.git.resolve(project.ref)
    signals = observe(base, project.engines.sources, project.progress)
    found = findings(signals, project.kit.is_test)
    report = project.kit.suite.latest
    return Scan(
        base=base,
        signals=len(signals),
        tests=len(report.outcomes) if report else 0,
        passed=len(report.passed) if report else 0,
        seconds=round(report.seconds, 2) if report else 0.0,
        seen=tuple(Ranked(finding, _helpers(finding, project)) for finding in found),
        missing=tuple(missing_ignored_files(report, project.kit.suite)) if report else (),
    )


def _helpers(finding: Finding, project: Project) -> tuple[str, ...]:
    return tuple(name for name, engine in project.engines.proposers.items() if engine.can_help(finding))
