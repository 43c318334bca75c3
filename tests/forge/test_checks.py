"""The checks of a pull request that whet merges: its CI must be green, also where no rule of the forge asks for it."""

from pathlib import Path

import pytest

from tests.forge.conftest import make_shop, prove
from tests.forge.github_server import GitHubServer
from tests.phases.approve.people import Person
from tests.support import CommandResult, Repo
from whet.domain.pull_request import CheckState, CommitCheck
from whet.domain.verdict import Verdict
from whet.phases.deploy.request_checks import not_green

WHET_MERGES = 'merge = "whet"\n[approve]\nmerge = "confirm"\n'


@pytest.fixture
def offered(github: GitHubServer, tmp_path: Path) -> tuple[Repo, str]:
    """A repository in which whet merges, and its proposal, whose pull request is open."""
    repo = make_shop(tmp_path / "shop", github.settings + WHET_MERGES)
    repo.sh("git", "push", "--quiet", str(github.bare), "main")
    proposal = prove(repo, github)
    assert repo.whet("approve", proposal, "--yes", env=github.environment).code == 5
    assert len(github.pulls) == 1
    return repo, proposal


def check(name: str, state: str) -> CommitCheck:
    return CommitCheck(name=name, state=CheckState(state))


def test_a_red_and_a_pending_check_are_named_and_a_green_one_is_not() -> None:
    checks = [check("lint", "failed"), check("docs", "passed"), check("tests\nx", "pending")]
    assert not_green(checks, Verdict.PASSED) == "lint failed, tests\\nx pending"
    assert not_green(checks[1:2], Verdict.PASSED) == not_green([], Verdict.PASSED) == ""


def test_whets_own_report_counts_unless_people_overrode_its_verdict() -> None:
    own = [check("whet", "failed")]
    assert not_green(own, Verdict.PASSED) == "whet failed"
    assert not_green(own, Verdict.INCONCLUSIVE) == ""
    assert not_green([*own, check("lint", "failed")], Verdict.INCONCLUSIVE) == "lint failed"


def test_many_red_checks_are_counted_and_not_all_named() -> None:
    checks = [check(f"job-{number}" + "x" * 100, "failed") for number in range(7)]
    words = not_green(checks, Verdict.PASSED)
    assert words.endswith(" and 2 more")
    assert len(words) < 500


@pytest.mark.slow
@pytest.mark.long
def test_a_renewed_proof_updates_the_pull_request_that_is_open(offered: tuple[Repo, str], github: GitHubServer) -> None:
    repo, proposal = offered
    first = github.head(f"whet/{proposal}")
    repo.commit(
        {"whet.signers": Person("alice@example.com").line},
        "the approvers have changed: what they said yes to is asked again",
    )
    repo.sh("git", "push", "--quiet", str(github.bare), "main")
    renewed = repo.whet("approve", proposal, "--yes", env=github.environment)
    assert renewed.code == 5, (renewed.out, renewed.err)
    assert github.head(f"whet/{proposal}") == first, "nothing is offered before the new proof is approved"

    offered_again = repo.whet("approve", proposal, "--yes", env=github.environment)
    assert offered_again.code == 5, (offered_again.out, offered_again.err)
    second, [pull] = github.head(f"whet/{proposal}"), github.pulls
    assert second != first
    assert github.git("rev-parse", f"{second}^") == repo.head
    assert f"base `{repo.head[:10]}`" in pull["body"]

    github.ci(first, "tests", "failure")
    merged = repo.whet("approve", proposal, "--yes", env=github.environment)
    assert merged.code == 0, (merged.out, merged.err)
    assert pull["head"]["sha"] == second
    assert pull["merged"]
    assert repo.whet("audit", env=github.environment).code == 0


@pytest.mark.slow
@pytest.mark.long
def test_whet_merges_no_commit_that_people_added(offered: tuple[Repo, str], github: GitHubServer) -> None:
    repo, proposal = offered
    github.commit_on(f"whet/{proposal}", "extra.py", "x = 1\n")
    refused = repo.whet("approve", proposal, "--yes", env=github.environment)
    assert (refused.code, "Head branch was modified" in refused.err) == (3, True), (refused.out, refused.err)
    assert github.pulls[0]["state"] == "open"


def refused(result: CommandResult, words: str) -> None:
    assert result.code == 3, (result.out, result.err)
    assert words in result.err
    assert "`whet resume` when they are" in result.err


@pytest.mark.slow
@pytest.mark.long
def test_whet_merges_when_every_check_is_green_and_not_before(offered: tuple[Repo, str], github: GitHubServer) -> None:
    repo, proposal = offered
    head = github.head(f"whet/{proposal}")
    github.ci(head, "lint", "failure")
    github.ci(head, "tests", "pending")
    refused(repo.whet("approve", proposal, "--yes", env=github.environment), "lint failed, tests pending")
    github.ci(head, "lint", "success")
    refused(repo.whet("resume", env=github.environment), "are not green: tests pending")
    assert github.pulls[0]["state"] == "open"
    assert repo.whet("show", proposal, "--json").json["errors"] == []

    github.ci(head, "tests", "success")
    merged = repo.whet("resume", env=github.environment)
    assert merged.code == 0, (merged.out, merged.err)
    assert github.pulls[0]["merged"]
    assert repo.whet("audit", env=github.environment).code == 0
