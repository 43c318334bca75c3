"""ty, pyright and basedpyright, installed from the package index, in the proof of a fix of a real project."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bench.releases import fetch, with_function_of
from tests.support import Repo
from whet.app.project import open_project
from whet.app.proofs.prove import prove
from whet.domain.evidence import Evidence
from whet.domain.verdict import CheckResult, Verdict

pytestmark = [pytest.mark.needs_index, pytest.mark.timeout(600)]
MODULE = "inflection.py"
TYPE_ERROR = "\n\ndef length(word: str) -> str:\n    return len(word)\n"


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the folders of two releases of inflection; the second mends `titleize`."""
    folder = tmp_path_factory.mktemp("releases")
    try:
        return fetch("inflection", "0.3.1", folder), fetch("inflection", "0.4.0", folder)
    except OSError as problem:
        pytest.skip(f"the package index cannot be reached: {problem}")


@pytest.fixture(scope="module", params=["basedpyright", "pyright[nodejs]"])
def checker(request: pytest.FixtureRequest) -> str:
    """Return the package of the type checker that stands beside ty. Both read the settings of pyright."""
    return str(request.param)


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory, checker: str) -> Path:
    """Return the interpreter of a new virtual environment with two type checkers."""
    folder = tmp_path_factory.mktemp("environment") / "venv"  # pytest closes its own folder to other users
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    install = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "pytest", "ty", checker]
    if subprocess.run(install, capture_output=True, check=False).returncode:
        pytest.skip("the package index cannot be reached")
    return folder / "bin" / "python"


@pytest.fixture
def repo(releases: tuple[Path, Path], python: Path, tmp_path: Path) -> Repo:
    """Return a repository with the older release, the newer tests, and both type checkers configured."""
    old, new = releases
    repo = Repo(tmp_path / "inflection")
    shutil.copytree(old, repo.root, symlinks=True)
    shutil.copy(new / "test_inflection.py", repo.root)
    repo.sh("git", "init", "--quiet", "--initial-branch=main")
    repo.sh("git", "config", "user.name", "tester")
    repo.sh("git", "config", "user.email", "tester@localhost")
    settings = f'[target]\ninterpreter = "{python}"\n\n[tests]\nfolders = ["test_inflection.py"]\n'
    repo.commit({"whet.toml": settings, "pyproject.toml": "[tool.ty]\n\n[tool.pyright]\n"}, "first")
    return repo


@pytest.fixture
def fixed(releases: tuple[Path, Path]) -> str:
    """Return the older module with the newer `titleize`."""
    old, new = ((folder / MODULE).read_text() for folder in releases)
    return with_function_of(old, new, "titleize")


def evidence_of(repo: Repo, text: str) -> Evidence:
    """Return the evidence of a patch that gives the module this text."""
    patch = repo.git.patch(repo.head, repo.git.with_files("HEAD", {MODULE: text.encode()}), "titleize")
    return prove(open_project(repo.root), patch, trust_tests=False).evidence


def diagnostics_of(evidence: Evidence) -> CheckResult:
    return next(check for check in evidence.checks if check.check == "diagnostics")


def test_a_real_fix_passes_with_both_type_checkers(repo: Repo, fixed: str, checker: str) -> None:
    evidence = evidence_of(repo, fixed)
    assert evidence.verdict is Verdict.PASSED, evidence.reasons
    assert diagnostics_of(evidence).details == {"tools": ["ty", checker.partition("[")[0]], "skipped": []}


def test_a_type_error_is_named_by_both_with_its_line(repo: Repo, fixed: str, checker: str) -> None:
    text = fixed + TYPE_ERROR
    evidence = evidence_of(repo, text)
    assert evidence.verdict is Verdict.INCONCLUSIVE, evidence.reasons
    place = f"{MODULE}, line {len(text.splitlines())}: "
    findings = [finding.partition(place) for finding in diagnostics_of(evidence).regressed]
    assert [(tool.split()[0], found) for tool, found, _ in findings] == [
        ("ty", place),
        (checker.partition("[")[0], place),
    ]
    assert not any("\n" in message for _, _, message in findings)
