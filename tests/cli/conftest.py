import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import Repo
from whet.app.setup.sample_repository import make_sample

CopyRepo = Callable[[], Repo]


@pytest.fixture(scope="session")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """The sample with a proven proposal that waits at its gate. Shared by the session, so tests must not change it."""
    folder = tmp_path_factory.mktemp("waiting") / "calculator"
    folder.mkdir()
    make_sample(folder, bugs=["factorial"])
    repo = Repo(folder)
    result = repo.whet("run", "--json")
    assert result.code == 5, result.out
    return repo


@pytest.fixture
def waiting_copy(waiting: Repo, tmp_path: Path) -> CopyRepo:
    """Make copies of `waiting`, with history and state, that a test may change."""

    def copy() -> Repo:
        folder = tmp_path / f"fork{len(list(tmp_path.iterdir()))}"
        shutil.copytree(waiting.root, folder, symlinks=True)
        return Repo(folder)

    return copy
