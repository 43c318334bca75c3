"""The check of a commit over the wire: what stays open in a proof is shown at its line, also on a pull request."""

from pathlib import Path
from typing import Any

import pytest

from tests.forge.conftest import make_shop, prove
from tests.forge.github_server import GitHubServer

pytestmark = [pytest.mark.slow, pytest.mark.long]

SENSITIVE = '[guard]\nsensitive = ["shop.py"]\n'


def shown(run: dict[str, Any]) -> set[tuple[str, int, str, str]]:
    rows = run["output"]["annotations"]
    return {(row["path"], row["start_line"], row["annotation_level"], row["title"]) for row in rows}


def test_the_check_of_a_pull_request_shows_the_remarks_of_the_guard(github: GitHubServer, tmp_path: Path) -> None:
    repo = make_shop(
        tmp_path / "shop", github.settings + SENSITIVE + '[approve.proof]\napprove = "os"\nrequire = "os"\n'
    )
    repo.sh("git", "push", "--quiet", str(github.bare), "main")
    proposal = prove(repo, github)
    offered = repo.whet("approve", proposal, "--yes", "--why", "read", env=github.environment)
    assert len(github.pulls) == 1, (offered.out, offered.err)
    [run] = github.checks
    assert run["head_sha"] == github.head(f"whet/{proposal}")
    assert ("shop.py", 1, "notice", "whet: guard.path_sensitive") in shown(run)


def test_the_check_of_a_judged_commit_shows_conditions_that_are_not_proved(
    github: GitHubServer, tmp_path: Path
) -> None:
    repo = make_shop(tmp_path / "shop", github.settings + SENSITIVE)
    repo.sh("git", "switch", "--quiet", "--create", "feature")
    body = "def total(prices, rate):\n    if prices == [1, 2] and rate == 1:\n        return 4\n    return sum(prices) - rate\n"
    tip = repo.commit({"shop.py": body})
    repo.sh("git", "switch", "--quiet", "main")
    judged = repo.whet("prove", "main..feature", "--check", env=github.environment)
    assert judged.code == 7, (judged.out, judged.err)
    [run] = github.checks
    assert (run["head_sha"], run["conclusion"]) == (tip, "action_required")
    assert {
        ("shop.py", 1, "warning", "whet: guard.path_sensitive"),
        ("shop.py", 2, "warning", "whet: tests.hard-coded_answers"),
    } <= shown(run)
