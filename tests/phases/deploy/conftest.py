from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.phases.deploy.harness import Harness
from tests.support import MakeRepo

MakeHarness = Callable[[dict[str, str | bytes]], Harness]


@pytest.fixture
def make_harness(make_repo: MakeRepo, tmp_path: Path) -> Iterator[MakeHarness]:
    """Make a harness around a repository with the given files."""
    made: list[Harness] = []

    def make(files: dict[str, str | bytes]) -> Harness:
        state = tmp_path / "state"
        state.mkdir(exist_ok=True)
        made.append(Harness(make_repo(files), state))
        return made[-1]

    yield make
    for harness in made:
        harness.store.close()


@pytest.fixture
def harness(make_harness: MakeHarness) -> Harness:
    """A harness around a repository with ten lines in `a.py`, a second file, and `main` checked out."""
    return make_harness({"a.py": "".join(f"line {n}\n" for n in range(1, 11)), "b.py": "other\n"})
