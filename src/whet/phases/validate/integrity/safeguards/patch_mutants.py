"""Small changes of the added lines should be noticed by the tests, and so should a missing part of the patch.

Most mutants that survive are harmless, so they are only named for the reader, like added lines that no test runs. These
decide, if a concrete input gets another answer:

- a condition that the patch adds and that can be fixed to True or False;
- a number that bounds something, new to the file, and that can be another one;
- a condition on a value that can be a comparison with None, if the base answers the input in the same way: the patch
  treats 0 or an empty text as missing, and no test asks for that;
- a part of the patch that can be left out or taken back, if the base then answers the input in the same way (the part
  changes an answer that no test asks about), or if the base answers as the patch does (the part keeps the fix from an input);
- a step that drops data and can be left out (`name[:1]`), and a literal that can be a parameter which is not read;
- a like function (`strip` for `lstrip`) or the next number, if the base then answers the input in the same way.

Two kinds decide without an input: what the patch remembers between calls can be forgotten, and a handler that catches every
exception since the patch can catch what it caught before.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from whet.domain.plural import count
from whet.domain.verdict import SafeguardResult
from whet.phases.validate.integrity.mutate.memory import forgetful
from whet.phases.validate.integrity.mutate.patch_mutant import (
    FORCED,
    FORGETFUL,
    KEEPING,
    LIMIT,
    LOSSY,
    NARROWER,
    PARAMETER,
    REDUCED,
    SIBLING,
    TRUTH,
    PatchMutant,
)
from whet.phases.validate.integrity.mutate.patch_mutants import evenly, lines_to_run, patch_mutants
from whet.phases.validate.integrity.mutate.reductions import reductions
from whet.phases.validate.integrity.neighbours.changed_functions import (
    ChangedFunction,
    changed_functions,
    in_version,
)
from whet.phases.validate.integrity.neighbours.comparison import ComparedFunction, compared_functions
from whet.phases.validate.integrity.neighbours.near_tests import near_tests
from whet.phases.validate.integrity.neighbours.sign import Sign
from whet.phases.validate.integrity.neighbours.signals import said
from whet.phases.validate.integrity.neighbours.varied_runs import mutated_run, varied_runs
from whet.phases.validate.integrity.neighbours.witnesses import doubts
from whet.phases.validate.integrity.safeguard import (
    Examination,
    Safeguard,
    inconclusive,
    not_applicable,
    passed,
    without_run,
)
from whet.phases.validate.integrity.subject import Subject
from whet.target.tracer import TracedTest
from whet.target.warm_pool import WarmPool

NAME = "mutants of the patch"
_MOST_MUTANTS, _MOST_REDUCTIONS, _MOST_COVERING, _MOST_WITNESSED, _MOST_NOTES = 12, 24, 30, 3, 4
_WALL_SECONDS, _SECONDS_EACH = 120.0, 10.0  # only a busy machine needs so long
_MUTANTS, _REDUCTIONS = (TRUTH, LIMIT, FORCED, SIBLING), (FORGETFUL, NARROWER, PARAMETER, KEEPING, LOSSY, REDUCED)
_BY_THEMSELVES = {
    FORGETFUL: "the base remembers no such thing",
    NARROWER: "the patch hides errors that the base did not hide",
}


@dataclass(frozen=True)
class MutantFindings:
    """The result of the runs: mutants that were tried and those that survived, the number of parts of the patch that
    were left out or taken back, lines not run, a witness, and what some survivors answer differently."""

    tried: int = 0
    tests: int = 0
    survivors: tuple[PatchMutant, ...] = ()
    parts: int = 0
    not_run: tuple[tuple[str, int], ...] = ()
    witness: Sign | None = None
    near: int = 0
    differences: Mapping[PatchMutant, str] = field(default_factory=dict)


class PatchMutants(Safeguard):
    name = NAME
    late = True

    def prepare(self, subject: Subject) -> Examination:
        files = subject.changed_code()
        tests = near_tests(subject, changed_functions(files))
        lines = {path: lines_to_run(old, new) for path, (old, new) in files.items()}
        if not tests or not any(lines.values()):
            return without_run(not_applicable(NAME, "the patch adds no line to a function that tests could run"))

        def run() -> MutantFindings:
            return _try(subject, files, lines, tests)

        return Examination(lambda findings, _: judge_mutants(findings), run)


def judge_mutants(findings: MutantFindings) -> SafeguardResult:
    """Judge what the runs showed: a witness decides, everything else is a note."""
    if findings.witness:
        return inconclusive(NAME, findings.witness.words, findings.witness.question)
    notes = [
        f"{path}, line {line}: none of {count(findings.near, 'test')} near it runs it"
        for path, line in findings.not_run
    ]
    notes += [
        f"{mutant.path}, line {mutant.line}: no test notices {mutant.words}{findings.differences.get(mutant, '')}"
        for mutant in findings.survivors
    ]
    shown = [
        *notes[:_MOST_NOTES],
        *([f"and {len(notes) - _MOST_NOTES} more of these"] if len(notes) > _MOST_NOTES else []),
    ]
    if not findings.tried and not findings.parts:
        return not_applicable(NAME, "the added lines have nothing to change", shown)
    noticed = findings.tried - len(findings.survivors)
    words = f"{noticed} of {count(findings.tried, 'mutant')} noticed by {count(findings.tests, 'test')}"
    reduced = f"; {count(findings.parts, 'reduced patch')} tried" if findings.parts else ""
    return passed(NAME, f"{words}{reduced}", shown)


def _try(
    subject: Subject, files: dict[str, tuple[str, str]], lines: dict[str, list[int]], tests: list[str]
) -> MutantFindings:
    traces = [traced for traced in subject.traces if traced.outcome == "passed"]
    ran = {path: {line for traced in traces for line in traced.lines.get(path, ())} for path in files}
    not_run = tuple((path, line) for path in files for line in lines[path] if line not in ran[path])
    mutants = [mutant for path, texts in files.items() for mutant in patch_mutants(path, *texts, _MOST_MUTANTS)]
    less = [mutant for path, texts in files.items() for mutant in forgetful(path, *texts) if mutant.line in ran[path]]
    less += [
        mutant for path, texts in files.items() for mutant in reductions(path, *texts, ran[path], _MOST_REDUCTIONS)
    ]
    mutants = [mutant for mutant in mutants if mutant.line in ran[mutant.path]][:_MOST_MUTANTS]
    less = _most_telling(less)
    covering = _covering(traces, [*mutants, *less])
    if not covering:
        return MutantFindings(not_run=not_run, near=len(traces))
    survivors, used = _survivors(subject, [*mutants, *less], covering)
    telling = [*_of_kinds(survivors, _MUTANTS), *_of_kinds(survivors, _REDUCTIONS)]
    witnesses = ((mutant, _witness(subject, files, mutant, tests)) for mutant in telling)
    witness = next((sign for mutant, sign in witnesses if sign and not _is_noticed(subject, mutant)), None)
    noted = tuple(mutant for mutant in survivors if mutant in mutants)
    shown = noted[: _MOST_NOTES - len(not_run)] if not witness and len(not_run) < _MOST_NOTES else ()
    differences = {mutant: _difference(subject, files, mutant, tests) for mutant in shown[:_MOST_WITNESSED]}
    return MutantFindings(len(mutants), used, noted, len(less), not_run, witness, len(traces), differences)


def _most_telling(less: Sequence[PatchMutant]) -> list[PatchMutant]:
    """Return at most _MOST_REDUCTIONS versions: literals and losses first, the others evenly spaced."""
    first = [mutant for mutant in less if mutant.kind != REDUCED][:_MOST_REDUCTIONS]
    others = [mutant for mutant in less if mutant.kind == REDUCED]
    return [*first, *evenly(others, _MOST_REDUCTIONS - len(first))]


def _of_kinds(mutants: Sequence[PatchMutant], kinds: Sequence[str]) -> list[PatchMutant]:
    """Return the mutants of these kinds to find a witness for, in the order of the kinds."""
    chosen = sorted((mutant for mutant in mutants if mutant.kind in kinds), key=lambda item: kinds.index(item.kind))
    return chosen[:_MOST_WITNESSED]


def _covering(traces: Sequence[TracedTest], mutants: Sequence[PatchMutant]) -> list[str]:
    """Return the tests that run a line with a mutant."""
    places = {(mutant.path, mutant.line) for mutant in mutants}
    return [
        traced.test for traced in traces if any(line in traced.lines.get(path, ()) for path, line in places)
    ][:_MOST_COVERING]  # fmt: skip


def _survivors(
    subject: Subject, mutants: Sequence[PatchMutant], covering: Sequence[str]
) -> tuple[list[PatchMutant], int]:
    """Return the mutants that no covering test notices, and the number of tests that can notice."""
    suite, patched = subject.kit.suite, subject.trees.patched
    with WarmPool(suite, patched, 1, _WALL_SECONDS) as pool:
        [unchanged] = pool.run([{}], covering, _SECONDS_EACH, stop_early=False)
        tests = [test for test in covering if unchanged.outcomes.get(test) == "passed"]
        if not tests:
            return [], 0
        results = pool.run(({mutant.path: mutant.source} for mutant in mutants), tests, _SECONDS_EACH, stop_early=True)
    survived = [all(result.outcomes.get(test) == "passed" for test in tests) for result in results]
    return [mutant for mutant, lives in zip(mutants, survived, strict=True) if lives], len(tests)


def _witness(subject: Subject, files: dict[str, tuple[str, str]], mutant: PatchMutant, tests: list[str]) -> Sign | None:
    """Return the sign of an input for which an unnoticed mutant answers differently; None if none is found.

    A memory that no test needs is a sign by itself: it may go wrong after any number of calls.
    """
    if mutant.kind == FORGETFUL:
        return Sign(
            f"no test notices {mutant.words} ({mutant.path}, line {mutant.line}); the base remembers no such thing"
        )
    rows = _compared(subject, files, mutant, tests)
    return next((sign for by_base, by_mutant in rows for sign in doubts(mutant, by_base, by_mutant)), None)


def _difference(subject: Subject, files: dict[str, tuple[str, str]], mutant: PatchMutant, tests: list[str]) -> str:
    """Say which input an unnoticed mutant answers differently, for a reader; empty if none is found."""
    for _, by_mutant in _compared(subject, files, mutant, tests):
        for patched, mutated in by_mutant.answers().values():
            if not patched.answer.same(mutated.answer) and patched.answer.text != mutated.answer.text:
                return f", but `{patched.call}` {said(patched.answer)} with the patch and {said(mutated.answer)} then"
    return ""


def _compared(
    subject: Subject, files: dict[str, tuple[str, str]], mutant: PatchMutant, tests: list[str]
) -> Iterator[tuple[ComparedFunction, ComparedFunction]]:
    """Yield (base and patch, patch and mutant) for each function whose answers the mutant may change."""
    changed = changed_functions(files)
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


def _is_noticed(subject: Subject, mutant: PatchMutant) -> bool:
    """True if a test of the whole suite fails with the mutant, and again when it runs once more."""
    over = {mutant.path: mutant.source.encode()}
    expected = (subject.reports.base.passed & subject.reports.patched.passed) | set(subject.targets)
    whole = subject.run_tests(NAME, subject.trees.patched, (), over)
    failing = sorted(expected - whole.passed)
    return bool(failing) and not set(failing) <= subject.run_tests(NAME, subject.trees.patched, failing, over).passed


def _may_answer_otherwise(mutant: PatchMutant, changed: Sequence[ChangedFunction], called: Set[int]) -> list[int]:
    """Return the numbers of the called functions whose answers the mutant may change: the one around it, else all of its file."""
    of_file = [number for number in sorted(called) if changed[number].path == mutant.path]
    around = [number for number in of_file if changed[number].after.line <= mutant.line <= changed[number].last]
    return around or of_file
