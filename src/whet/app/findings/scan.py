"""Scan: observe once, and list the findings with the engines that could act on each.

Nothing is recorded, except what the model says that reads files for the source `review`: it is paid for once.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from whet.app.project import Project
from whet.app.proofs.parity import Parity, compare, read_outside
from whet.domain.finding import Finding
from whet.domain.plural import count
from whet.domain.suite import SuiteReport
from whet.phases.diagnose.step import find
from whet.phases.observe.step import observe, skipped
from whet.target.import_errors import import_errors
from whet.target.linters.ruff_settings import MODERNISING, minimum_python, older_than_ruff_knows
from whet.target.missing_files import missing_ignored_files


@dataclass(frozen=True)
class RankedFinding:
    finding: Finding
    engines: tuple[str, ...]


@dataclass(frozen=True)
class Scan:
    base: str
    signals: int
    tests: int
    passed: int
    seconds: float
    findings: tuple[RankedFinding, ...]
    missing: tuple[str, ...] = ()  # files that git ignores and failing tests miss
    limits: tuple[str, ...] = ()  # sentences about findings that this project cannot have, and what sources skipped
    parity: Parity | None = None  # if the scan was asked to compare with a run outside the sandbox


def scan(project: Project, junit: Path | None = None) -> Scan:
    """Run the suite once and return the findings. Nothing is changed.

    `junit` is a JUnit file of a run outside the sandbox, with which each test is compared.
    """
    project.refuse_unless_permitted()
    outside = read_outside(junit) if junit else {}
    base = project.git.resolve(project.ref)
    signals = observe(base, project.engines.sources, project.progress)
    findings = find(signals, project.engines.analyzers, base)
    report = project.kit.suite.latest
    return Scan(
        base=base,
        signals=len(signals),
        tests=len(report.outcomes) if report else 0,
        passed=len(report.passed) if report else 0,
        seconds=round(report.seconds, 2) if report else 0.0,
        findings=tuple(RankedFinding(finding, _helpers(finding, project)) for finding in findings),
        missing=tuple(missing_ignored_files(report, project.kit.suite)) if report else (),
        limits=(*_broken_files(report), *_limits(project, base), *skipped(project.engines.sources)),
        parity=compare(report, outside) if report and outside else None,
    )


def _broken_files(report: SuiteReport | None) -> tuple[str, ...]:
    """Return a sentence if test files could not be imported, although others ran."""
    broken = sum("::" not in name for name in report.failures) if report and not report.exit_only else 0
    if not report or not broken:
        return ()
    return (
        f"the tests of {count(broken, 'test file')} did not run, because of import errors: {import_errors(report)}",
    )


def _limits(project: Project, base: str) -> tuple[str, ...]:
    """Return a sentence if the project supports a Python for which ruff's fixes may be too new."""
    read = partial(project.git.read, base)
    if "lint" not in project.policy.observe.sources or not older_than_ruff_knows(read):
        return ()
    declared = ".".join(map(str, minimum_python(read) or ()))
    rules = ", ".join(MODERNISING)
    return (f"the project supports Python {declared}, which ruff does not know: the rules {rules} are left out",)


def _helpers(finding: Finding, project: Project) -> tuple[str, ...]:
    return tuple(name for name, engine in project.engines.proposers.items() if engine.can_help(finding))
