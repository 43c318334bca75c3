"""Fixes of real projects are accepted: the code of one release, the tests and one function of the next."""

import shutil
import sys
from pathlib import Path

import pytest

from bench.releases import fetch, with_function_of
from tests.support import Repo
from whet.app.project import open_project
from whet.app.proofs.prove import prove
from whet.domain.verdict import Verdict

FIXES = [
    ("funcy", "1.13", "1.14", "funcy/flow.py", "retry", "tests/test_flow.py"),
    ("funcy", "1.14", "1.15", "funcy/flow.py", "raiser", "tests/test_flow.py"),
    ("funcy", "1.16", "1.17", "funcy/flow.py", "throttle", "tests/test_flow.py"),
    ("funcy", "2.0", "2.1", "funcy/strings.py", "cut_suffix", "tests/test_strings.py"),
    ("funcy", "2.0", "2.1", "funcy/calc.py", "memoize", "tests/test_calc.py"),
    ("inflection", "0.3.1", "0.4.0", "inflection.py", "titleize", "test_inflection.py"),
    ("sqlparse", "0.3.1", "0.4.0", "sqlparse/filters/reindent.py", "ReindentFilter._process_where", "tests/test_regressions.py"),
    ("sqlparse", "0.4.2", "0.4.3", "sqlparse/utils.py", "remove_quotes", "tests/test_utils.py"),
    ("sqlparse", "0.4.4", "0.5.0", "sqlparse/sql.py", "Function.get_parameters", "tests/test_parse.py"),
    ("sqlparse", "0.4.4", "0.5.0", "sqlparse/engine/grouping.py", "group_order", "tests/test_grouping.py"),
    ("sqlparse", "0.5.0", "0.5.1", "sqlparse/filters/others.py", "StripWhitespaceFilter._stripws_parenthesis", "tests/test_format.py"),
    ("tabulate", "0.8.8", "0.8.9", "tabulate.py", "_isnumber", "test/test_regression.py"),
]  # fmt: skip


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("releases")


IN_EVERY_CHECK = {"cut_suffix", "titleize", "remove_quotes"}


@pytest.mark.parametrize(
    ("package", "base", "fixed", "path", "function", "tests"),
    [pytest.param(*fix, marks=() if fix[4] in IN_EVERY_CHECK else pytest.mark.needs_index) for fix in FIXES],
)
def test_a_real_fix_is_accepted(
    releases: Path, tmp_path: Path, package: str, base: str, fixed: str, path: str, function: str, tests: str
) -> None:
    try:
        old, new = fetch(package, base, releases), fetch(package, fixed, releases)
    except OSError as problem:
        pytest.skip(f"the package index cannot be reached: {problem}")
    repo = Repo(tmp_path / package)
    shutil.copytree(old, repo.root, symlinks=True)
    shutil.copytree((new / tests).parent, (repo.root / tests).parent, dirs_exist_ok=True, symlinks=True)
    if "/" not in tests:  # the tests lie beside the code, which must stay that of the old release
        shutil.copy(old / path, repo.root / path)
    repo.sh("git", "init", "--quiet", "--initial-branch=main")
    repo.sh("git", "config", "user.name", "tester")
    repo.sh("git", "config", "user.email", "tester@localhost")
    repo.commit(
        {"whet.toml": f'[target]\ninterpreter = "{sys.executable}"\n\n[tests]\nfolders = ["{tests}"]\n'}, "first"
    )
    text = with_function_of((old / path).read_bytes().decode(), (new / path).read_bytes().decode(), function)
    patch = repo.git.patch(repo.head, repo.git.with_files("HEAD", {path: text.encode()}), function)
    evidence = prove(open_project(repo.root), patch, trust_tests=False).evidence
    assert evidence.verdict is Verdict.PASSED, evidence.reasons
