"""The wheel, installed without the source tree or the development packages."""

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from whet import path_lists

ROOT = Path(__file__).parents[2]

pytestmark = [pytest.mark.needs_index, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of the tracked files, so that nothing untracked can end up in it."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    run("git", "checkout-index", "--all", f"--prefix={source}/", folder=ROOT)
    builder = environment(tmp_path_factory.mktemp("builder") / "env")
    run(builder / "python", "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", out, source, folder=source)
    (built,) = out.glob("*.whl")
    return built


def environment(folder: Path) -> Path:
    """Create an empty virtual environment and return its bin folder."""
    venv.EnvBuilder(with_pip=True).create(folder)
    return folder / "bin"


def run(*command: str | Path, folder: Path) -> str:
    """Run a command without the variables that would let this checkout leak in, and return its output."""
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


def test_the_wheel_carries_its_licence_and_types(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert "whet/py.typed" in names
    assert "whet/domain/evidence-1.schema.json" in names
    assert "whet/config/whet-toml.schema.json" in names
    assert any(name.endswith(".data/data/share/man/man1/whet.1") for name in names)
    assert {f"whet/path_lists/{name}.tsv" for name in path_lists.NAMES} <= set(names)
    assert not [name for name in names if name.startswith(("tests/", "bench/"))]


def test_the_wheel_runs_the_demo_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    installed = environment(tmp_path / "env")
    run(installed / "python", "-m", "pip", "install", "--quiet", wheel, folder=tmp_path)
    assert run(installed / "whet", "version", folder=tmp_path)
    demo = json.loads(run(installed / "whet", "demo", "--json", folder=tmp_path))
    assert demo["ok"] is True
    assert demo["status"] == "rolled_back"
    where = run(installed / "python", "-c", "import whet; print(whet.__file__)", folder=tmp_path)
    assert Path(where.strip()).is_relative_to(tmp_path / "env")
    assert not Path(where.strip()).is_relative_to(ROOT)
    assert sys.prefix not in where


def test_pipx_and_uvx_run_whet_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    tools = environment(tmp_path / "tools")
    run(tools / "python", "-m", "pip", "install", "--quiet", "uv", "pipx", folder=tmp_path)
    once = run(tools / "uvx", "--cache-dir", tmp_path / "cache", "--from", wheel, "whet", "version", folder=tmp_path)
    places = {"PIPX_HOME": "home", "PIPX_BIN_DIR": "bin", "PIPX_MAN_DIR": "man"}
    variables = [f"{name}={tmp_path / folder}" for name, folder in places.items()]
    run("env", *variables, tools / "pipx", "install", "--quiet", wheel, folder=tmp_path)
    assert run(tmp_path / "bin" / "whet", "version", folder=tmp_path).split()[-1] == once.split()[-1]
    assert (tmp_path / "man" / "man1" / "whet.1").read_text().startswith('.\\" Generated')
