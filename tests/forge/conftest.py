"""A GitHub on a local port, and a repository whose fix waits at the apply gate."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.forge.github_server import GitHubServer
from tests.support import Repo

SHOP = {
    "shop.py": "def total(prices, rate):\n    return sum(prices) - rate\n",
    "tests/test_shop.py": "from shop import total\n\n\ndef test_total():\n    assert total([1, 2], 1) == 4\n\n\n"
    "def test_nothing():\n    assert total([], 0) == 0\n",
}


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GitHubServer]:
    github = GitHubServer(tmp_path_factory.mktemp("github"))
    yield github
    github.close()


@pytest.fixture
def github(server: GitHubServer) -> Iterator[GitHubServer]:
    """The server without any pull request. A request that GitHub's OpenAPI file does not allow fails the test."""
    server.reset()
    yield server
    assert server.violations == []


@pytest.fixture(scope="session")
def proved(tmp_path_factory: pytest.TempPathFactory, server: GitHubServer) -> tuple[Path, str]:
    repo = make_shop(tmp_path_factory.mktemp("forge") / "shop", server.settings)
    return repo.root, prove(repo, server)


def make_shop(root: Path, forge: str) -> Repo:
    """Return a repository with a bug and the strategy `pr`; `forge` is its section [forge]."""
    repo = Repo(root)
    repo.root.mkdir()
    repo.sh("git", "init", "--quiet", "--initial-branch=main")
    repo.sh("git", "config", "user.name", "tester")
    repo.sh("git", "config", "user.email", "tester@localhost")
    settings = f'[tests]\nfolders = ["tests"]\n[deploy]\nstrategy = "pr"\n{forge}'
    repo.commit({**SHOP, "whet.toml": settings}, "first")
    return repo


def prove(repo: Repo, server: GitHubServer) -> str:
    """Find and prove the fix of the bug; return the proposal, which waits at the apply gate."""
    result = repo.whet("run", "--json", env=server.environment)
    assert result.code == 5, (result.out, result.err)
    return str(result.json[0]["proposal"])


@pytest.fixture
def shop(proved: tuple[Path, str], github: GitHubServer, tmp_path: Path) -> tuple[Repo, str]:
    """A copy of the shop, whose fix is proven and waits at the apply gate; GitHub has its main branch."""
    folder, proposal = proved
    shutil.copytree(folder, tmp_path / "shop", symlinks=True)
    repo = Repo(tmp_path / "shop")
    repo.sh("git", "push", "--quiet", str(github.bare), "main")
    return repo, proposal
