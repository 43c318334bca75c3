"""An unpacked archive with a virtual environment that git does not track: its interpreter runs only in the sandbox."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.support import MakeRepo, Repo
from whet.app.setup import doctor
from whet.cli.main import app

PYTHON = "/usr/bin/python3"
FILES: dict[str, str | bytes] = {
    "code.py": "def f():\n    return 1\n",
    "tests/test_f.py": "import unittest\nfrom code import f\n\n\nclass T(unittest.TestCase):\n"
    "    def test_f(self):\n        self.assertEqual(f(), 2)\n",
    "whet.toml": '[tests]\nrunner = "unittest"\nfolders = ["tests"]\n',
    ".gitignore": ".venv\n.whet\n",
}
COMMANDS = ["init", "scan", "run", "prove HEAD~1..HEAD", "repair tests/test_f.py", "doctor --quick"]


def a_script(venv: Path, payload: str) -> None:
    (venv / "bin/python").write_text(f'#!/bin/sh\n{payload}\nexec {PYTHON} "$@"\n')
    (venv / "bin/python").chmod(0o755)


def code_in_a_pth_file(venv: Path, payload: str) -> None:
    """The interpreter is the system's own; its environment brings the code."""
    (venv / "bin/python").symlink_to(PYTHON)
    version = subprocess.check_output([PYTHON, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], text=True)
    site = venv / f"lib/python{version.strip()}/site-packages"
    site.mkdir(parents=True)
    (site / "run.pth").write_text(f"import os; os.system({payload!r})\n")


FORMS = {"a script": a_script, "code in a .pth file": code_in_a_pth_file}


@pytest.fixture(params=FORMS)
def archive(request: pytest.FixtureRequest, make_repo: MakeRepo, tmp_path: Path) -> Repo:
    repo = make_repo(FILES)
    repo.commit({"code.py": "def f():\n    return 2\n"})
    venv = repo.root / ".venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "pyvenv.cfg").write_text("home = /usr/bin\n")
    payload = "; ".join(f"echo ran > {folder}/sprung" for folder in (tmp_path, repo.root, venv))
    FORMS[request.param](venv, f"({payload}) 2> /dev/null")
    for path in (venv, *venv.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755)  # whatever the umask is: the user of the sandbox must be able to read it
    return repo


def sprung(repo: Repo) -> list[Path]:
    return list(repo.root.parent.rglob("sprung"))


def test_the_trap_works_outside_the_sandbox(archive: Repo) -> None:
    subprocess.run([archive.root / ".venv/bin/python", "-I", "-c", ""], check=True)
    assert len(sprung(archive)) == 3


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_runs_the_interpreter_outside(archive: Repo, command: str) -> None:
    if command == "init":
        (archive.root / "whet.toml").unlink()
    result = archive.whet(*command.split())
    assert result.code in (0, 1, 3, 5, 7) or "does not fail" in result.err, (result.out, result.err)
    assert sprung(archive) == []


def test_the_escape_probes_do_not_run_it_either(archive: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "check_escapes", lambda *_, **__: [])
    monkeypatch.chdir(archive.root)
    CliRunner().invoke(app, ["doctor", "--probe"], standalone_mode=False)
    assert sprung(archive) == []


def test_modules_in_the_current_folder_are_not_imported_by_whet(make_repo: MakeRepo) -> None:
    """`python -m whet` puts the current folder first on the import path."""
    trap = "open('../sprung', 'w').close()\n"
    names = (
        "typer.py",
        "rich.py",
        "pydantic.py",
        "tomllib.py",
        "sqlalchemy.py",
        "dbos.py",
        "json.py",
        "sitecustomize.py",
        "__future__.py",
        "typing.py",
    )
    metadata = {
        "evil.egg-info/PKG-INFO": "Name: evil\n",
        "evil.egg-info/entry_points.txt": "[whet.sources]\ntests = evil:x\n",
    }
    repo = make_repo({**FILES, **dict.fromkeys(names, trap), **metadata, "evil.py": trap})
    for program in (["whet"], ["python", "-m", "whet"]):
        started = [str(Path(sys.executable).parent / program[0]), *program[1:], "list", "--json"]
        done = subprocess.run(started, cwd=repo.root, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr
    assert sprung(repo) == []
