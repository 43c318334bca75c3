"""The answers of the changed functions to varied inputs, on the base and with the patch, for all safeguards that ask."""

from collections.abc import Sequence

from whet.phases.validate.integrity.neighbours.changed_functions import ChangedFunction, words_of_patch
from whet.phases.validate.integrity.subject import Subject
from whet.phases.validate.side_by_side import side_by_side
from whet.target.varied.calls import VariedRun, vary


def varied_runs(
    subject: Subject, changed: Sequence[ChangedFunction], tests: Sequence[str]
) -> tuple[VariedRun, VariedRun]:
    """Return the runs on the base and with the patch; they happen once for each patch."""
    suite, trees = subject.kit.suite, subject.trees
    words, seed = words_of_patch(subject.changed_code()), subject.patch.digest
    before, after = [function.before for function in changed], [function.after for function in changed]

    def run() -> tuple[VariedRun, VariedRun]:
        base, patched = side_by_side(
            [
                lambda: vary(suite, trees.base, before, tests, words, seed),
                lambda: vary(suite, trees.patched, after, tests, words, seed),
            ]
        )
        return base, patched

    return subject.once("varied runs", run)


def mutated_run(
    subject: Subject, changed: Sequence[ChangedFunction], tests: Sequence[str], path: str, source: str
) -> VariedRun:
    """Return the answers with the patch, with one file replaced. Only the answers to varied inputs are asked for."""
    words, seed = words_of_patch(subject.changed_code()), subject.patch.digest
    functions = [function.after for function in changed]
    overlay = {path: source.encode()}
    return vary(subject.kit.suite, subject.trees.patched, functions, tests, words, seed, overlay, deep=False)
