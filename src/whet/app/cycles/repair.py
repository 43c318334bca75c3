"""Repair named failing tests: one dry run in which these tests are the only finding and `repair` the only engine.

Nothing is asked or moved, and only the time is recorded.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from whet.app.cycles.dry_run import DryRun, run_unrecorded
from whet.app.project import Project
from whet.domain.build import Build
from whet.domain.diagnosis import Diagnosis
from whet.domain.evidence import Evidence
from whet.domain.patch import Patch
from whet.domain.place import Place
from whet.domain.proposal import Proposal
from whet.domain.sanitize import one_line
from whet.domain.suite import SuiteReport
from whet.domain.verdict import Verdict
from whet.errors import UsageError
from whet.phases.propose.repair.repair import Repair
from whet.workflow.dry_run import DryCarrySteps, DryRunEnds
from whet.workflow.steps import Engines

_SUSPECTS_SHOWN = 10
_LONGEST_MESSAGE = 300


@dataclass(frozen=True)
class RepairResult:
    """The outcome of a repair.

    `ranked` are all patches that passed in the search, best first; `patch` is the first of them that the proof did not
    refuse, with its evidence; `unconvincing` passed too, and `note` says why they are doubtful.
    """

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
class RepairSearch:
    """The outcome of the search alone, before the proof."""

    tests: tuple[str, ...]
    suspects: tuple[Place, ...]
    proposal: Proposal | None
    build: Build

    @property
    def ranked(self) -> tuple[Patch, ...]:
        return (self.build.patch, *self.build.rivals) if self.build.patch else ()


def repair(project: Project, tests: Sequence[str], seconds: float | None = None) -> RepairResult:
    """Search for a patch, and prove the first of the patches found that the proof does not refuse."""
    project.refuse_unless_permitted()
    policy = project.policy
    bound = (policy.propose.repair_seconds if seconds is None else seconds) + policy.tests.timeout_seconds
    with project.budgets.wall("repair", bound):
        named, run = _run(project, tests, seconds, DryCarrySteps)
    searched = _searched(named, run)
    evidence = run.previews[0].evidence if run.previews else None
    proven = evidence if evidence and evidence.verdict is not Verdict.FAILED else None
    patch = next((patch for patch in searched.ranked if proven and patch.digest == proven.patch_digest), None)
    build = searched.build
    return RepairResult(
        named, searched.suspects, patch, evidence, searched.ranked, build.note, build.tried, build.seconds,
        build.unconvincing,
    )  # fmt: skip


def search(project: Project, tests: Sequence[str], seconds: float | None = None) -> RepairSearch:
    """Search for patches without proving them, for benchmarks."""
    project.refuse_unless_permitted()
    return _searched(*_run(project, tests, seconds, SearchOnly))


class SearchOnly(DryCarrySteps):
    """Ends `carry` where the proof would begin."""

    def validate(self, proposal: Proposal, build: Build, attempt: int) -> Evidence:
        raise DryRunEnds


def _run(
    project: Project, tests: Sequence[str], seconds: float | None, carry_steps: type[DryCarrySteps]
) -> tuple[tuple[str, ...], DryRun]:
    progress, base = project.progress, project.git.resolve(project.ref)
    suite, tree = project.kit.suite, project.git.tree_of(base)
    report = suite.run(tree, fresh=False, on_progress=lambda done, total: progress.advance("tests", done, total))
    suite.real_ids(tree, tuple(report.outcomes))
    exists = project.git.read_all(tree, [test.partition("::")[0] for test in tests])
    named = _failing(report, [suite.shown_ids.shown(test) for test in tests], exists)
    return named, run_unrecorded(project, tests=named, carry_steps=carry_steps, prepare=_only_repair(seconds))


def _only_repair(seconds: float | None) -> Callable[[Engines], Engines]:
    """Return a function that removes all other proposers, and the learners: the user named the tests, so lessons do
    not count.
    """

    def prepare(engines: Engines) -> Engines:
        engine = engines.proposers["repair"]
        assert isinstance(engine, Repair)  # noqa: S101 - the built-in engine of that name
        if seconds is not None:
            engine.seconds = seconds
        return replace(engines, proposers={"repair": engine}, learners={})

    return prepare


def _searched(tests: tuple[str, ...], run: DryRun) -> RepairSearch:
    entry = run.ledger.latest("Diagnose")
    diagnoses = entry.read(tuple[Diagnosis, ...]) if entry else ()
    suspects = diagnoses[0].places[:_SUSPECTS_SHOWN] if diagnoses else ()
    if not run.previews:
        return RepairSearch(tests, suspects, None, Build(patch=None, note="no line of the project is suspicious"))
    preview = run.previews[0]
    build = preview.build or Build(patch=None, note=preview.next)
    return RepairSearch(tests, suspects, preview.proposal, build)


def _failing(report: SuiteReport, names: Sequence[str], exists: Collection[str]) -> tuple[str, ...]:
    """Return the failing tests whose id is, or begins with, one of `names`; `exists` are those of their files that exist."""
    if not report.complete:
        raise UsageError(f"the test suite {report.problem}", "run it by hand first; `[tests]` in whet.toml says how")
    failing: list[str] = []
    for name in names:
        matching = [test for test in report.outcomes if _is_below(test, name)]
        red = sorted(test for test in matching if test in report.red and "::" in test)
        if not matching:
            raise _unknown(report, name, exists)
        if not red:
            raise UsageError(f"{name} does not fail", "`whet scan` lists the failing ones")
        failing += red
    return tuple(dict.fromkeys(failing))


def _unknown(report: SuiteReport, name: str, exists: Collection[str]) -> UsageError:
    file = name.partition("::")[0]
    if file in report.red:
        failure = report.failures.get(file)
        cause = one_line(failure.message)[:_LONGEST_MESSAGE] if failure else "pytest does not say why"
        return UsageError(
            f"{file} could not be collected, so that {name!r} did not run: {cause}",
            "if the project is to be installed, install it for the interpreter that `target.interpreter` names",
        )
    if file in exists and not any(_is_below(test, file) for test in report.outcomes):
        return UsageError(
            f"{file} exists, but the suite leaves it out, so that {name!r} did not run",
            "name its folder in `testpaths` of pytest's settings, or the file in `tests.folders` of whet.toml",
        )
    return UsageError(f"the suite has no test {name!r}", "`whet scan` lists the failing ones")


def _is_below(test: str, name: str) -> bool:
    return test == name or test.startswith((f"{name}::", f"{name}[", f"{name.rstrip('/')}/"))
