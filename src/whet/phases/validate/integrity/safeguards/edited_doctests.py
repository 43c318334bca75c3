"""The patch must not change the doctests of the files that it changes: they are tests that live in the code."""

from whet.domain.verdict import SafeguardResult
from whet.phases.validate.integrity.doctests import is_doctest, lost_example
from whet.phases.validate.integrity.safeguard import Examination, Safeguard, inconclusive, not_applicable, passed
from whet.phases.validate.integrity.subject import Subject
from whet.phases.validate.integrity.test_ids import split_id

NAME = "doctests"


class EditedDoctests(Safeguard):
    name = NAME

    def prepare(self, subject: Subject) -> Examination:
        return Examination(lambda _, __: _judge(subject))


def _judge(subject: Subject) -> SafeguardResult:
    base = subject.reports.base
    with_doctests = {split_id(test)[0] for test in base.outcomes if is_doctest(test, base)}
    texts = subject.kit.git.texts(subject.patch.changes)
    changed = {path: both for path, both in texts.items() if path in with_doctests}
    for path, (old, new) in changed.items():
        if example := lost_example(path, old, new):
            return inconclusive(NAME, f"{path} changes or removes the doctest `{example}`")
    if not changed:
        return not_applicable(NAME, "the changed files have no doctests")
    return passed(NAME, "the doctests of the changed files are unchanged")
