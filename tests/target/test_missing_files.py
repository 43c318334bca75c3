"""Tests that fail because git ignores a file: the file is named, and the setting that copies it."""

import pytest

from tests.cli.refusals import SMALL, refuses
from tests.support import MakeRepo
from whet.app.project import open_project
from whet.domain.suite import Failure, Outcome, SuiteReport
from whet.target.missing_files import extra_files_hint, missing_ignored_files

IGNORED: dict[str, str | bytes] = {
    "build/table.csv": "1\n",
    "build/deep/more.csv": "1\n",
    "src/shop/_version.py": "NUMBER = 1\n",
    "src/shop/_fast.cpython-311-x86_64-linux-gnu.so": "",
    ".venv/lib/site-packages/tool.py": "",
}
MESSAGES = {
    "a relative path": ("[Errno 2] No such file or directory: 'build/table.csv'", ["build/table.csv"]),
    "a path with dots": ("[Errno 2] No such file or directory: './build/../build/table.csv'", ["build/table.csv"]),
    "an absolute path": ("[Errno 2] No such file or directory: 'ROOT/build/table.csv'", ["build/table.csv"]),
    "a folder": ("[Errno 2] No such file or directory: 'build/deep'", ["build/deep/more.csv"]),
    "a module": ("No module named 'shop._version'", ["src/shop/_version.py"]),
    "an extension module": ("No module named 'shop._fast'", ["src/shop/_fast.cpython-311-x86_64-linux-gnu.so"]),
    "a name of a package": ("cannot import name '_version' from 'shop' (x)", ["src/shop/_version.py"]),
    "another file": ("[Errno 2] No such file or directory: 'table.csv'", []),
    "an installed module": ("No module named 'tool'", []),
    "a path that is only mentioned": ("build/table.csv is wrong", []),
}


def red(message: str) -> SuiteReport:
    failure = Failure(exception="E", message=message, frames=(), text="")
    return SuiteReport(
        tree="t", outcomes={"a::b": Outcome.FAILED}, seconds=0.0, complete=True, failures={"a::b": failure}
    )


def test_the_ignored_file_that_a_failure_calls_missing_is_found(make_repo: MakeRepo) -> None:
    repo = make_repo({**SMALL, ".gitignore": ".venv/\nbuild/\n_version.py\n*.so\n"})
    repo.write(IGNORED)
    suite = open_project(repo.root).suite
    for name, (message, paths) in MESSAGES.items():
        report = red(message.replace("ROOT", str(repo.root)))
        assert missing_ignored_files(report, suite) == paths, name
    suite.extra_files = {"build/table.csv": b"1\n"}
    assert missing_ignored_files(red(MESSAGES["a relative path"][0]), suite) == []


def test_only_the_first_missing_files_are_listed() -> None:
    assert "add a to target.extra_files" in extra_files_hint(["a"])
    assert "add a, b, c, d, e and 2 more to target.extra_files" in extra_files_hint(list("abcdefg"))


@pytest.mark.parametrize("every_file", [True, False])
def test_scan_names_the_missing_file_and_the_setting(make_repo: MakeRepo, *, every_file: bool) -> None:
    repo = make_repo({**SMALL, ".gitignore": "_version.py\n", "shop/__init__.py": ""})
    repo.write({"shop/_version.py": "NUMBER = 1\n"})
    if every_file:
        repo.commit({"tests/test_m.py": "from shop import _version\n"})
        refuses(repo.whet("scan"), 4, "does not import", "add shop/_version.py to target.extra_files")
    else:
        repo.commit({"tests/test_n.py": "def test_version():\n    import shop._version\n"})
        assert "add shop/_version.py to target.extra_files" in repo.whet("scan").out
