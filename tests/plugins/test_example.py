"""The example plug-in, installed into a fresh environment, takes part in the whole loop."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.support import MakeRepo, Repo

PLUGIN = Path(__file__).parents[2] / "examples" / "plugin"
FILES: dict[str, str | bytes] = {
    "shop.py": "def total(prices):\n    # TODO(ann, until 2020-01-31): drop the old format\n    return sum(prices)\n\n\n"
    "# TODO(bob, until 2999-01-01): not yet\n# TODO(ann, until 2021-06-30): rename this\nNAME = 'shop'\n",
    "tests/test_shop.py": "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
    "whet.toml": f"[target]\ninterpreter = {json.dumps(sys.executable)}\n"
    '[tests]\nfolders = ["tests"]\n[observe]\nsources = ["tests", "todos"]\n'
    '[propose]\nengines = ["repair", "todos"]\n[deploy]\nstrategy = "merge"\n',
}


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a fresh environment with whet, as it is installed here, and the plug-in."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    fresh = folder / "bin" / "python"
    site = Path(
        subprocess.check_output([fresh, "-c", "import site; print(site.getsitepackages()[0])"], text=True).strip()
    )
    here = sysconfig.get_path("purelib")
    (site / "whet_from_here.pth").write_text(f"import site; site.addsitedir({here!r})\n")
    install = [sys.executable, "-m", "pip", "--python", str(fresh), "install", "--quiet", "--no-deps"]
    subprocess.run([*install, "--no-build-isolation", "--no-index", str(PLUGIN)], check=True, cwd=folder)
    return fresh


def whet(python: Path, repo: Repo, *args: str) -> tuple[int, str]:
    command = [str(python), "-m", "whet", *args]
    env = {**os.environ, "COLUMNS": "200"}
    process = subprocess.run(command, cwd=repo.root, capture_output=True, text=True, timeout=240, check=False, env=env)
    assert "Traceback" not in process.stderr, process.stderr
    return process.returncode, process.stdout


def test_a_plug_in_finds_proposes_proves_and_deploys(python: Path, make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    code, out = whet(python, repo, "scan")
    assert code == 0
    assert "2 expired TODO comments of ann" in out
    assert "bob" not in out
    code, out = whet(python, repo, "run", "--json")
    assert code == 5, out
    [proposal] = json.loads(out)
    assert (proposal["engine"], proposal["verdict"]) == ("todos", "passed")
    code, out = whet(python, repo, "approve", proposal["proposal"], "--yes", "--json")
    assert code == 0, out
    assert (repo.root / "shop.py").read_text().count("TODO") == 1
    assert whet(python, repo, "audit", "--json")[0] == 0


def test_without_its_analyzer_the_source_is_named_in_an_error(python: Path, make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    hidden = "import whet.plugins as p; known = p.known; p.known = lambda g: [n for n in known(g) if (g, n) != ('whet.analyzers', 'todos')]"
    run = f"{hidden}; import sys; sys.argv = ['whet', 'scan', '--json']; from whet.cli.main import main; main()"
    process = subprocess.run([python, "-c", run], cwd=repo.root, capture_output=True, text=True, check=False)
    assert process.returncode == 2
    error = json.loads(process.stdout)["error"]
    assert error["code"] == "signal_unclaimed"
    assert "the source 'todos' gives signals of kind 'expired_todo'" in error["message"]
