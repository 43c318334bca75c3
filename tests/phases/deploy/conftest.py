from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.phases.deploy.yard import Yard
from tests.support import MakeRepo

MakeYard = Callable[[dict[str, str | bytes]], Yard]


@pytest.fixture
def make_yard(make_repo: MakeRepo, tmp_path: Path) -> Iterator[MakeYard]:
    """A repository from files with everything around it that deploying needs."""
    made: list[Yard] = []

    def make(files: dict[str, str | bytes]) -> Yard:
        state = tmp_path / "state"
        state.mkdir(exist_ok=True)
        made.append(Yard(make_repo(files), state))
        return made[-1]

    yield make
    for yard in made:
        yard.store.close()


@pytest.fixture
def yard(make_yard: MakeYard) -> Yard:
    """Ten lines in `a.py`, a second file beside it, `main` checked out."""
    return make_yard({"a.py": "".join(f"line {n}\n" for n in range(1, 11)), "b.py": "other\n"})
