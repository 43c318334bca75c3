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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from whet.domain.plural import count
from whet.domain.verdict import SafeguardResult
from whet.guard.content.added import added_lines
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
from whet.phases.validate.integrity.mutate.survivors import covering_tests, is_noticed, surviving
from whet.phases.validate.integrity.neighbours.changed_functions import (
    changed_functions,
)
from whet.phases.validate.integrity.neighbours.compared_version import compared_version
from whet.phases.validate.integrity.neighbours.near_tests import near_tests
from whet.phases.validate.integrity.neighbours.sign import Sign
from whet.phases.validate.integrity.neighbours.signals import said
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

NAME = "mutants of the patch"
_MOST_MUTANTS, _MOST_REDUCTIONS, _MOST_WITNESSED, _MOST_NOTES = 12, 24, 3, 4
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
        if not tests or not any(added_lines(*texts) for texts in files.values()):
            return without_run(not_applicable(NAME, "the patch adds no line that tests could run"))

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
    covering = covering_tests(traces, [*mutants, *less])
    if not covering:
        return MutantFindings(not_run=not_run, near=len(traces))
    survivors, used = surviving(subject, [*mutants, *less], covering)
    telling = [*_of_kinds(survivors, _MUTANTS), *_of_kinds(survivors, _REDUCTIONS)]
    witnesses = ((mutant, _witness(subject, mutant, tests)) for mutant in telling)
    witness = next((sign for mutant, sign in witnesses if sign and not is_noticed(subject, mutant)), None)
    noted = tuple(mutant for mutant in survivors if mutant in mutants)
    shown = noted[: _MOST_NOTES - len(not_run)] if not witness and len(not_run) < _MOST_NOTES else ()
    differences = {mutant: _difference(subject, mutant, tests) for mutant in shown[:_MOST_WITNESSED]}
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


def _witness(subject: Subject, mutant: PatchMutant, tests: list[str]) -> Sign | None:
    """Return the sign of an input for which an unnoticed mutant answers differently; None if none is found.

    A memory that no test needs is a sign by itself, because it may go wrong after any number of calls; so is a handler of
    every exception where the base caught fewer.
    """
    if mutant.kind in _BY_THEMSELVES:
        reason = _BY_THEMSELVES[mutant.kind]
        return Sign(f"no test notices {mutant.words} ({mutant.path}, line {mutant.line}); {reason}")
    rows = compared_version(subject, mutant, tests)
    return next((sign for by_base, by_mutant in rows for sign in doubts(mutant, by_base, by_mutant)), None)


def _difference(subject: Subject, mutant: PatchMutant, tests: list[str]) -> str:
    """Say which input an unnoticed mutant answers differently, for a reader; empty if none is found."""
    for _, by_mutant in compared_version(subject, mutant, tests):
        for patched, mutated in by_mutant.answers().values():
            if not patched.answer.same(mutated.answer) and patched.answer.text != mutated.answer.text:
                return f", but `{patched.call}` {said(patched.answer)} with the patch and {said(mutated.answer)} then"
    return ""
