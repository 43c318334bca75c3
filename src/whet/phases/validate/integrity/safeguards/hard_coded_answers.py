"""The patch must not contain the answers of the tests as literals, in code or in data files."""

import ast
from pathlib import PurePosixPath

from whet.domain.verdict import SafeguardResult
from whet.guard.content.added import added_lines, lines_of
from whet.phases.validate.integrity.diff.shared_literals import find_shared_literal
from whet.phases.validate.integrity.doctests import examples_as_code, is_doctest
from whet.phases.validate.integrity.literals_of_tests import find_hard_coded, find_numbers, numbers_as_code
from whet.phases.validate.integrity.safeguard import Examination, Safeguard, inconclusive, passed
from whet.phases.validate.integrity.subject import Subject
from whet.phases.validate.integrity.test_ids import functions, names_by_file, split_id

NAME = "hard-coded answers"
_MOST_DATA_FILES = 20
_LARGEST_DATA_FILE = 200_000


class HardCodedAnswers(Safeguard):
    name = NAME

    def prepare(self, subject: Subject) -> Examination:
        return Examination(lambda _, __: _judge(subject))


def _judge(subject: Subject) -> SafeguardResult:
    tests = _code_of_targets(subject)
    for path, (old, new) in subject.changed_code().items():
        if answer := find_hard_coded(added_lines(old, new), new, tests, old):
            return inconclusive(NAME, f"{path}: {answer}")
        if answer := find_shared_literal(old, new, tests):
            return inconclusive(NAME, f"{path}: {answer}; nothing shows that other inputs work")
    for path, text in _added_data(subject).items():
        if answer := find_numbers(text, tests):
            return inconclusive(NAME, f"{path}: {answer}")
    return passed(NAME, "the patch does not contain the answers of the tests")


def _code_of_targets(subject: Subject) -> list[ast.AST]:
    """Return the target tests as parsed code: functions, doctests, and the numbers of the data files that they name."""
    names = names_by_file(subject.targets)
    code: list[ast.AST] = []
    for path, module in subject.test_modules(subject.targets).items():
        defined = dict(functions(module))
        code += [node for name, node in defined.items() if name in names[path]]
    base = subject.reports.base
    with_doctests = {split_id(test)[0] for test in subject.targets if is_doctest(test, base)}
    for path, source in subject.kit.git.read_all(subject.trees.patched, with_doctests).items():
        code += examples_as_code(path, source.decode(errors="replace"))
    return [*code, *map(numbers_as_code, _data_of_tests(subject))]


def _data_of_tests(subject: Subject) -> list[str]:
    """Return the texts of the data files of tests whose names occur in the files of the targets."""
    git, patched = subject.kit.git, subject.trees.patched
    test_code = b"".join(subject.sources(names_by_file(subject.targets)).values())
    data_files = [path for path in git.files(patched) if subject.kit.is_test(path) and not path.endswith(".py")]
    named = [path for path in data_files if PurePosixPath(path).name.encode() in test_code][:_MOST_DATA_FILES]
    contents = git.read_all(patched, named).values()
    return [data.decode() for data in contents if len(data) <= _LARGEST_DATA_FILE and _is_text(data)]


def _added_data(subject: Subject) -> dict[str, str]:
    """Return the lines that the patch adds to files that are neither Python nor tests."""
    added: dict[str, str] = {}
    for path, (old, new) in subject.kit.git.texts(subject.patch.changes).items():
        if not path.endswith(".py") and not subject.kit.is_test(path):
            lines = lines_of(new)
            added[path] = "\n".join(lines[number - 1] for number in sorted(added_lines(old, new)))
    return added


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in data
