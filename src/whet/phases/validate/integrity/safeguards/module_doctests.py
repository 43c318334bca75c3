"""Doctests of the changed files that pass on the base must pass with the patch, even if the suite does not collect them.

An example in a docstring says what the code is for. Examples that fail on the base are not maintained and are ignored.
"""

from collections.abc import Sequence

from whet.domain.plural import count
from whet.domain.verdict import SafeguardResult
from whet.phases.validate.integrity.doctests import is_doctest
from whet.phases.validate.integrity.safeguard import (
    Examination,
    Safeguard,
    inconclusive,
    not_applicable,
    passed,
    without_run,
)
from whet.phases.validate.integrity.subject import Subject
from whet.phases.validate.integrity.test_ids import split_id, summarise
from whet.target.runs.module_doctests import passing_doctests

NAME = "uncollected doctests"
_MOST_FILES = 20


class ModuleDoctests(Safeguard):
    name = NAME
    needs_targets = False

    def prepare(self, subject: Subject) -> Examination:
        if subject.kit.policy.tests.runner != "pytest":
            return without_run(not_applicable(NAME, "only pytest can run them"))
        base = subject.reports.base
        collected = {split_id(test)[0] for test in base.outcomes if is_doctest(test, base)}
        changed = subject.changed_code().items()
        paths = [path for path, (old, _) in changed if ">>>" in old and path not in collected][:_MOST_FILES]
        if not paths:
            return without_run(not_applicable(NAME, "the changed files have none"))

        def run() -> tuple[int, list[str]]:
            return _compare(subject, paths)

        def judge(compared: tuple[int, list[str]], _: object) -> SafeguardResult:
            return _judge(*compared)

        return Examination(judge, run)


def _compare(subject: Subject, paths: Sequence[str]) -> tuple[int, list[str]]:
    """Return how many doctests pass on the base, and which of them do not pass with the patch.

    The base runs again if some are lost: a doctest that fails there now is flaky and does not count.
    """
    suite, trees = subject.kit.suite, subject.trees
    before = passing_doctests(suite, trees.base, paths)
    if not before:
        return 0, []
    lost = before - passing_doctests(suite, trees.patched, paths)
    if lost:
        lost &= passing_doctests(suite, trees.base, paths)
    return len(before), sorted(lost)


def _judge(passing: int, lost: Sequence[str]) -> SafeguardResult:
    if not passing:
        return not_applicable(NAME, "no doctest of the changed files passes on the base")
    if lost:
        words = f"{summarise(lost)} passes on the base and not with the patch; the suite does not collect doctests"
        return inconclusive(NAME, words)
    return passed(NAME, f"{count(passing, 'doctest')} that the suite does not collect still pass")
