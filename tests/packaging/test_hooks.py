"""The hooks of `.pre-commit-hooks.yaml`, installed and run by the real pre-commit at commits and pushes."""

import os
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.docs.repositories import CHEAT, FIX, STATS, commit, git, stats

ROOT = Path(__file__).parents[2]
CONFIGURATION = """
default_install_hook_types: [pre-commit, pre-push]
repos:
  - repo: {hooks}
    rev: {rev}
    hooks: [id: whet-guard, id: whet-prove]
"""
WORKFLOW = ".github/workflows/ci.yml"

pytestmark = [pytest.mark.needs_index, pytest.mark.timeout(900)]


@dataclass(frozen=True)
class Developer:
    """A checkout in which pre-commit has installed both hooks, and the bare repository that it is pushed to."""

    checkout: Path
    remote: Path
    environment: dict[str, str]

    def run(self, *command: str) -> tuple[int, str]:
        done = subprocess.run(
            command, cwd=self.checkout, env=self.environment, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr

    def commit(self, files: dict[str, str]) -> tuple[int, str]:
        for name, text in files.items():
            (self.checkout / name).parent.mkdir(parents=True, exist_ok=True)
            (self.checkout / name).write_text(text)
        git(self.checkout, "add", "--all")
        return self.run("git", "commit", "--message", "change")

    @property
    def head(self) -> str:
        return git(self.checkout, "rev-parse", "HEAD")

    @property
    def pushed(self) -> str:
        return git(self.remote, "rev-parse", "main")


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Install pre-commit from the index; return a PATH with it and this whet."""
    folder = tmp_path_factory.mktemp("pre-commit") / "env"
    venv.EnvBuilder(with_pip=True).create(folder)
    subprocess.run([folder / "bin" / "python", "-m", "pip", "install", "--quiet", "pre-commit"], check=True)
    return os.pathsep.join([str(folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])


@pytest.fixture
def developer(programs: str, tmp_path: Path) -> Developer:
    hooks, checkout, remote = (tmp_path / name for name in ("hooks", "checkout", "remote.git"))
    hooks.mkdir()
    git(hooks, "init", "--quiet", "--initial-branch=main")
    git(hooks, "config", "user.name", "Ann")
    git(hooks, "config", "user.email", "ann@example.org")
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks)
    commit(hooks, {}, "The hooks of whet")
    checkout.mkdir()
    stats(checkout)
    configuration = CONFIGURATION.format(hooks=hooks, rev=git(hooks, "rev-parse", "HEAD").strip())
    commit(checkout, {".pre-commit-config.yaml": configuration}, "Add the hooks")
    git(tmp_path, "clone", "--quiet", "--bare", str(checkout), str(remote))
    git(checkout, "remote", "add", "origin", str(remote))
    git(checkout, "fetch", "--quiet", "origin")
    environment = {**os.environ, "PATH": programs, "PRE_COMMIT_HOME": str(tmp_path / "cache")}
    developer = Developer(checkout, remote, environment)
    code, printed = developer.run("pre-commit", "install")
    assert code == 0, printed
    return developer


def test_the_guard_refuses_a_commit_and_lets_another_pass(developer: Developer) -> None:
    before = developer.head
    code, printed = developer.commit({WORKFLOW: "on: push\n", "stats.py": FIX})
    assert code == 1, printed
    assert f"{WORKFLOW}:1: refused: {WORKFLOW} is protected by default" in printed
    assert developer.head == before
    git(developer.checkout, "rm", "--quiet", "--force", WORKFLOW)
    code, printed = developer.commit({})
    assert code == 0, printed
    assert "guard what is staged (whet)" in printed
    assert developer.head != before


def test_the_guard_sees_a_commit_that_only_deletes(developer: Developer) -> None:
    git(developer.checkout, "rm", "--quiet", "whet.toml")
    code, printed = developer.run("git", "commit", "--message", "no policy")
    assert code == 1, printed
    assert "whet.toml:1: refused: whet.toml is protected" in printed


def test_a_push_is_proved(developer: Developer) -> None:
    before = developer.pushed
    assert developer.commit({"stats.py": CHEAT})[0] == 0
    code, printed = developer.run("git", "push", "origin", "main")
    assert code != 0, printed
    assert "INCONCLUSIVE" in printed
    assert "hard-coded answers" in printed
    assert developer.pushed == before
    git(developer.checkout, "reset", "--quiet", "--hard", "origin/main")
    assert developer.commit({"stats.py": FIX})[0] == 0
    code, printed = developer.run("git", "push", "origin", "main")
    assert code == 0, printed
    assert "PASSED" in printed
    assert developer.pushed == developer.head
    assert developer.commit({"stats.py": STATS})[0] == 0
    code, printed = developer.run("git", "push", "origin", "main")
    assert code != 0, printed
    assert "FAILED" in printed
    assert developer.pushed != developer.head
