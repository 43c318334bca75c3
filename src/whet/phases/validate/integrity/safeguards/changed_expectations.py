"""The targets must fail when one of their assertions expects another value.

A value that agrees with everything still passes, and so does a result that is forged by test id. A random sample of tests
that pass on the base is mutated too, because a patch that forges the targets may forge every test.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from whet.domain.plural import count
from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import SafeguardResult
from whet.phases.validate.integrity.mutate.mutants import Mutant, mutate_tests
from whet.phases.validate.integrity.safeguard import (
    Examination,
    Safeguard,
    failed,
    inconclusive,
    not_applicable,
    passed,
    without_run,
)
from whet.phases.validate.integrity.subject import Subject, sample
from whet.phases.validate.integrity.test_ids import split_id, summarise
from whet.target.runs.together import VersionRun
from whet.target.suite import Overlay
from whet.target.tracer import TracedTest

NAME = "changed expectations"
OPEN = ("whether the targets fail for another expected value",)
_MOST_TARGETS = 50
_MOST_COPIES_OF_A_TEST = 12
_MOST_COPIES = 60
_SECONDS_FOR_COPIES = 5
_MOST_PASSING_FILES = 3
_MOST_PASSING = 12


@dataclass(frozen=True)
class _MutantRun:
    """A test id to run, the test that it is a mutant of, and the mutant."""

    id: str
    test: str
    mutant: Mutant


class ChangedExpectations(Safeguard):
    name = NAME

    def prepare(self, subject: Subject) -> Examination:
        targets = sample(subject.targets, _MOST_TARGETS)
        over, runs = _mutate(subject, targets, _sample_passing(subject))
        if not runs:
            return without_run(not_applicable(NAME, "the target tests have no expectation that can be changed", OPEN))

        def judge(report: SuiteReport, traces: Sequence[TracedTest]) -> SafeguardResult:
            if not report.complete:
                return inconclusive(NAME, f"with changed expectations the suite {report.problem}")
            passing = [run for run in runs if report.outcomes.get(run.id) is Outcome.PASSED]
            by_test = {traced.test: traced for traced in traces if traced.outcome == "passed"}
            for run in passing:
                if run.test in targets and _was_reached(run, by_test.get(run.test)):
                    return inconclusive(NAME, f"{run.test} (line {min(run.mutant.lines)}) passes whatever it expects")
            others = [run.id for run in passing if run.test not in targets]
            if others and (forged := _fail_without_patch(subject, over, others)):
                return failed(NAME, f"with the patch {summarise(forged)} passes whatever it expects")
            failing = {run.test for run in runs if report.outcomes.get(run.id, Outcome.PASSED).red}
            return passed(NAME, f"{count(len(failing), 'test')} failed when an assertion expected another value")

        return Examination(judge, version=VersionRun(tuple(run.id for run in runs), over))


def _sample_passing(subject: Subject) -> list[str]:
    """Return some tests that pass on the base, from a few files: each further file costs time to load."""
    by_file: dict[str, list[str]] = {}
    for test in sorted(subject.reports.base.passed - set(subject.targets)):
        by_file.setdefault(split_id(test)[0], []).append(test)
    files = sample([path for path in by_file if path.endswith(".py")], _MOST_PASSING_FILES)
    return sample([test for path in files for test in by_file[path]], _MOST_PASSING)


def _mutate(
    subject: Subject, targets: Sequence[str], passing: Sequence[str]
) -> tuple[dict[str, bytes], list[_MutantRun]]:
    """Return the mutated files of these tests, and the mutants to run: each test itself, and as many copies as the
    time allows."""
    target_functions = {split_id(test) for test in targets}
    ids: dict[tuple[str, str], list[str]] = {}
    for test in (*targets, *passing):
        function = split_id(test)
        # Of a test that passed before, one parameter set is enough.
        ids[function] = [*ids.get(function, []), test] if function in target_functions else [test]
    files: dict[str, bytes] = {}
    originals: list[_MutantRun] = []
    copies: list[_MutantRun] = []
    for path, source in subject.sources({path for path, _ in ids}).items():
        most_copies = {
            name: _MOST_COPIES_OF_A_TEST if (path, name) in target_functions else 0
            for file, name in ids
            if file == path
        }  # fmt: skip
        mutated = mutate_tests(source, most_copies)
        if mutated is None:
            continue
        files[path] = mutated.text
        for mutant in mutated.mutants:
            for test in ids[path, mutant.test]:
                parameters = test[len(f"{path}::{mutant.test}") :]
                run = _MutantRun(f"{path}::{mutant.name}{parameters}", test, mutant)
                (originals if mutant.name == mutant.test else copies).append(run)
    return files, [*originals, *sample(copies, _affordable_copies(subject.reports.base))]


def _affordable_copies(base: SuiteReport) -> int:
    """Return how many copies take a few seconds, if each takes as long as a test of the suite does on average."""
    seconds_each = base.seconds / max(1, len(base.outcomes))
    return min(_MOST_COPIES, int(_SECONDS_FOR_COPIES / max(seconds_each, 0.001)))


def _was_reached(run: _MutantRun, traced: TracedTest | None) -> bool:
    """True if the test executes the mutated assertion; without a trace, only if every run of the test must."""
    if traced is None:
        return run.mutant.always_reached
    return bool(run.mutant.lines & traced.lines.get(split_id(run.test)[0], frozenset()))


def _fail_without_patch(subject: Subject, over: Overlay, tests: Sequence[str]) -> list[str]:
    """Return the mutants that fail on the base, so that the patch is the reason why they pass."""
    report = subject.run_tests(NAME, subject.trees.base, tests, over)
    return [test for test in tests if report.outcomes.get(test, Outcome.PASSED).red]
