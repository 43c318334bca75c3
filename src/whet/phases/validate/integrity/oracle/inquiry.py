"""Collect the scripts of the target tests, and of some passing tests of the same files."""

import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whet.domain.suite import SuiteReport
from whet.phases.validate.integrity.doctests import is_doctest
from whet.phases.validate.integrity.oracle.script import FileScripts, Script
from whet.phases.validate.integrity.oracle.scripts_from_doctests import scripts_of_doctests
from whet.phases.validate.integrity.oracle.scripts_from_tests import scripts_of_tests
from whet.phases.validate.integrity.test_ids import split_id

ReadFile = Callable[[str], bytes | None]
_MOST_TESTS = 200
_MOST_PASSING = 20


@dataclass(frozen=True)
class FileInquiry:
    """The request for one test file: its import statements, and the scripts of its tests by test id."""

    imports: str
    scripts: dict[str, Script]


@dataclass(frozen=True)
class Inquiry:
    """The scripts that are run on a tree, by test file: those of the targets, and those of some `passing` tests.

    The passing tests show whether a file can be evaluated without the test runner. The doctests of `a.py` are filed
    under `a.txt`, apart from its test functions. `top` is the folder of the package whose tests they are; empty for the
    repository's own.
    """

    targets: Mapping[str, FileInquiry]
    passing: Mapping[str, FileInquiry]
    top: str = ""

    @property
    def files(self) -> list[str]:
        return list(self.targets)

    @property
    def request(self) -> dict[str, Any]:
        """The request to the process in the sandbox. Nothing in it names a test or an expected value."""
        modules = []
        for path, file in self.targets.items():
            scripts = dict(file.scripts)
            if path in self.passing:
                scripts |= self.passing[path].scripts
            modules.append({"imports": file.imports, "cases": [script.source for script in scripts.values()]})
        tops = [self.top, posixpath.join(self.top, "src")]
        folders = dict.fromkeys([*tops, *(path.rpartition("/")[0] for path in self.targets)])
        return {"path": list(folders), "modules": modules}


def make_inquiry(targets: Sequence[str], base: SuiteReport, read: ReadFile, top: str = "") -> Inquiry:
    """Build the scripts of the targets, and of tests of the same files that pass on the base."""
    files = _scripts_by_file(targets, base, read)
    passing = [test for test in sorted(base.passed) if _file_key(test, base) in files][:_MOST_PASSING]
    return Inquiry(files, _scripts_by_file(passing, base, read), top)


def _scripts_by_file(tests: Sequence[str], base: SuiteReport, read: ReadFile) -> dict[str, FileInquiry]:
    """Find the script of each test by its position among the ids of its function."""
    parsed: dict[str, FileScripts | None] = {}
    files: dict[str, FileInquiry] = {}
    for test in tests[:_MOST_TESTS]:
        key = _file_key(test, base)
        path, name = split_id(test)
        if key not in parsed:
            parsed[key] = _parse(path, read, doctests=key != path)
        file = parsed[key]
        if file is None:
            continue
        scripts = file.scripts.get(name, [])
        siblings = [other for other in base.outcomes if split_id(other) == (path, name)]
        if len(scripts) != len(siblings):
            continue
        script = scripts[siblings.index(test)]
        if script.queries:
            files.setdefault(key, FileInquiry(file.imports, {})).scripts[test] = script
    return files


def _parse(path: str, read: ReadFile, *, doctests: bool) -> FileScripts | None:
    source = read(path) if path.endswith(".py") else None
    if not source:
        return None
    package = _package(path, read)
    if doctests:
        return scripts_of_doctests(source, _module_name(package, path))
    conftests = [read(f"{folder}conftest.py") for folder in _folders(path)]
    return scripts_of_tests(source, package, [text for text in conftests if text])


def _file_key(test: str, base: SuiteReport) -> str:
    path = split_id(test)[0]
    return f"{path.removesuffix('.py')}.txt" if is_doctest(test, base) else path


def _folders(path: str) -> list[str]:
    """Return the folders above a file as prefixes of paths, the outermost first: `""`, `"tests/"`, `"tests/a/"`."""
    parts = path.split("/")[:-1]
    return ["".join(f"{part}/" for part in parts[:count]) for count in range(len(parts) + 1)]


def _module_name(package: str, path: str) -> str:
    stem = path.removesuffix(".py").rpartition("/")[2]
    return package if stem == "__init__" else f"{package}.{stem}".lstrip(".")


def _package(path: str, read: ReadFile) -> str:
    """Return the dotted name of the package that a file is in, which its relative imports need."""
    parts: list[str] = []
    folder = path.rpartition("/")[0]
    while folder and read(f"{folder}/__init__.py") is not None:
        folder, _, name = folder.rpartition("/")
        parts.insert(0, name)
    return ".".join(parts)
