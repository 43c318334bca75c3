"""evaluate.py, run without a sandbox on a small project: every candidate is tested alone and leaves nothing behind."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[3] / "src/whet/target/inside/evaluate.py"
GOOD = "def add(a, b):\n    return a + b\n"
BAD = "def add(a, b):\n    return a - b\n"
TESTS = """\
import pytest
from pkg.mod import add

def test_add():
    assert add(1, 2) == 3

def test_zero():
    assert add(0, 0) == 0

@pytest.mark.skip
def test_skipped():
    pass

@pytest.mark.xfail
def test_expected():
    assert False

@pytest.fixture
def broken():
    raise RuntimeError

def test_error(broken):
    pass

def test_temporary(tmp_path):
    (tmp_path / "x").write_text("x")
"""


class Evaluator:
    """A running evaluate.py."""

    def __init__(self, project: Path) -> None:
        reader, writer = os.pipe()
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, str(SCRIPT), str(writer), "pytest", "-p", "no:timeout"]
        self.process = subprocess.Popen(
            command, cwd=project, stdin=subprocess.PIPE, pass_fds=[writer], env=environment, text=True
        )
        os.close(writer)
        self.results = os.fdopen(reader)
        self.number = 0
        assert json.loads(self.results.readline()) == {"ready": True}

    def ask(self, source: str, *tests: str, **more: Any) -> dict[str, Any]:
        self.number += 1
        ids = [f"tests/test_mod.py::{test}" for test in tests or ("test_add", "test_zero")]
        request = {"id": self.number, "files": {"pkg/mod.py": source}, "tests": ids, "timeout_seconds": 10} | more
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.results.readline())
        assert answer["id"] == self.number
        answer["outcomes"] = {test.partition("::")[2]: how for test, how in answer["outcomes"].items()}
        return answer

    def end(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.results.close()
        return self.process.wait(timeout=20)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "pkg").mkdir(parents=True)
    (root / "tests").mkdir()
    (root / "pkg/__init__.py").touch()
    (root / "pkg/mod.py").write_text(BAD)
    (root / "tests/test_mod.py").write_text(TESTS)
    return root


@pytest.fixture
def evaluator(project: Path) -> Iterator[Evaluator]:
    evaluator = Evaluator(project)
    yield evaluator
    assert evaluator.end() == 0


GREEN = {"test_add": "passed", "test_zero": "passed"}
RED = {"test_add": "failed", "test_zero": "passed"}


def snapshot(project: Path) -> dict[str, bytes]:
    return {str(path.relative_to(project)): path.read_bytes() for path in project.rglob("*") if path.is_file()}


def test_each_candidate_is_tested_with_its_own_source(evaluator: Evaluator) -> None:
    for source, outcomes in ((GOOD, GREEN), (BAD, RED), (GOOD, GREEN), (GOOD.replace("+", "*"), RED)):
        assert evaluator.ask(source)["outcomes"] == outcomes


def test_a_candidate_of_equal_size_in_the_same_second_is_not_mistaken_for_the_last(evaluator: Evaluator) -> None:
    outcomes = [evaluator.ask(GOOD if number % 2 else BAD)["outcomes"] for number in range(12)]
    assert outcomes == [RED, GREEN] * 6


def test_a_hole_is_filled_in_the_sandbox(evaluator: Evaluator) -> None:
    hole = "def add(a, b):\n    return __whet_hole__(lambda: (a - b))\n"
    forced = {"tests/test_mod.py::test_add": [-1, "3"]}
    grammar = {
        "atoms": ["a - b", "a", "b"], "unary": ["len(a)"], "binary": ["a * b", "a + b"], "truth": False,
        "failing": list(forced),
    }  # fmt: skip
    for _ in range(2):
        answer = evaluator.ask(hole, holes={"forced": forced, "grammar": grammar})
        assert answer["outcomes"] == GREEN
        assert answer["fitting"] == [[[2, 1, 2], 1.0]]


def test_every_kind_of_outcome_is_reported(evaluator: Evaluator) -> None:
    answer = evaluator.ask(GOOD, "test_add", "test_skipped", "test_expected", "test_error", "test_temporary")
    assert answer["outcomes"] == {
        "test_add": "passed",
        "test_skipped": "skipped",
        "test_expected": "xfailed",
        "test_error": "error",
        "test_temporary": "passed",
    }


def test_a_run_that_may_stop_early_ends_at_the_first_failure(evaluator: Evaluator) -> None:
    assert evaluator.ask(BAD, stop_early=True)["outcomes"] == {"test_add": "failed"}
    assert evaluator.ask(BAD)["outcomes"] == RED


@pytest.mark.parametrize("source", ["def add(:\n", "raise SystemExit\n", "import nowhere\n", ""])
def test_a_candidate_that_does_not_import_passes_nothing(evaluator: Evaluator, source: str) -> None:
    assert "passed" not in evaluator.ask(source)["outcomes"].values()
    assert evaluator.ask(GOOD)["outcomes"] == GREEN


def test_a_candidate_that_hangs_is_ended_and_its_finished_tests_are_kept(evaluator: Evaluator) -> None:
    hanging = "def add(a, b):\n    while a == 0:\n        pass\n    return a + b\n"
    answer = evaluator.ask(hanging, timeout_seconds=1.0)
    assert answer["timed_out"]
    assert answer["outcomes"] == {"test_add": "passed"}
    assert evaluator.ask(GOOD)["outcomes"] == GREEN


@pytest.mark.parametrize("death", ["os._exit(0)", "os.kill(os.getpid(), 9)", "os.abort()"])
def test_a_candidate_that_kills_itself_passes_nothing(evaluator: Evaluator, death: str) -> None:
    answer = evaluator.ask(f"import os\n\ndef add(a, b):\n    {death}\n")
    assert (answer["outcomes"], answer["timed_out"]) == ({}, False)
    assert evaluator.ask(GOOD)["outcomes"] == GREEN


def test_processes_left_behind_do_not_outlive_their_candidate(evaluator: Evaluator, tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    leaving = f"""\
import os, time
def add(a, b):
    for _ in range(5):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                while True:
                    time.sleep(0.05)
                    open({str(marks)!r}, "a").write("x")
            time.sleep(60)
    return a + b
