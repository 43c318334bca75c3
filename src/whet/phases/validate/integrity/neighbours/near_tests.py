"""The tests near a patch: the targets, and passing tests of files that name a changed function or its module."""

from collections.abc import Sequence

from whet.phases.validate.integrity.doctests import is_doctest
from whet.phases.validate.integrity.neighbours.changed_functions import ChangedFunction, chosen_tests
from whet.phases.validate.integrity.subject import Subject
from whet.phases.validate.integrity.test_ids import names_by_file


def near_tests(subject: Subject, changed: Sequence[ChangedFunction]) -> list[str]:
    """Return the tests to run for these functions, the targets first. Doctests are left out: they cannot be traced."""
    base, patched = subject.reports.base, subject.reports.patched
    passing = [test for test in base.passed & patched.passed if not is_doctest(test, base)]
    sources = subject.sources(names_by_file(passing))
    texts = {path: source.decode(errors="replace") for path, source in sources.items()}
    targets = [test for test in subject.targets if not is_doctest(test, base)]
    return chosen_tests(targets, passing, texts, changed)
