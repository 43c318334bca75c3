from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.runtime.application import Application
from whet import runtime
from whet.store.executions import Executions


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Path]:
    """A state folder that the tools of this process capture to, until the test ends."""
    folder = tmp_path / "state"
    runtime.configure(state=folder)
    yield folder
    runtime.configure()


@pytest.fixture
def executions(state: Path) -> Executions:
    return Executions(state)


@pytest.fixture
def application(tmp_path: Path) -> Iterator[Application]:
    runtime.configure(state=tmp_path / ".whet")
    yield Application(tmp_path)
    runtime.configure()


@pytest.fixture(autouse=True)
def _without_whet_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WHET_STATE", raising=False)
