"""A secret around a bug, and in what a model writes about it, reaches no prompt, no pull request and no record."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cycle.secret_outlets import tables
from tests.cycle.test_model_engine import FIX, SHOP, TESTS, settings
from tests.domain.secret_samples import A
from tests.forge.github_server import GitHubServer
from tests.models.scripted_server import scripted
from tests.support import MakeRepo, Repo

CANARY = "gh" + "p_" + A[7:43]
CODE = SHOP.replace("    settings = {}", f'    settings = {{}}  # not "{CANARY}"')
CHECKS = TESTS.replace("assert parse(text) == settings", f'assert parse(text) == settings, "{CANARY}"').replace(
    '("on", {"on": ""})', f'("on", {{"on": ""}}), ("{CANARY}=1", {{"{CANARY}": "1"}})'
)
LEAKING = FIX.replace("The value is lost", f"{CANARY} is lost").replace(
    "if key.strip():", f'if key.strip() != "{CANARY}":'
)
GOOD = FIX.replace("The value is lost", f"The value of {CANARY} is lost")


@pytest.fixture
def github(tmp_path: Path) -> Iterator[GitHubServer]:
    server = GitHubServer(tmp_path / "github")
    server.reset()
    yield server
    server.close()


@pytest.mark.long
def test_no_secret_is_sent_to_a_model_or_a_forge(make_repo: MakeRepo, github: GitHubServer, tmp_path: Path) -> None:
    with scripted(LEAKING, GOOD) as model:
        policy = settings(model, github.settings).replace('strategy = "merge"', 'strategy = "pr"')
        policy = policy.replace("repair_seconds = 5", 'engines = ["model"]')
        repo = make_repo({"shop.py": CODE, "tests/test_shop.py": CHECKS, "whet.toml": policy})
        repo.sh("git", "push", "--quiet", str(github.bare), "main")
        ran = repo.whet("run", "--json", env=github.environment)
        assert ran.code == 5, (ran.out, ran.err)
        proposal = ran.json[0]["proposal"]
        page = tmp_path / "page.html"
        shown = [
            repo.whet(*words)
            for words in (("show", proposal, "--all"), ("list",), ("show", proposal, "--html", str(page)))
        ]
        offered = repo.whet("approve", proposal, "--yes", "--why", f"not {CANARY}", env=github.environment)
        assert offered.code == 5, (offered.out, offered.err)
        prompts = model.prompts
    assert len(prompts) == 2
    assert all("[redacted: GitHub token]" in prompt for prompt in prompts)
    forge = json.dumps([github.pulls, github.labels, github.comments, github.checks, github.statuses])
    assert "[redacted: GitHub token]" in github.pulls[0]["body"]
    texts = [*prompts, forge, page.read_text(), *(result.out + result.err for result in (ran, *shown, offered))]
    assert [text[:300] for text in texts if CANARY in text] == []
    assert [name for name, text in tables(repo.root / ".whet") if CANARY in text] == []
    _assert_code_is_pushed_as_it_is(repo, github, proposal)


def _assert_code_is_pushed_as_it_is(repo: Repo, github: GitHubServer, proposal: str) -> None:
    assert CANARY in github.git("show", f"whet/{proposal}:shop.py")
    assert CANARY not in github.git("log", "--format=%B", f"whet/{proposal}")
    assert "partition" in github.git("show", f"whet/{proposal}:shop.py")
    assert CANARY not in repo.sh("git", "log", "--format=%B", "--glob=refs/whet/*")