"""
    evaluator.ask(leaving)
    time.sleep(0.3)
    before = marks.stat().st_size if marks.exists() else 0
    time.sleep(0.3)
    assert (marks.stat().st_size if marks.exists() else 0) == before
    assert evaluator.ask(GOOD)["outcomes"] == GREEN


def test_changes_of_a_candidate_to_the_tree_are_undone(project: Path) -> None:
    (project / "link").symlink_to("pkg/mod.py")
    before = snapshot(project)
    evaluator = Evaluator(project)
    vandal = """\
import os, pathlib, shutil
def add(a, b):
    pathlib.Path("new/deep").mkdir(parents=True, exist_ok=True)
    pathlib.Path("new/deep/file.py").write_text("x")
    pathlib.Path("conftest.py").write_text("raise SystemExit")
    pathlib.Path("pkg/__init__.py").write_text("raise SystemExit")
    pathlib.Path("link").unlink(missing_ok=True)
    shutil.rmtree("tests", ignore_errors=True)
    return a + b
"""
    evaluator.ask(vandal)
    assert snapshot(project) == before
    assert (project / "link").is_symlink()
    assert evaluator.ask(GOOD)["outcomes"] == GREEN
    assert evaluator.end() == 0
    assert snapshot(project) == before


def test_state_in_memory_does_not_pass_from_one_candidate_to_the_next(evaluator: Evaluator) -> None:
    evaluator.ask("import sys, builtins\nbuiltins.sum = sys.path = None\ndef add(a, b):\n    return a\n")
    assert evaluator.ask("def add(a, b):\n    return sum([a, b])\n")["outcomes"] == GREEN


def test_output_of_a_candidate_does_not_reach_the_results(evaluator: Evaluator) -> None:
    noisy = (
        "import os\ndef add(a, b):\n    [os.write(fd, b'noise') for fd in (1, 2)]\n    print('x')\n    return a + b\n"
    )
    assert evaluator.ask(noisy)["outcomes"] == GREEN


def test_a_conftest_that_imports_the_project_does_not_hide_the_candidate(project: Path) -> None:
    (project / "conftest.py").write_text("import pkg.mod\n")
    evaluator = Evaluator(project)
    for source, outcomes in ((GOOD, GREEN), (BAD, RED), (GOOD, GREEN)):
        assert evaluator.ask(source, stop_early=False)["outcomes"] == outcomes
    assert evaluator.end() == 0


def test_the_projects_folder_is_on_the_path_and_the_scripts_is_not(evaluator: Evaluator, project: Path) -> None:
    source = f"""\
import sys
def add(a, b):
    assert {str(project)!r} in sys.path and {str(SCRIPT.parent)!r} not in sys.path
    return a + b
