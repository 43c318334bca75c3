"""Small changes of the added lines should be noticed by the tests.

Most mutants that survive are harmless, so they are only named for the reader, like added lines that no test runs. These
decide, if a concrete input gets another answer:

- a condition that the patch adds and that can be fixed to True or False;
- a number that bounds something, new to the file, and that can be another one;
- a condition on a value that can be a comparison with None, if the base answers the input in the same way: the patch
  treats 0 or an empty text as missing, and no test asks for that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from whet.domain.plural import count
from whet.domain.verdict import SafeguardResult
from whet.phases.validate.integrity.mutate.patch_mutants import (
    FORCED,
    LIMIT,
    TRUTH,
    PatchMutant,
    lines_to_run,
    patch_mutants,
)
from whet.phases.validate.integrity.neighbours.changed_functions import changed_functions
from whet.phases.validate.integrity.neighbours.comparison import ComparedFunction, compared_functions
from whet.phases.validate.integrity.neighbours.near_tests import near_tests
from whet.phases.validate.integrity.neighbours.varied_runs import mutated_run, varied_runs
from whet.phases.validate.integrity.safeguard import (
    Plan,
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
_MOST_MUTANTS, _MOST_COVERING, _MOST_WITNESSED, _MOST_NOTES = 12, 30, 3, 4
_WALL_SECONDS, _SECONDS_EACH = 40.0, 5.0
_DECIDING = (TRUTH, LIMIT, FORCED)
_NEAR = {"same shape", "number", "order", "flipped", "longer", "date"}


@dataclass(frozen=True)
class MutantFindings:
    """The result of the runs: mutants that were tried and those that survived, lines not run, and a witness."""

    tried: int = 0
    tests: int = 0
    survivors: tuple[PatchMutant, ...] = ()
    not_run: tuple[tuple[str, int], ...] = ()
    witness: str = ""
    near: int = 0


class PatchMutants(Safeguard):
    name = NAME
    late = True

    def prepare(self, subject: Subject) -> Plan:
        files = subject.changed_code()
        tests = near_tests(subject, changed_functions(files))
        lines = {path: lines_to_run(old, new) for path, (old, new) in files.items()}
        if not tests or not any(lines.values()):
            return without_run(not_applicable(NAME, "the patch adds no line to a function that tests could run"))

        def run() -> MutantFindings:
            return _try(subject, files, lines, tests)

        return Plan(lambda findings, _: judge_mutants(findings), run)


def judge_mutants(findings: MutantFindings) -> SafeguardResult:
    """Judge what the runs showed: a witness decides, everything else is a note."""
    if findings.witness:
        return inconclusive(NAME, findings.witness)
    notes = [
        f"{path}, line {line}: none of {count(findings.near, 'test')} near it runs it"
        for path, line in findings.not_run
    ]
    notes += [f"{mutant.path}, line {mutant.line}: no test notices {mutant.words}" for mutant in findings.survivors]
    shown = [
        *notes[:_MOST_NOTES],
        *([f"and {len(notes) - _MOST_NOTES} more of these"] if len(notes) > _MOST_NOTES else []),
    ]
    if not findings.tried:
        return not_applicable(NAME, "the added lines have nothing to change", shown)
    noticed = findings.tried - len(findings.survivors)
    return passed(
        NAME, f"{noticed} of {count(findings.tried, 'mutant')} noticed by {count(findings.tests, 'test')}", shown
    )


def _try(
    subject: Subject, files: dict[str, tuple[str, str]], lines: dict[str, list[int]], tests: list[str]
) -> MutantFindings:
    traces = [traced for traced in subject.traces if traced.outcome == "passed"]
    ran = {path: {line for traced in traces for line in traced.lines.get(path, ())} for path in files}
    not_run = tuple((path, line) for path in files for line in lines[path] if line not in ran[path])
    mutants = [
        mutant
        for path, (old, new) in files.items()
        for mutant in patch_mutants(path, old, new, _MOST_MUTANTS)
        if mutant.line in ran[path]
    ][:_MOST_MUTANTS]
    covering = _covering(traces, mutants)
    if not mutants or not covering:
        return MutantFindings(not_run=not_run, near=len(traces))
    survivors, used = _survivors(subject, mutants, covering)
    telling = sorted(
        (mutant for mutant in survivors if mutant.kind in _DECIDING), key=lambda item: _DECIDING.index(item.kind)
    )
    witness = next(filter(None, (_witness(subject, files, mutant, tests) for mutant in telling[:_MOST_WITNESSED])), "")
    return MutantFindings(len(mutants), used, tuple(survivors), not_run, witness, len(traces))


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


def _witness(subject: Subject, files: dict[str, tuple[str, str]], mutant: PatchMutant, tests: list[str]) -> str:
    """Return a sentence about an input for which an unnoticed mutant answers differently; empty if none is found."""
    changed = changed_functions(files)
    old, _ = files[mutant.path]
    mutated = changed_functions({**files, mutant.path: (old, mutant.source)})
    if [(item.path, item.name) for item in mutated] != [(item.path, item.name) for item in changed]:
        return ""
    base, patched = varied_runs(subject, changed, tests)
    other = mutated_run(subject, mutated, tests, mutant.path, mutant.source)
    rows = zip(
        compared_functions(changed, base, patched, ()), compared_functions(mutated, patched, other, ()), strict=True
    )
    return next((words for by_base, by_mutant in rows for words in doubts(mutant, by_base, by_mutant)), "")


def doubts(mutant: PatchMutant, by_base: ComparedFunction, by_mutant: ComparedFunction) -> Iterator[str]:
    """Yield inputs on which a mutant that no test notices answers differently. `by_base` compares base and patch,
    `by_mutant` patch and mutant."""
    on_base = {after.call: before.answer for before, after in by_base.varied()}
    for patched, mutated in by_mutant.varied():
        if not (patched.answer.answered and mutated.answer.answered) or patched.answer.same(mutated.answer):
            continue
        near = _is_near(patched.kind)
        as_base = patched.call in on_base and on_base[patched.call].same(mutated.answer)
        if (mutant.kind == FORCED and near) or mutant.kind == LIMIT or (mutant.kind == TRUTH and as_base):
            shown = (
                "the latter as on the base; no test asks for the change" if as_base else "nothing shows which is right"
            )
            yield (
                f"no test notices {mutant.words} ({mutant.path}, line {mutant.line}), but `{patched.call}` answers "
                f"{patched.answer.text} with the patch and {mutated.answer.text} then; {shown}"
            )


def _is_near(kind: str) -> bool:
    """True for a variation that stays close to the test's input: neither empty nor far away nor an object in another state."""
    return kind.rpartition("inner ")[2] in _NEAR
