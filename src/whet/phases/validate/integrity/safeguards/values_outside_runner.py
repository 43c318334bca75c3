"""The values that the targets compare must be right in a process without a test runner.

The scripts run on the base, on the patch, and on the patch in another environment: another folder, time zone, user, hash
seed and order. The tree has no test code there; the data files that tests read stay.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath

from whet.domain.plural import count
from whet.domain.verdict import SafeguardResult
from whet.phases.validate.integrity.oracle.class_protocols import has_same_protocols
from whet.phases.validate.integrity.oracle.inquiry import Inquiry, make_inquiry
from whet.phases.validate.integrity.oracle.judge_replies import SandboxOutputs, judge_replies
from whet.phases.validate.integrity.oracle.replies import Events
from whet.phases.validate.integrity.safeguard import (
    Examination,
    Safeguard,
    inconclusive,
    not_applicable,
    passed,
    without_run,
)
from whet.phases.validate.integrity.subject import Subject
from whet.phases.validate.integrity.test_ids import names_by_file, summarise
from whet.phases.validate.side_by_side import side_by_side
from whet.target.ask import ask
from whet.target.suite import Overlay

NAME = "values outside the runner"
NOTHING_TO_ASK = "no target test can be evaluated without the test runner, so its values outside it are not known"


class ValuesOutsideRunner(Safeguard):
    name = NAME

    def prepare(self, subject: Subject) -> Examination:
        sources = subject.sources(_files_and_packages(subject.targets))
        inquiry = make_inquiry(subject.targets, subject.reports.base, sources.get, subject.kit.suite.folder)
        notes = _not_asked(subject.targets, inquiry)
        if not inquiry.targets:
            return without_run(not_applicable(NAME, NOTHING_TO_ASK, notes))
        base, patched = subject.trees.base, subject.trees.patched
        over = {tree: _without_test_code(subject, tree) for tree in (base, patched)}

        def run_scripts(tree: str, *, elsewhere: bool = False) -> Callable[[], Events]:
            return lambda: ask(subject.kit.suite, tree, over[tree], inquiry.request, elsewhere=elsewhere)

        def is_unchanged(path: str, name: str) -> bool:
            files = [subject.kit.git.read_all(tree, [path]) for tree in (base, patched)]
            old, new = (file.get(path, b"").decode(errors="replace") for file in files)
            return has_same_protocols(old, new, name)

        def judge(outputs: Sequence[Events], _: object) -> SafeguardResult:
            before, after, after_elsewhere = outputs
            base_elsewhere = run_scripts(base, elsewhere=True)
            opinion = judge_replies(
                inquiry, SandboxOutputs(before, after, after_elsewhere, base_elsewhere, is_unchanged)
            )
            if not opinion.applicable:
                return not_applicable(NAME, NOTHING_TO_ASK, _not_asked(subject.targets, None))
            if opinion.doubt:
                return inconclusive(NAME, opinion.doubt)
            asked = f"{count(opinion.values, 'value')} of {count(opinion.tests, 'target')}"
            words = f"outside the runner too, the code gave what the tests expect: {asked}"
            return passed(NAME, words, notes)

        runs = [run_scripts(base), run_scripts(patched), run_scripts(patched, elsewhere=True)]
        return Examination(judge, lambda: side_by_side(runs))


def _not_asked(targets: Sequence[str], inquiry: Inquiry | None) -> list[str]:
    """Return a note that names the targets whose values are known from the test runner alone."""
    asked = {test for file in inquiry.targets.values() for test in file.scripts} if inquiry else set()
    left = [test for test in targets if test not in asked]
    return (
        [f"only the test runner showed the values of {summarise(left)}: they need its fixtures or set-up"]
        if left
        else []
    )


def _files_and_packages(tests: Iterable[str]) -> set[str]:
    """Return the files of these tests, with the `__init__.py` and `conftest.py` of the folders above them."""
    files = set(names_by_file(tests))
    folders = {folder for path in files for folder in PurePosixPath(path).parents}
    return files | {str(folder / name) for folder in folders for name in ("__init__.py", "conftest.py")}


def _without_test_code(subject: Subject, tree: str) -> Overlay:
    """Return an overlay that removes the Python files of tests from the tree; `.pyi`, `.pyc` and the like too."""
    code = [path for path in subject.kit.git.files(tree) if PurePosixPath(path).suffix.startswith(".py")]
    return {path: None for path in code if subject.kit.is_test(path)}