"""
    assert evaluator.ask(source)["outcomes"] == GREEN


def test_the_script_ends_when_there_are_no_more_requests(project: Path) -> None:
    assert Evaluator(project).end() == 0


def test_a_swapped_candidate_has_the_outcomes_of_an_imported_one(project: Path) -> None:
    swift = Evaluator(project)
    assert swift.ask(BAD, swift=True)["outcomes"] == {"test_add": "failed", "test_zero": "passed"}
    assert swift.ask(GOOD, swift=True)["outcomes"] == {"test_add": "passed", "test_zero": "passed"}
    assert swift.ask(BAD, swift=True, stop_early=True)["outcomes"] == {"test_add": "failed"}
    swift.end()


VARIED = """\
import os, unittest, pytest
from pkg.mod import add

@pytest.mark.parametrize("a", [1, 2])
def test_given(a):
    assert add(a, 1) == a + 1

@pytest.mark.xfail
def test_expected():
    assert add(1, 1) == 2

def test_skipped_late():
    if add(1, 1) != 2:
        raise unittest.SkipTest
    pytest.skip()

@pytest.fixture
def torn():
    yield
    assert add(1, 1) == 2

def test_torn(torn):
    pass

def test_folder(tmp_path):
    (tmp_path / "x").write_text("x")
    assert add(len(os.listdir(tmp_path)), 1) == 2

class TestOld(unittest.TestCase):
    def test_case(self):
        self.assertEqual(add(1, 1), 2)
"""


@pytest.mark.parametrize(
    "first",
    ["test_given[1]", "test_expected", "test_skipped_late", "test_torn", "test_folder", "TestOld::test_case"],
)
@pytest.mark.parametrize("stop_early", [True, False])
def test_a_swift_run_has_the_outcomes_of_an_imported_run_for_every_kind_of_first_test(
    project: Path, first: str, stop_early: bool
) -> None:
    (project / "tests/test_mod.py").write_text(VARIED)
    tests = [first, "test_given[2]"]
    importing, swift = Evaluator(project), Evaluator(project)
    for source in (BAD, GOOD, GOOD.replace("+", "*"), "def add(a, b):\n    raise ValueError\n", GOOD, BAD):
        imported = importing.ask(source, *tests, stop_early=stop_early)
        swapped = swift.ask(source, *tests, stop_early=stop_early, swift=True)
        assert "cannot" not in swapped
        assert swapped["outcomes"] == imported["outcomes"]
    assert (importing.end(), swift.end()) == (0, 0)


def test_a_swapped_candidate_leaves_nothing_behind(project: Path, tmp_path: Path) -> None:
    before = snapshot(project)
    swift = Evaluator(project)
    marks = tmp_path / "marks"
    vandal = f"""\
def add(a, b):
    import builtins, mmap, os, pathlib, tempfile, time
    if os.fork() == 0:
        os.setsid()
        while True:
            open({str(marks)!r}, "a").write("x")
            time.sleep(0.02)
    pathlib.Path("conftest.py").write_text("raise SystemExit")
    with open("pkg/__init__.py", "w+b") as file:
        file.write(b"# a\\n")
        file.flush()
        mmap.mmap(file.fileno(), 4)[0:4] = b"1/0\\n"
    tempfile.mkdtemp()
    builtins.sum = None
    return a + b
