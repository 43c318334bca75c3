"""Small changes of the added lines should be noticed by the tests.

Most mutants that survive are harmless, so they are only named for the reader, like added lines that no test runs. One kind
decides: a condition that the patch adds and that can be fixed to True or False without any test noticing, although a
concrete input then gets another answer. Nothing shows that the condition is right.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from whet.domain.plural import count
from whet.domain.verdict import SafeguardResult
from whet.phases.validate.integrity.mutate.patch_mutants import PatchMutant, lines_to_run, patch_mutants
from whet.phases.validate.integrity.neighbours.changed_functions import (
    ChangedFunction,
    changed_functions,
    words_of_patch,
)
from whet.phases.validate.integrity.neighbours.comparison import compared_functions
from whet.phases.validate.integrity.neighbours.near_tests import near_tests
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
from whet.target.varied.calls import vary
from whet.target.warm_pool import WarmPool

NAME = "mutants of the patch"
_MOST_MUTANTS, _MOST_COVERING, _MOST_WITNESSED, _MOST_NOTES = 12, 30, 2, 4
_WALL_SECONDS, _SECONDS_EACH = 40.0, 5.0


@dataclass(frozen=True)
class MutantFindings:
    """What the runs showed: mutants that were tried and those that survived, lines not run, and a witness."""

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
    forced = [mutant for mutant in survivors if mutant.condition][:_MOST_WITNESSED]
    witness = next(filter(None, (_witness(subject, files, mutant, tests) for mutant in forced)), "")
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
    suite, graded = subject.kit.suite, subject.trees.graded
    with WarmPool(suite, graded, 1, _WALL_SECONDS) as pool:
        [unchanged] = pool.run([{}], covering, _SECONDS_EACH, stop_early=False)
        tests = [test for test in covering if unchanged.outcomes.get(test) == "passed"]
        if not tests:
            return [], 0
        results = pool.run(({mutant.path: mutant.source} for mutant in mutants), tests, _SECONDS_EACH, stop_early=True)
    survived = [all(result.outcomes.get(test) == "passed" for test in tests) for result in results]
    return [mutant for mutant, lives in zip(mutants, survived, strict=True) if lives], len(tests)


def _witness(subject: Subject, files: dict[str, tuple[str, str]], mutant: PatchMutant, tests: list[str]) -> str:
    """Return the doubt about a condition that no test needs: an input on which it decides; empty if there is none."""
    new = {path: text for path, (_, text) in files.items()}
    changed: list[ChangedFunction] = changed_functions({mutant.path: (new[mutant.path], mutant.source)})
    if not changed or mutant.condition is None:
        return ""
    suite, graded = subject.kit.suite, subject.trees.graded
    words, seed = words_of_patch(files), subject.patch.digest
    with_patch = vary(suite, graded, [function.before for function in changed], tests, words, seed)
    overlay = {mutant.path: mutant.source.encode()}
    forced = vary(suite, graded, [function.after for function in changed], tests, words, seed, overlay)
    for compared in compared_functions(changed, with_patch, forced, ()):
        for before, after in compared.varied():
            if before.answer.answered and after.answer.answered and not before.answer.same(after.answer):
                return (
                    f"no test notices if `{mutant.condition.text}` ({mutant.path}, line {mutant.line}) is always "
                    f"{mutant.forced}, but `{before.call}` answers {before.answer.text} with the patch and "
                    f"{after.answer.text} then; nothing shows which is right"
                )
    return ""
