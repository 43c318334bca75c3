"""`whet guard staged`: what the guard says about the files that are staged for a commit."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.refusals import SMALL, refuses
from tests.support import CommandResult, MakeRepo, Repo

WORKFLOW: dict[str, str | bytes] = {".github/workflows/ci.yml": "on: push\njobs: {}\n"}
TOKEN = "ghp_" + "a1B2" * 9


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return make_repo(SMALL)


def stage(repo: Repo, files: dict[str, str | bytes], **environment: str) -> CommandResult:
    repo.write(files)
    repo.sh("git", "add", "--all")
    return repo.whet("guard", "staged", env=environment)


def test_a_harmless_change_is_allowed(repo: Repo) -> None:
    result = stage(repo, {"m.py": "def f():\n    return 2\n"})
    assert (result.code, result.out) == (0, "allowed: 1 staged file, judged by HEAD:whet.toml\n")


@pytest.mark.parametrize(
    ("files", "line"),
    [
        (WORKFLOW, ".github/workflows/ci.yml:1: refused: .github/workflows/ci.yml is protected by default"),
        ({".pre-commit-config.yaml": "repos: []\n"}, ".pre-commit-config.yaml:1: refused: .pre-commit-config.yaml is"),
        ({"whet.toml": "[guard]\nopen = ['.github']\n"}, "whet.toml:1: refused: whet.toml is protected"),
        ({"m.py": f'def f():\n    return 1\n\n\nT = "{TOKEN}"\n'}, "m.py:5: refused: m.py "),
        (
            {"m.py": "import os\n\n\ndef f(n):\n    return os.system('ls ' + n)\n"},
            "m.py:5: refused: m.py assembles a shell",
        ),
        ({"m.py": "import os\n\n\ndef f():\n    return os.getcwd()\n"}, "m.py:1: needs approval: m.py imports"),
        ({"auth.py": "def allowed(user):\n    return True\n"}, "auth.py:1: refused: auth.py is one of the auth"),
    ],
    ids=["CI", "hooks", "policy", "secret", "shell", "review", "denied kind"],
)
def test_a_remark_stands_at_its_file_and_line(repo: Repo, files: dict[str, str | bytes], line: str) -> None:
    result = stage(repo, files)
    assert any(row.startswith(line) for row in result.out.splitlines()), result.out
    assert result.code == (3 if "refused" in line else 0)
    assert TOKEN not in result.out


def test_only_what_is_staged_counts(repo: Repo) -> None:
    repo.write({**WORKFLOW, "m.py": "def f():\n    return 2\n"})
    repo.sh("git", "add", "m.py")
    assert repo.whet("guard", "staged").code == 0
    repo.sh("git", "add", "--all")
    (repo.root / ".github" / "workflows" / "ci.yml").unlink()
    assert repo.whet("guard", "staged").code == 3
    repo.sh("git", "reset", "--quiet")
    assert repo.whet("guard", "staged").out == "nothing is staged\n"


def test_the_policy_is_that_of_head_and_not_the_staged_one(repo: Repo) -> None:
    opened = '[guard]\nopen = [".github/**"]\n'
    assert stage(repo, {**WORKFLOW, "whet.toml": opened}).code == 3
    repo.sh("git", "reset", "--quiet", "--hard")
    repo.commit({"whet.toml": opened}, "open CI")
    result = stage(repo, {**WORKFLOW, "whet.toml": "broken ["})
    lines = [line for line in result.out.splitlines() if line.startswith(".github")]
    assert not any("refused" in line for line in lines), result.out


def test_size_and_file_type_are_notes_because_the_whole_change_is_judged_later(repo: Repo) -> None:
    repo.sh("git", "rm", "--quiet", "m.py")
    result = stage(repo, {"page.css": "a {}\n", "n.py": "x = 1\n" * 500, "logo.md": b"\0\1"})
    assert result.code == 0, result.out
    for rule in ("too_many_deleted_files", "diff_suffix_not_allowed", "too_many_lines", "binary_file"):
        assert f"[{rule}]" in result.out


def test_a_repository_without_commits_is_judged_by_content(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.sh("git", "init", "--quiet")
    assert repo.whet("guard", "staged").out == "nothing is staged\n"
    result = stage(repo, {**SMALL, **WORKFLOW, ".gitignore": ".venv\n"})
    assert result.code == 0, result.out
    assert result.out.endswith("judged by the defaults\n")
    result = stage(repo, {"n.py": f'T = "{TOKEN}"\n'})
    assert result.code == 3
    assert result.out.startswith("n.py:1: refused: ")


def test_a_linked_worktree_has_its_own_index(repo: Repo, tmp_path: Path) -> None:
    repo.sh("git", "worktree", "add", "--quiet", str(tmp_path / "second"), "-b", "second")
    second = Repo(tmp_path / "second")
    assert stage(second, WORKFLOW).code == 3
    assert repo.whet("guard", "staged").code == 0


def test_the_index_that_git_names_to_its_hooks_is_judged(repo: Repo, tmp_path: Path) -> None:
    """`git commit -a` and `git commit FILE` use another index than the repository's."""
    hook = repo.root / ".git" / "hooks" / "pre-commit"
    hook.write_text(f'#!/bin/sh\nexec "{Path(sys.executable).parent / "whet"}" guard staged\n')
    hook.chmod(0o755)
    repo.write({"m.py": f'T = "{TOKEN}"\n'})
    done = subprocess.run(
        ["git", "commit", "--all", "--message", "x"], cwd=repo.root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "m.py:1: refused: " in done.stdout + done.stderr


def test_files_that_a_merge_takes_over_are_not_judged_again(repo: Repo) -> None:
    repo.sh("git", "checkout", "--quiet", "-b", "upstream")
    repo.commit(dict(WORKFLOW), "CI, reviewed elsewhere")
    repo.sh("git", "checkout", "--quiet", "-")
    repo.commit({"n.py": "x = 1\n"}, "own")
    repo.sh("git", "merge", "--quiet", "--no-commit", "--no-ff", "upstream")
    assert repo.whet("guard", "staged").out == "nothing is staged\n"
    assert stage(repo, {".github/workflows/ci.yml": "on: pull_request\n"}).code == 3


def test_json_has_the_answer_and_the_findings(repo: Repo) -> None:
    repo.write(dict(WORKFLOW))
    repo.sh("git", "add", "--all")
    result = repo.whet("guard", "staged", "--json")
    assert result.code == 3
    assert result.json["answer"] == "refused"
    assert result.json["policy"] == "HEAD:whet.toml"
    assert {(finding["path"], finding["rule"]) for finding in result.json["findings"]} >= {
        (".github/workflows/ci.yml", "path_protected")
    }


def test_unresolved_conflicts_are_named(repo: Repo) -> None:
    repo.sh("git", "checkout", "--quiet", "-b", "other")
    repo.commit({"m.py": "x = 1\n"}, "one")
    repo.sh("git", "checkout", "--quiet", "-")
    repo.commit({"m.py": "x = 2\n"}, "two")
    subprocess.run(["git", "merge", "other"], cwd=repo.root, capture_output=True, check=False, env=os.environ)
    refuses(repo.whet("guard", "staged"), 4, "m.py", "resolve the conflicts")


def test_no_state_folder_is_made(repo: Repo) -> None:
    stage(repo, {"m.py": "x = 1\n"})
    assert not (repo.root / ".whet").exists()