"""
    watching = "def add(a, b):\n    import os, tempfile\n    assert not os.listdir(tempfile.gettempdir())\n    return sum([a, b])\n"
    assert swift.ask(BAD, swift=True)["outcomes"] == RED
    assert swift.ask(vandal, swift=True)["outcomes"] == GREEN
    grown = marks.stat().st_size
    assert snapshot(project) == before
    assert swift.ask(watching, swift=True)["outcomes"] == GREEN
    assert marks.stat().st_size == grown
    assert swift.end() == 0


def test_every_way_to_change_a_file_is_noticed_and_undone(project: Path) -> None:
    touches = [
        "mmap.mmap(os.open('pkg/mod.py', os.O_RDWR), 4)[0:4] = b'1/0;'",
        "os.truncate('pkg/mod.py', 3)",
        "os.rename('pkg/mod.py', 'pkg/moved.py')",
        "(os.link('pkg/mod.py', '/proc/self/cwd/../linked'), open('../linked', 'w').write('x'))",
        "os.mkdir('tests/new')",
        "os.symlink('mod.py', 'pkg/link.py')",
        "os.replace('pkg', 'package')",
        "os.unlink('tests/test_mod.py')",
    ]
    before = snapshot(project)
    swift = Evaluator(project)
    for touch in touches:
        body = f"    import mmap, os\n    if os.path.exists('pkg/mod.py'):\n        {touch}\n    return a + b\n"
        assert swift.ask(f"def add(a, b):\n{body}", "test_add", swift=True)["outcomes"] == {"test_add": "passed"}, touch
        assert snapshot(project) == before, touch
        assert not (project / "tests/new").exists()
    assert swift.end() == 0


def test_a_file_that_the_first_setup_opens_is_not_shared_by_the_candidates(project: Path) -> None:
    (project / "notes.txt").write_text("one line\n")
    (project / "conftest.py").write_text(
        "import builtins\ndef pytest_runtest_setup(item):\n    builtins.notes = open('notes.txt')\n"
    )
    (project / "tests/test_mod.py").write_text(
        "from pkg.mod import add\ndef test_add():\n    assert add(0, 1) == 1 and notes.read()\n"
    )
    swift = Evaluator(project)
    for _ in range(3):
        assert swift.ask(GOOD, "test_add", swift=True)["outcomes"] == {"test_add": "passed"}
    assert swift.end() == 0


def test_a_project_with_threads_is_not_swapped(project: Path) -> None:
    start = "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
    (project / "tests/test_mod.py").write_text(start + TESTS)
    swift = Evaluator(project)
    assert swift.ask(GOOD, swift=True)["cannot"] == "there are threads"
    assert swift.end() == 0


def test_tests_other_than_the_collected_ones_are_not_swapped(project: Path) -> None:
    swift = Evaluator(project)
    assert swift.ask(GOOD, "test_add", swift=True)["outcomes"] == {"test_add": "passed"}
    assert swift.ask(GOOD, "test_zero", swift=True)["cannot"] == "other tests are held ready"
    assert swift.end() == 0


def test_a_candidate_that_cannot_be_swapped_is_answered_with_the_reason(project: Path) -> None:
    swift = Evaluator(project)
    assert swift.ask(GOOD, swift=True)["outcomes"] == {"test_add": "passed", "test_zero": "passed"}
    answer = swift.ask(f"LIMIT = 3\n{GOOD}", swift=True)
    assert (answer["outcomes"], answer["cannot"]) == ({}, "it is not inside a function")
    swift.end()


def test_an_observed_function_reports_its_results_for_similar_arguments(evaluator: Evaluator) -> None:
    function = {"path": "pkg/mod.py", "name": "add"}
    added = evaluator.ask(GOOD, observe=function)
    sloppy = evaluator.ask("def add(a, b):\n    return abs(a) + b\n", observe=function)
    assert added["outcomes"] == sloppy["outcomes"] == GREEN
    assert added["values"].keys() == sloppy["values"].keys()
    assert (added["values"]["add(-1, 2)"], sloppy["values"]["add(-1, 2)"]) == ("1", "3")
    assert "add(-1, 2)" not in added["reached"]
    assert set(added["reached"]) < set(added["values"])
    assert "values" not in evaluator.ask(GOOD)


def test_the_text_of_a_value_has_no_memory_address(evaluator: Evaluator, project: Path) -> None:
    (project / "tests/test_mod.py").write_text(
        "from pkg.mod import add\n\ndef test_add():\n    assert add(1, 2)() == 3\n"
    )
    source = "def add(a, b):\n    return lambda: a + b\n"
    values = evaluator.ask(source, "test_add", observe={"path": "pkg/mod.py", "name": "add"})["values"]
    assert values["add(1, 2)"] == "<function add.<locals>.<lambda>>"


def test_an_observed_call_may_be_slow_raise_or_change_its_arguments(evaluator: Evaluator, project: Path) -> None:
    (project / "tests/test_mod.py").write_text(
        "from pkg.mod import add\n\ndef test_add():\n    assert add([1], 1) == 1\n"
    )
    source = """\
def add(a, b):
    while b > 1:
        pass
    if b < 0:
        raise ValueError
    return a.pop(0)
"""
    answer = evaluator.ask(source, "test_add", observe={"path": "pkg/mod.py", "name": "add"})
    assert answer["lines"] == [1, 2, 4, 6]  # lines of the test only, not of the similar calls
    values = answer["values"]
    assert values["add([1], 1)"] == "1, leaving add([], 1)"
    assert values["add([1], -1)"] == "raise ValueError"
    assert values["add([1], 2)"] == "too slow"
    assert values["add([], 1)"] == "raise IndexError"


@pytest.mark.parametrize("options", ["-p no:xdist", "--ff"])
@pytest.mark.parametrize("swift", [True, False])
def test_options_of_the_project_do_not_stop_the_evaluation(project: Path, options: str, swift: bool) -> None:
    (project / "pytest.ini").write_text(f"[pytest]\naddopts = {options}\n")
    evaluator = Evaluator(project)
    assert evaluator.ask(BAD, swift=swift)["outcomes"] == RED
    assert evaluator.ask(GOOD, swift=swift)["outcomes"] == GREEN
    assert evaluator.end() == 0
