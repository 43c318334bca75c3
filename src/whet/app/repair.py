"""Named failing tests straight to ranked patches, the best of them proven. Nothing is asked or moved; of what happened
only the time it took is recorded."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from whet.app.project import Project
from whet.app.rehearsal import proof_of
from whet.domain.build import Build
from whet.domain.evidence import Evidence
from whet.domain.patch import Patch
from whet.domain.place import Place
from whet.domain.proposal import Proposal
from whet.domain.sanitize import one_line
from whet.domain.suite import SuiteReport
from whet.domain.verdict import Verdict
from whet.errors import UsageError
from whet.phases.diagnose.failing import together
from whet.phases.diagnose.step import diagnose
from whet.phases.observe.tests import signal_of
from whet.phases.propose.repair.repair import Repair

_SUSPECTS_SHOWN = 10
_MOST_SAID = 300


@dataclass(frozen=True)
class Repaired:
    """`ranked` are all the patches that held in the search, best first; `patch` is the first that the proof did not
    refuse, with its evidence; `unconvincing` held too, and `note` says what speaks against them."""

    tests: tuple[str, ...]
    suspects: tuple[Place, ...]
    patch: Patch | None
    evidence: Evidence | None
    ranked: tuple[Patch, ...]
    note: str
    tried: int
    seconds: float
    unconvincing: tuple[Patch, ...] = ()


@dataclass(frozen=True)
class Searched:
    tests: tuple[str, ...]
    suspects: tuple[Place, ...]
    proposal: Proposal | None
    built: Build

    @property
    def ranked(self) -> tuple[Patch, ...]:
        return (self.built.patch, *self.built.rivals) if self.built.patch else ()


def repair(project: Project, wanted: Sequence[str], seconds: float | None = None) -> Repaired:
    """The search, and the first of its patches that the proof does not refuse."""
    project.permitted()
    policy = project.policy
    bound = (policy.propose.repair_seconds if seconds is None else seconds) + policy.tests.timeout_seconds
    with project.spending.wall("repair", bound):
        return _repair(project, wanted, seconds)


def _repair(project: Project, wanted: Sequence[str], seconds: float | None) -> Repaired:
    found = search(project, wanted, seconds)
    patch, evidence = None, None
    for candidate in found.ranked:
        project.progress.note(f"proving: {candidate.summary}")
        assert found.proposal is not None  # noqa: S101 - there is no patch without one
        evidence = proof_of(candidate, found.proposal, found.built.trusted_tests, project)
        if evidence.verdict is not Verdict.FAILED:
            patch = candidate
            break
    built = found.built
    return Repaired(
        found.tests, found.suspects, patch, evidence, found.ranked, built.note, built.tried, built.seconds,
        built.unconvincing,
    )  # fmt: skip


def search(project: Project, wanted: Sequence[str], seconds: float | None = None) -> Searched:
    """The tests are those that fail now and whose id is, or begins with, one of the wanted."""
    project.permitted()
    engine = Repair(project.kit)
    engine.began = time.monotonic()
    if seconds is not None:
        engine.seconds = seconds
    base = project.git.resolve(project.ref)
    suite, progress = project.kit.suite, project.progress
    report = suite.run(
        project.git.tree_of(base), fresh=False, watch=lambda done, total: progress.advance("tests", done, total)
    )
    tests = _named(report, wanted)
    finding = together([signal_of(report, test) for test in tests], project.kit.is_test)
    diagnosis = diagnose(finding, lambda found: project.engines.localise(found, base), project.policy.target)
    suspects = diagnosis.places[:_SUSPECTS_SHOWN]
    proposal = next(iter(engine.propose(diagnosis, base, "repair")), None)
    if proposal is None:
        return Searched(tests, suspects, None, Build(patch=None, note="no line of the project is suspicious"))
    return Searched(tests, suspects, proposal, engine.build(proposal, frozenset()))


def _named(report: SuiteReport, wanted: Sequence[str]) -> tuple[str, ...]:
    if not report.complete:
        raise UsageError(f"the test suite {report.problem}", "run it by hand first; `[tests]` in whet.toml says how")
    found: list[str] = []
    for name in wanted:
        known = [test for test in report.outcomes if _is_below(test, name)]
        red = sorted(test for test in known if test in report.red and "::" in test)
        if not known:
            raise _unknown(report, name)
        if not red:
            raise UsageError(f"{name} does not fail", "`whet scan` lists the failing ones")
        found += red
    return tuple(dict.fromkeys(found))


def _unknown(report: SuiteReport, name: str) -> UsageError:
    file = name.partition("::")[0]
    if file in report.red:
        failure = report.failures.get(file)
        said = one_line(failure.message)[:_MOST_SAID] if failure else "pytest does not say why"
        return UsageError(
            f"{file} could not be collected, so that {name!r} did not run: {said}",
            "if the project is to be installed, install it for the interpreter that `target.interpreter` names",
        )
    return UsageError(f"the suite has no test {name!r}", "`whet scan` lists the failing ones")


def _is_below(test: str, name: str) -> bool:
    return test == name or test.startswith((f"{name}::", f"{name}[", f"{name.rstrip('/')}/"))
