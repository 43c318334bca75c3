"""A suite without outcomes, or one that exceeds a limit, ends the command with a reason and changes nothing."""

import sys
from pathlib import Path

import pytest

from tests.cli.refusals import SMALL, refuses, refuses_in_json
from tests.support import MakeRepo, Repo

LIMITS = (
    '[tests]\nfolders = ["tests"]\nargs = ["-s"]\ntimeout_seconds = %d\n[sandbox]\nmemory_mb = 200\noutput_mb = 1\n'
)
SUITES = {
    "import": ("import nothing_here\n", "does not import", "nothing_here"),
    "exit": ("import os\n\n\ndef test_a():\n    os._exit(0)\n", "ended before its end line", "test_a"),
    "hang": ("import time\n\n\ndef test_a():\n    time.sleep(600)\n", "time limit of 3 s", "test_m.py::test_a"),
    "flood": ("import os\n\n\ndef test_a():\n    while True:\n        os.write(1, b'x' * 65536)\n", "more output", "test_a"),
    "eat": (
        "import mmap\n\n\ndef test_a():\n    kept = []\n    while True:\n        kept.append(mmap.mmap(-1, 1 << 20))\n"
        "        kept[-1].write(b'x' * (1 << 20))\n", "limit of 200 MB", "the test suite",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SUITES)
def test_a_suite_without_outcomes_ends_with_the_reason(make_repo: MakeRepo, name: str) -> None:
    text, *words = SUITES[name]
    repo = make_repo({**SMALL, "tests/test_m.py": text, "whet.toml": LIMITS % (3 if name == "hang" else 60)})
    refuses(repo.whet("scan"), 4, *words)
    assert repo.dirt() == ""


def test_every_file_that_does_not_import_is_named_with_the_line_of_the_error(make_repo: MakeRepo) -> None:
    repo = make_repo(
        {
            **SMALL,
            "shop/__init__.py": "",
            "shop/core.py": "LIMIT = 3\nimport nothing_here\n",
            "tests/test_m.py": "from shop import core\n",
            "tests/test_n.py": "import shop.core\n",
            "tests/test_o.py": "def broken(:\n",
        }
    )
    words = ["does not import", "shop/core.py:2: ModuleNotFoundError: No module named 'nothing_here'"]
    refuses(repo.whet("scan"), 4, *words, "tests/test_m.py, tests/test_n.py", "tests/test_o.py:1: SyntaxError")


def test_files_that_do_not_import_are_named_beside_tests_that_pass(make_repo: MakeRepo) -> None:
    broken = {f"tests/test_{name}.py": "import nothing_here\n" for name in "no"}
    result = make_repo({**SMALL, **broken}).whet("scan", "--all")
    assert result.code == 0
    out = " ".join(result.out.split())
    assert "the tests of 2 test files did not run, because of import errors: ModuleNotFoundError" in out
    assert "(tests/test_n.py:1, tests/test_o.py:1)" in out
    assert "2 test files that cannot be imported" in out
    assert "ModuleNotFoundError: ModuleNotFoundError" not in out


def test_a_project_that_is_not_installed_is_called_so(make_repo: MakeRepo) -> None:
    tests = {f"tests/test_{name}.py": "import shop\n" for name in "mn"}
    repo = make_repo({**SMALL, **tests, "src/shop/__init__.py": ""})
    named = "No module named 'shop' (tests/test_m.py:1, tests/test_n.py:1)"
    refuses(repo.whet("scan"), 4, named, "src/shop/__init__.py is in the repository", "pip install -e .")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import nothing_here\n", "tests/conftest.py:1: ModuleNotFoundError: No module named 'nothing_here'"),
        ("\ndef broken(:\n", "tests/conftest.py:2: SyntaxError"),
        ("\n\n1 / 0\n", "tests/conftest.py:3: ZeroDivisionError"),
    ],
)
def test_a_conftest_that_does_not_import_is_named_with_its_line(make_repo: MakeRepo, text: str, words: str) -> None:
    repo = make_repo({**SMALL, "tests/conftest.py": text})
    refuses(repo.whet("scan"), 4, "could not be run by pytest", words)


def test_a_broken_suite_does_not_block_the_next_run(make_repo: MakeRepo) -> None:
    repo = make_repo({**SMALL, "tests/test_m.py": "import nothing_here\n"})
    refuses_in_json(repo.whet("run", "--json"), 4, "suite_broken", "nothing_here", "whet doctor")
    assert repo.whet("list", "--json").json == []
    repo.commit(SMALL)
    assert repo.whet("run", "--json").json == []


