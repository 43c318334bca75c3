"""`whet guard explain`: which rule decides about a path, from which list, and why."""

from pathlib import Path

import pytest

from tests.cli.refusals import SMALL, refuses, refuses_in_json
from tests.support import MakeRepo, Repo
from whet.guard.change.self_change import DEFINITIONS

POLICY = """
[guard]
open = ["setup.py"]
protected = [
  "src/core/**",
  "legal/**",
]

[guard.immutable]
"config/a.yaml" = ["safety"]
"""


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    repo = make_repo(SMALL)
    (repo.root / "whet.toml").write_text('environment = "development"\n' + POLICY)
    repo.commit({"pyproject.toml": '[project.scripts]\nx = "tool.cli:main"\n'}, "policy")
    return repo


@pytest.mark.parametrize(
    ("path", "code", "words"),
    [
        ("nowhere/new.py", 0, ["allowed: no rule applies to nowhere/new.py"]),
        ("./nowhere/../new.py", 0, ["allowed: no rule applies to new.py"]),
        ("legal/a.md", 3, ["refused", "path_protected", "legal/**", "whet.toml, line 7 (guard.protected)"]),
        ("setup.py", 0, ["allowed", "whet.toml, line 4 (guard.open)"]),
        ("src/auth.py", 0, ["higher tier", "path_guarding", "auth.py", "built in", "auth_changes, which guard.denied"]),
        (".cursor/rules/a.md", 3, ["it belongs to a coding agent: Cursor", "built in, see https://cursor.com/"]),
        (
            "tool/cli.py",
            0,
            ["higher tier", "entry_point", "tool/cli.py is an entry point (pyproject.toml declares it)"],
        ),
        ("whet.toml", 3, ["refused: whet.toml is protected", "built in"]),
        ("a.sh", 3, ["diff_suffix_not_allowed", "built in (guard.suffixes)"]),
        ("config/a.yaml", 0, ["allowed", "its sections safety may not change"]),
        ("tests/test_new.py", 3, ["tests_touched", "tests/**"]),
    ],
)
def test_explain_names_the_rule_that_decides(repo: Repo, path: str, code: int, words: list[str]) -> None:
    result = repo.whet("guard", "explain", path)
    assert result.code == code, result.err
    assert all(word in result.out for word in words), result.out


def test_explain_prints_the_same_as_json(repo: Repo) -> None:
    result = repo.whet("guard", "explain", "legal/a.md", "--json")
    assert result.code == 3
    assert result.json == {
        "path": "legal/a.md", "decision": "refused", "rule": "path_protected", "pattern": "legal/**",
        "origin": "whet.toml, line 7 (guard.protected)", "reason": "legal/a.md is protected by the policy ('legal/**')", "also": [],
    }  # fmt: skip


def test_a_path_outside_the_repository_is_a_usage_error(repo: Repo, tmp_path: Path) -> None:
    for path in ("../elsewhere.py", "/etc/passwd", "src/../../x", "."):
        refuses(repo.whet("guard", "explain", path), 2, "is not inside")
    refuses_in_json(repo.whet("guard", "explain", "/etc/passwd", "--json"), 2, "usage", "is not inside")


def test_explain_follows_links(repo: Repo) -> None:
    (repo.root / "out").symlink_to("/etc")
    (repo.root / "inner").symlink_to("legal")
    refuses(repo.whet("guard", "explain", "out/passwd"), 2, "leads out of the repository by a link")
    result = repo.whet("guard", "explain", "inner/a.md")
    assert result.code == 3
    assert "it is legal/a.md, by a link" in result.out


def test_explain_says_that_the_repository_holds_whets_own_source(repo: Repo) -> None:
    repo.commit({"vendored/tool.py": "\n".join(f"# {definition}" for definition in DEFINITIONS)}, "vendored")
    assert "holds whet's own source" in repo.whet("guard", "explain", "a.py").out


def test_whet_runs_on_its_own_source_once_a_day(repo: Repo) -> None:
    repo.commit({"vendored/tool.py": "\n".join(f"# {definition}" for definition in DEFINITIONS)}, "vendored")
    first = repo.whet("run", "--json")
    assert first.code != 3, first.out
    refuses_in_json(repo.whet("run", "--json"), 3, "refused", "once in 24 hours")
