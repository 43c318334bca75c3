"""The code must not open the files that the targets compare with.

A file that a test reads by itself holds what the test expects. A fix has no reason to read or write it, unless the code
did so before the patch: then the file is what the code works on.
"""

from collections.abc import Collection, Sequence

from whet.domain.verdict import SafeguardResult
from whet.phases.validate.integrity.safeguard import Examination, Safeguard, inconclusive, not_applicable, passed
from whet.phases.validate.integrity.subject import Subject
from whet.phases.validate.integrity.test_ids import split_id
from whet.target.tracer import FileAccess, TracedTest, trace

NAME = "expected data"


class ExpectedData(Safeguard):
    """Compares the files that the traced targets opened, with the patch and, if something is suspect, without it."""

    name = NAME

    def prepare(self, subject: Subject) -> Examination:
        test_files = {split_id(test)[0] for test in subject.reports.base.outcomes}

        def judge(_: object, traces: Sequence[TracedTest]) -> SafeguardResult:
            opened = {opening.path for traced in traces for opening in traced.opened}
            in_tree = subject.kit.git.read_all(subject.trees.patched, sorted(opened)).keys()
            suspect = suspect_openings(traces, test_files, in_tree)
            before: set[FileAccess] = set()
            if suspect:
                tests = [traced.test for traced in traces]
                before = suspect_openings(trace(subject.kit.suite, subject.trees.base, tests), test_files, in_tree)
            if words := describe_new(suspect, before):
                return inconclusive(NAME, words)
            if not in_tree:
                return not_applicable(NAME, "the targets open no file of the project")
            return passed(NAME, "the code does not open the files that the targets compare with")

        return Examination(judge)


def suspect_openings(
    traces: Sequence[TracedTest], test_files: Collection[str], in_tree: Collection[str]
) -> set[FileAccess]:
    """Return the accesses in which non-test code writes a file of the tree, or opens a file that a test opens too."""
    suspect = set()
    for traced in traces:
        opened_by_test = {opening.path for opening in traced.opened if _is_test(opening.opener, test_files)}
        for opening in traced.opened:
            if opening.path not in in_tree or _is_test(opening.opener, test_files):
                continue
            if opening.writes or opening.path in opened_by_test:
                suspect.add(opening)
    return suspect


def describe_new(openings: Collection[FileAccess], before: Collection[FileAccess]) -> str:
    """Describe the first opening that did not happen `before` the patch; empty if there is none."""
    known = {(opening.path, opening.writes) for opening in before}
    for opening in sorted(openings):
        if (opening.path, opening.writes) not in known:
            verb = "writes" if opening.writes else "reads"
            return f"{opening.opener} {verb} {opening.path}, which the tests compare with, and did not before the patch"
    return ""


def _is_test(path: str, test_files: Collection[str]) -> bool:
    return path in test_files or path.rpartition("/")[2] == "conftest.py"
