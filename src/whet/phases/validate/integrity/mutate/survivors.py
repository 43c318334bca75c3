"""Run tests on versions of the patched tree, to see which of them no test notices."""

from collections.abc import Sequence

from whet.phases.validate.integrity.mutate.patch_mutant import PatchMutant
from whet.phases.validate.integrity.subject import Subject
from whet.target.tracer import TracedTest
from whet.target.warm_pool import WarmPool

_MOST_COVERING, _BATCH = 30, 16
_WALL_SECONDS, _SECONDS_EACH = 120.0, 10.0  # only a busy machine needs so long
_PROGRESS = "mutants of the patch"


def covering_tests(traces: Sequence[TracedTest], mutants: Sequence[PatchMutant]) -> list[str]:
    """Return the tests that run a line with a mutant."""
    places = {(mutant.path, mutant.line) for mutant in mutants}
    return [
        traced.test for traced in traces if any(line in traced.lines.get(path, ()) for path, line in places)
    ][:_MOST_COVERING]  # fmt: skip


def surviving(
    subject: Subject, mutants: Sequence[PatchMutant], covering: Sequence[str]
) -> tuple[list[PatchMutant], int]:
    """Return the mutants that no covering test notices, and the number of tests that can notice."""
    with WarmPool(subject.kit.suite, subject.trees.patched, 1, _WALL_SECONDS) as pool:
        tests = _passing(pool, covering)
        return (_unnoticed(pool, mutants, tests, swift=False) if tests else []), len(tests)


def _passing(pool: WarmPool, covering: Sequence[str]) -> list[str]:
    """Return the tests that pass with the unchanged patch."""
    [unchanged] = pool.run([{}], covering, _SECONDS_EACH, stop_early=False)
    return [test for test in covering if unchanged.outcomes.get(test) == "passed"]


def _unnoticed(
    pool: WarmPool, mutants: Sequence[PatchMutant], tests: Sequence[str], *, swift: bool
) -> list[PatchMutant]:
    versions = ({mutant.path: mutant.source} for mutant in mutants)
    results = pool.run(versions, tests, _SECONDS_EACH, stop_early=True, swift=swift)
    survived = [all(result.outcomes.get(test) == "passed" for test in tests) for result in results]
    return [mutant for mutant, lives in zip(mutants, survived, strict=True) if lives]


def is_noticed(subject: Subject, mutant: PatchMutant) -> bool:
    """True if a test of the whole suite fails with the mutant, and again when it runs once more."""
    over = {mutant.path: mutant.source.encode()}
    expected = (subject.reports.base.passed & subject.reports.patched.passed) | set(subject.targets)
    whole = subject.run_tests(_PROGRESS, subject.trees.patched, (), over)
    failing = sorted(expected - whole.passed)
    return (
        bool(failing) and not set(failing) <= subject.run_tests(_PROGRESS, subject.trees.patched, failing, over).passed
    )