def test_a_project_without_tests_is_reported(make_repo: MakeRepo) -> None:
    repo = make_repo({"m.py": "x = 1\n", "whet.toml": ""})
    result = repo.whet("scan")
    assert result.code == 0
    assert "no tests, so nothing can be proved" in result.out
    assert repo.whet("run", "--json").json == []


def test_an_internal_error_of_pytest_is_named(make_repo: MakeRepo) -> None:
    broken = "def pytest_collection_modifyitems(items):\n    raise LookupError('no plug-in for this')\n"
    repo = make_repo({**SMALL, "tests/conftest.py": broken})
    refuses(repo.whet("scan"), 4, "could not be run by pytest", "LookupError: no plug-in for this")


def test_an_unknown_option_of_pytest_is_named(make_repo: MakeRepo) -> None:
    repo = make_repo({**SMALL, "pytest.ini": "[pytest]\naddopts = --no-such-plug-in\n"})
    refuses(repo.whet("scan"), 4, "could not be run by pytest", "unrecognized arguments: --no-such-plug-in")


def test_the_plugin_that_defines_an_unknown_option_is_named(make_repo: MakeRepo) -> None:
    repo = make_repo({**SMALL, "pytest.ini": "[pytest]\naddopts = --disable-socket --snapshot-update\n"})
    words = ["unrecognized arguments: --disable-socket --snapshot-update", "install pytest-socket and syrupy"]
    refuses(repo.whet("scan"), 4, "could not be run by pytest", *words, "target's environment")


def test_repair_of_a_test_in_a_file_that_does_not_import_is_refused(make_repo: MakeRepo) -> None:
    repo = make_repo({**SMALL, "tests/test_n.py": "import nothing_here\n\n\ndef test_n():\n    assert True\n"})
    result = repo.whet("repair", "tests/test_n.py::test_n")
    refuses(result, 2, "tests/test_n.py could not be collected", "No module named 'nothing_here'", "target.interpreter")


def test_a_missing_test_folder_is_named(make_repo: MakeRepo) -> None:
    repo = make_repo({"m.py": "x = 1\n", "whet.toml": SMALL["whet.toml"]})
    refuses(repo.whet("scan"), 4, "could not be run by pytest", "not found: tests")


def interpreter(repo: Repo, name: str) -> None:
    repo.commit({"whet.toml": f'[target]\ninterpreter = "{name}"\n'})


def test_a_missing_interpreter_is_named(make_repo: MakeRepo) -> None:
    repo = make_repo(SMALL)
    interpreter(repo, "gone/bin/python")
    refuses_in_json(repo.whet("scan", "--json"), 4, "interpreter_missing", "gone/bin/python", "target.interpreter")


@pytest.mark.parametrize(
    ("text", "mode", "words"),
    [
        ("#!/bin/sh\nexit 3\n", 0o755, "exit code 3"),
        ("#!/bin/sh\necho hello\n", 0o755, "not a Python"),
        ("x = 1\n", 0o644, "Permission denied"),
    ],
)
def test_a_program_that_is_not_python_is_refused(
    make_repo: MakeRepo, tmp_path: Path, text: str, mode: int, words: str
) -> None:
    repo = make_repo(SMALL)
    program = tmp_path / "env" / "bin" / "py"
    program.parent.mkdir(parents=True)
    (tmp_path / "env" / "pyvenv.cfg").touch()
    program.write_text(text)
    program.chmod(mode)
    make_readable(program.parent.parent)
    interpreter(repo, str(program))
    refuses_in_json(repo.whet("scan", "--json"), 4, "interpreter_missing", words)


def make_readable(environment: Path) -> None:
    """Let the user of the sandbox read an environment, whatever the umask is."""
    (environment / "pyvenv.cfg").chmod(0o644)
    for folder in (environment, environment / "bin"):
        folder.chmod(0o755)


def test_a_program_outside_every_installation_is_refused(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo(SMALL)
    (tmp_path / "py").write_text("#!/bin/sh\nexit 0\n")
    (tmp_path / "py").chmod(0o755)
    interpreter(repo, str(tmp_path / "py"))
    words = ("it lies in no Python installation", "target.interpreter")
    refuses_in_json(repo.whet("scan", "--json"), 4, "interpreter_missing", *words)


def test_an_interpreter_without_pytest_is_refused(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo(SMALL)
    folder = tmp_path / "venv"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(Path(sys.executable).resolve())
    home = Path(sys.executable).resolve().parent
    (folder / "pyvenv.cfg").write_text(f"home = {home}\ninclude-system-site-packages = false\n")
    make_readable(folder)
    interpreter(repo, str(folder / "bin" / "python"))
    refuses_in_json(repo.whet("scan", "--json"), 4, "interpreter_missing", "has no pytest", "tests.runner")
    refuses_in_json(repo.whet("run", "--json"), 4, "interpreter_missing", "has no pytest")
