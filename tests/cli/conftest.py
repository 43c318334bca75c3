import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import Repo
from whet.app.sample_repository import make_sample

Fork = Callable[[], Repo]


@pytest.fixture(scope="session")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """The sample with a proven proposal that waits at its gate; shared, so only looked at."""
    folder = tmp_path_factory.mktemp("waiting") / "calculator"
    folder.mkdir()
    make_sample(folder)
    repo = Repo(folder)
    said = repo.whet("run", "--json")
    assert said.code == 5, said.out
    return repo


@pytest.fixture
def fork(waiting: Repo, tmp_path: Path) -> Fork:
    """A copy of it, history and state included, to do things with."""

    def copy() -> Repo:
        folder = tmp_path / f"fork{len(list(tmp_path.iterdir()))}"
        shutil.copytree(waiting.root, folder, symlinks=True)
        return Repo(folder)

    return copy
