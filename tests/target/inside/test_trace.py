"""trace.py, run without a sandbox on a small project."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[3] / "src/whet/target/inside/trace.py"
MODULE = """\
import threading
COUNT = 1

def sign(n):
    if n < 0:
        return -1
    return 1

def forever():
    while True:
        pass

def threaded():
    thread = threading.Thread(target=sign, args=(-1,))
    thread.start()
    thread.join()
"""
TESTS = """\
import pytest
from mod import forever, sign, threaded

@pytest.fixture
def prepared():
    sign(-1)
    yield
    sign(1)

def test_positive():
    assert sign(1) == 1

def test_negative():
    assert sign(-1) == 1

def test_fixture(prepared):
    pass

def test_forever():
    forever()

def test_threaded():
    threaded()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "mod.py").write_text(MODULE)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_mod.py").write_text(TESTS)
    return tmp_path


def trace(project: Path, *tests: str, timeout_seconds: float = 10.0) -> list[dict[str, Any]]:
    reader, writer = os.pipe()
    ids = [f"tests/test_mod.py::{test}" for test in tests]
    command = [
        sys.executable,
        str(SCRIPT),
        str(writer),
        str(project),
        str(timeout_seconds),
        "pytest",
        "-p",
        "no:timeout",
    ]
    process = subprocess.Popen([*command, "--", *ids], cwd=project, pass_fds=[writer])
    os.close(writer)
    with os.fdopen(reader) as results:
        records = [json.loads(line) for line in results]
    assert process.wait(timeout=20) == 0
    return records


def test_each_test_has_the_lines_it_ran(project: Path) -> None:
    positive, negative, end = trace(project, "test_positive", "test_negative")
    assert positive["test"] == "tests/test_mod.py::test_positive"
    assert (positive["outcome"], positive["lines"]["mod.py"]) == ("passed", [5, 7])
    assert (negative["outcome"], negative["lines"]["mod.py"]) == ("failed", [5, 6])
    assert (positive["jumps"]["mod.py"], negative["jumps"]["mod.py"]) == ([[5, 7]], [[5, 6]])
    assert end == {"end": True}


def test_lines_that_run_on_import_count_for_no_test(project: Path) -> None:
    positive, _ = trace(project, "test_positive")
    assert not {1, 2, 4} & set(positive["lines"]["mod.py"])


def test_setup_and_teardown_count_for_their_test(project: Path) -> None:
    fixture, _ = trace(project, "test_fixture")
    assert fixture["lines"]["mod.py"] == [5, 6, 7]


def test_lines_run_in_other_threads_count(project: Path) -> None:
    threaded, _ = trace(project, "test_threaded")
    assert {5, 6, 14, 15, 16} <= set(threaded["lines"]["mod.py"])


def test_an_endless_test_is_interrupted_and_the_next_is_traced(project: Path) -> None:
    forever, positive, end = trace(project, "test_forever", "test_positive", timeout_seconds=1.0)
    assert forever["outcome"] == "failed"
    assert 10 in forever["lines"]["mod.py"]
    assert positive["lines"]["mod.py"] == [5, 7]
    assert end == {"end": True}


def test_only_files_of_the_project_are_recorded(project: Path) -> None:
    library = project / "site-packages"
    library.mkdir()
    (library / "foreign.py").write_text("def f():\n    return 1\n")
    (project / "conftest.py").write_text("import sys\nsys.path.append('site-packages')\n")
    (project / "tests/test_mod.py").write_text("from foreign import f\n\ndef test_f():\n    assert f() == 1\n")
    traced, _ = trace(project, "test_f")
    assert traced["lines"] == {"tests/test_mod.py": [4]}


@pytest.mark.parametrize("options", ["-p no:xdist", "--ff"])
def test_options_of_the_project_do_not_stop_the_trace(project: Path, options: str) -> None:
    (project / "pytest.ini").write_text(f"[pytest]\naddopts = {options}\n")
    positive, _ = trace(project, "test_positive")
    assert (positive["outcome"], positive["lines"]["mod.py"]) == ("passed", [5, 7])
