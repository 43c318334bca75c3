"""The answers of a version of the patch beside those of the patch and of the base."""

from collections.abc import Iterator, Sequence, Set

from whet.phases.validate.integrity.mutate.patch_mutant import PatchMutant
from whet.phases.validate.integrity.neighbours.changed_functions import (
    ChangedFunction,
    changed_functions,
    in_version,
)
from whet.phases.validate.integrity.neighbours.comparison import ComparedFunction, compared_functions
from whet.phases.validate.integrity.neighbours.varied_runs import mutated_run, varied_runs
from whet.phases.validate.integrity.subject import Subject


def compared_version(
    subject: Subject, mutant: PatchMutant, tests: Sequence[str]
) -> Iterator[tuple[ComparedFunction, ComparedFunction]]:
    """Yield (base and patch, patch and mutant) for each function whose answers the mutant may change."""
    changed = changed_functions(subject.changed_code())
    base, patched = varied_runs(subject, changed, tests)
    numbers = _may_answer_otherwise(mutant, changed, {call.function for call in patched.calls.values()})
    asked = [changed[number] for number in numbers]
    mutated = in_version(asked, mutant.path, mutant.source)
    if not mutated:
        return
    callers = {call.test for call in patched.calls.values() if call.function in numbers}
    other = mutated_run(subject, mutated, [test for test in tests if test in callers], mutant.path, mutant.source)
    base, patched = base.of(numbers), patched.of(numbers)
    yield from zip(
        compared_functions(asked, base, patched, ()), compared_functions(mutated, patched, other, ()), strict=True
    )


def _may_answer_otherwise(mutant: PatchMutant, changed: Sequence[ChangedFunction], called: Set[int]) -> list[int]:
    """Return the numbers of the called functions whose answers the mutant may change: the one around it, else all of its file."""
    of_file = [number for number in sorted(called) if changed[number].path == mutant.path]
    around = [number for number in of_file if changed[number].after.line <= mutant.line <= changed[number].last]
    return around or of_file
