"""whet's git runs no code of the repository: no hooks, no file monitors, no diff drivers."""

import subprocess
from pathlib import Path

import pytest

from tests.phases.deploy.harness import PROPOSAL, Harness, status
from whet.git.checkout import Checkout

HOOKS = (
    "post-checkout", "reference-transaction", "post-index-change", "pre-commit", "post-commit", "commit-msg",
    "prepare-commit-msg", "post-merge", "post-rewrite", "pre-push", "applypatch-msg", "fsmonitor-watchman",
)  # fmt: skip


def script(path: Path, leaves: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\necho "$0 $*" >> {leaves}\nexit 1\n')
    path.chmod(0o755)


def change_a(root: Path) -> None:
    path = root / "a.py"
    path.write_text(path.read_text().replace("line 5\n", "line five\n"))


@pytest.fixture(params=["hooks", "hooksPath"])
def trapped(request: pytest.FixtureRequest, harness: Harness, tmp_path: Path) -> Path:
    """Install hooks, monitors and drivers that write a line to a file and fail; return the file."""
    leaves = tmp_path / "ran"
    folder = harness.repo.root / ".git" / "hooks"
    if request.param == "hooksPath":
        folder = tmp_path / "elsewhere-hooks"
        harness.repo.sh("git", "config", "core.hooksPath", str(folder))
    for name in HOOKS:
        script(folder / name, leaves)
    script(tmp_path / "monitor", leaves)
    harness.repo.sh("git", "config", "core.fsmonitor", str(tmp_path / "monitor"))
    harness.repo.sh("git", "config", "diff.external", str(tmp_path / "monitor"))
    harness.repo.sh("git", "config", "diff.mine.command", str(tmp_path / "monitor"))
    harness.repo.sh("git", "config", "diff.mine.textconv", str(tmp_path / "monitor"))
    (harness.repo.root / ".git" / "info" / "attributes").write_text("*.py diff=mine\n")
    return leaves


def test_deploying_and_rolling_back_run_no_code_of_the_repository(harness: Harness, trapped: Path) -> None:
    tree = harness.git.with_files("main", {"a.py": b"changed\n", "new.py": b"new\n"})
    deployment = harness.deploy(harness.prepare(tree))
    branch = harness.deploy(harness.prepare(harness.git.with_files("main", {"b.py": b"changed\n"}), "branch"))
    harness.roll_back(branch)
    harness.roll_back(deployment)
    assert Checkout(harness.git.root).dirty_paths() == []
    assert not trapped.exists(), trapped.read_text()


def test_the_trap_catches_plain_git(harness: Harness, trapped: Path) -> None:
    """A check counts only once it has been seen to fail."""
    with pytest.raises(subprocess.CalledProcessError):
        harness.repo.sh("git", "commit", "--allow-empty", "--message", "x")
    assert trapped.exists()


def test_whets_git_ignores_settings_of_the_environment_and_the_home_folder(
    harness: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaves = tmp_path / "ran"
    script(tmp_path / "hooks" / "reference-transaction", leaves)
    (tmp_path / ".gitconfig").write_text(f"[core]\n\thooksPath = {tmp_path / 'hooks'}\n\tautocrlf = true\n")
    for name, value in {
        "HOME": str(tmp_path), "GIT_CONFIG_GLOBAL": str(tmp_path / ".gitconfig"), "GIT_DIR": "/nonexistent",
        "GIT_INDEX_FILE": "/nonexistent", "GIT_WORK_TREE": "/nonexistent", "GIT_AUTHOR_NAME": "somebody else",
        "GIT_EXTERNAL_DIFF": "/bin/false", "GIT_TRACE": str(tmp_path / "trace"),
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    tree = harness.git.with_files("main", {"a.py": b"changed\n"})
    deployment = harness.deploy(harness.prepare(tree))
    assert (harness.repo.root / "a.py").read_bytes() == b"changed\n"
    assert harness.git.log(deployment.after, limit=1)[0].author == "whet"
    assert not leaves.exists()
    assert not (tmp_path / "trace").exists()


def test_the_commit_is_not_signed_and_names_its_proposal_evidence_and_ledger(harness: Harness) -> None:
    harness.repo.sh("git", "config", "commit.gpgSign", "true")
    harness.repo.sh("git", "config", "gpg.program", "/bin/false")
    deployment = harness.land(change_a)
    commit = harness.git.log(deployment.after, limit=1)[0]
    assert commit.trailers["Whet-Proposal"] == PROPOSAL
    assert commit.trailers["Whet-Evidence"] == "e" * 64
    assert commit.trailers["Whet-Ledger"].startswith("0:")
    assert status(harness.repo) == ""
