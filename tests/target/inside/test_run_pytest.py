"""run_pytest.py, run without a sandbox: one outcome for every test id, the worst of its parts."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[3] / "src/whet/target/inside/run_pytest.py"
TESTS = """\
import unittest


class TestParts(unittest.TestCase):
    def test_first_part_fails(self):
        for number in (1, 2, 3):
            with self.subTest(number=number):
                self.assertNotEqual(number, 1)

    def test_last_part_fails(self):
        for number in (1, 2, 3):
            with self.subTest(number=number):
                self.assertNotEqual(number, 3)

    def test_no_part_fails(self):
        for number in (1, 2, 3):
            with self.subTest(number=number):
                self.assertTrue(number)


def test_what_was_compared():
    assert [1, 2] == [1, 3]
"""


def run(
    project: Path,
    ids: Sequence[str] = ("test_parts.py",),
    planted: Sequence[str] = (),
    args: Sequence[str] = ("-p", "no:cacheprovider"),
) -> dict[str, dict[str, object]]:
    events = events_of(project, ids, planted, args)
    assert [event["event"] for event in events].count("collected") == 1
    outcomes = [event for event in events if event["event"] == "outcome"]
    assert len({event["test"] for event in outcomes}) == len(outcomes)
    return {str(event["test"]).rpartition("::")[2]: event for event in outcomes}


def events_of(
    project: Path,
    ids: Sequence[str] = ("test_parts.py",),
    planted: Sequence[str] = (),
    args: Sequence[str] = ("-p", "no:cacheprovider"),
) -> list[dict[str, Any]]:
    reader, writer = os.pipe()
    request = json.dumps({"args": args, "ids": ids, "planted": planted})
    done = subprocess.run(
        [sys.executable, SCRIPT, str(writer)], cwd=project, input=request, pass_fds=[writer], capture_output=True,
        text=True, check=False, timeout=60,
    )  # fmt: skip
    os.close(writer)
    with os.fdopen(reader) as lines:
        events = [json.loads(line) for line in lines]
    assert done.returncode == 1
    return events


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    project = tmp_path_factory.mktemp("reporter")
    (project / "test_parts.py").write_text(TESTS)
    return run(project)


@pytest.mark.parametrize(
    ("test", "outcome"),
    [
        ("test_first_part_fails", "failed"),
        ("test_last_part_fails", "failed"),
        ("test_no_part_fails", "passed"),
        ("test_what_was_compared", "failed"),
    ],
)
def test_a_test_has_the_outcome_of_its_worst_subtest(
    outcomes: dict[str, dict[str, object]], test: str, outcome: str
) -> None:
    assert outcomes[test]["outcome"] == outcome
    assert len(outcomes) == 4


def test_the_text_of_a_failure_is_a_native_traceback(outcomes: dict[str, dict[str, object]]) -> None:
    failure = outcomes["test_what_was_compared"]["failure"]
    assert isinstance(failure, dict)
    assert failure["text"].startswith("Traceback (most recent call last)")


def test_both_sides_of_a_failed_comparison_are_reported(outcomes: dict[str, dict[str, object]]) -> None:
    failure = outcomes["test_what_was_compared"]["failure"]
    assert isinstance(failure, dict)
    assert failure["compared"] == ["[1, 2]", "[1, 3]"]


REPEATING = """\
from _pytest.runner import runtestprotocol


def pytest_runtest_protocol(item, nextitem):
    \"\"\"As pytest-rerunfailures does: a failed attempt is logged as `rerun`, torn down and repeated.\"\"\"
    for last in (False, True):
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        again = not last and any(report.failed for report in reports)
        for report in reports:
            if again and report.failed:
                report.outcome = "rerun"
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        if not again:
            return True
    return True
"""
REPEATED = """\
SEEN = []


def test_second_time():
    SEEN.append(1)
    assert len(SEEN) > 1


def test_never():
    assert 0


def test_at_once():
    pass
"""


def test_the_last_attempt_of_a_repeated_test_counts_and_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(REPEATING)
    (tmp_path / "test_parts.py").write_text(REPEATED)
    outcomes = {name: event["outcome"] for name, event in run(tmp_path).items()}
    assert outcomes == {"test_second_time": "passed", "test_never": "failed", "test_at_once": "passed"}


WRITE_ARGUMENTS = """\
def pytest_collection(session):
    open("arguments", "w").write("\\n".join(session.config.args))
"""


@pytest.mark.parametrize(
    ("ids", "arguments"),
    [
        (["tests"], ["tests"]),
        (["."], ["."]),
        (["tests/check_all.py"], ["tests/check_all.py", "tests/test_planted.py"]),
        (["tests/check_all.py::test_it"], ["tests/check_all.py::test_it", "tests/test_planted.py"]),
    ],
)
def test_a_planted_file_is_an_argument_only_if_no_folder_argument_contains_it(
    tmp_path: Path, ids: list[str], arguments: list[str]
) -> None:
    """pytest 8, given a folder and a file in it, runs only that file."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "pytest.ini").write_text("[pytest]\npython_files = check_*.py\n")
    (tmp_path / "conftest.py").write_text(WRITE_ARGUMENTS)
    (tmp_path / "tests" / "check_all.py").write_text("def test_it():\n    pass\n")
    (tmp_path / "tests" / "test_planted.py").write_text("def test_planted():\n    assert 0\n")
    outcomes = {name: event["outcome"] for name, event in run(tmp_path, ids, ["tests/test_planted.py"]).items()}
    assert outcomes == {"test_it": "passed", "test_planted": "failed"}
    assert (tmp_path / "arguments").read_text().splitlines() == arguments


CHANGES = {
    "no change": ("", "", set()),
    "a function of the tree at import": ("import shop\nshop.total = lambda: 0\n", "", {"shop.py"}),
    "a method of the tree at import": ("import shop\nshop.Bill.pay = lambda self: 0\n", "", {"shop.py"}),
    "a function of the library in a test": ("import json\n", "json.loads = print", {"json"}),
    "decimal's context in a test": ("", "import decimal; decimal.getcontext().prec = 3", {"the context of decimal"}),
    "names of the test file itself": ("LIMIT = 3\ndef helper(): ...\n", "", set()),
}


def test_replaced_functions_and_changed_settings_change_the_digests(tmp_path: Path) -> None:
    """Each change has a run of its own, compared with a run without it."""
    (tmp_path / "shop.py").write_text(
        "import decimal, json\n\ndef total(): ...\n\nclass Bill:\n    def pay(self): ...\n"
    )
    plain: dict[str, str] = {}
    for name, (top, inside, expected) in CHANGES.items():
        (tmp_path / "test_parts.py").write_text(f"import shop\n{top}\ndef test_a():\n    {inside or 'pass'}\n\n{TESTS}")
        looks = events_of(tmp_path)[-1]["looks"]
        plain = plain or looks
        assert {path for path in plain if looks[path] != plain[path] and path != "test_parts.py"} == expected, name


UNPRINTABLE = """\
class Unprintable(Exception):
    def __str__(self):
        return None.name


class Shy(list):
    def __repr__(self):
        raise SystemExit(3)


class Disguised:
    @property
    def __class__(self):
        raise ValueError("no class")

    def __eq__(self, other):
        return False


def test_exception_without_text():
    raise Unprintable


def test_compared_without_repr():
    assert Shy([1]) == Shy([2])


def test_compared_without_class():
    assert Disguised() == 3


def test_after_them():
    pass
"""


def test_a_failure_that_cannot_be_printed_fails_its_own_test_only(tmp_path: Path) -> None:
    (tmp_path / "test_parts.py").write_text(UNPRINTABLE)
    events = run(tmp_path)
    assert {name: event["outcome"] for name, event in events.items()} == {
        "test_exception_without_text": "failed",
        "test_compared_without_repr": "failed",
        "test_compared_without_class": "failed",
        "test_after_them": "passed",
    }
    failure = events["test_exception_without_text"]["failure"]
    assert isinstance(failure, dict)
    assert failure["exception"] == "Unprintable"
    assert failure["message"] == "<the text of this Unprintable raised AttributeError>"


BROKEN_FILES = {
    "missing": ("import shop\n", "import nothing_here\n", "ModuleNotFoundError: No module named 'nothing_here'"),
    "syntax": ("import shop\n", "total = (\n", "SyntaxError: '(' was never closed"),
    "other": ("import shop\n", "def f():\n    return 1 / 0\n\n\nf()\n", "ZeroDivisionError: division by zero"),
}


@pytest.mark.parametrize("name", BROKEN_FILES)
def test_a_file_that_does_not_import_has_the_frames_of_the_real_error(tmp_path: Path, name: str) -> None:
    test, module, message = BROKEN_FILES[name]
    (tmp_path / "test_parts.py").write_text(test)
    (tmp_path / "test_other.py").write_text("def test_fails():\n    assert 0\n")
    (tmp_path / "shop.py").write_text(module)
    failure = run(tmp_path, ["test_parts.py", "test_other.py"])["test_parts.py"]["failure"]
    assert isinstance(failure, dict)
    assert failure["message"] == message
    assert failure["exception"] == message.partition(":")[0]
    assert [frame[0] for frame in failure["frames"]][:2] == ["test_parts.py", "shop.py"]
    assert failure["frames"][-1][:2] == ["shop.py", 2 if name == "other" else 1]


@pytest.mark.parametrize("options", ["-p no:xdist", "-pno:xdist", "-p no:cacheprovider", "--ff", "--lf --nf"])
def test_options_that_switch_plugins_off_do_not_stop_the_run(tmp_path: Path, options: str) -> None:
    (tmp_path / "pytest.ini").write_text(f"[pytest]\naddopts = {options}\n")
    (tmp_path / "test_parts.py").write_text("def test_fails():\n    assert 0\n")
    assert run(tmp_path, args=[])["test_fails"]["outcome"] == "failed"


def test_doctests_are_told_from_test_functions_of_the_same_form(tmp_path: Path) -> None:
    """`test_b.py::test_b` is a function, `a.py::a` and `pkg/__init__.py::pkg` are examples in docstrings of modules."""
    example = '""">>> 1\n2\n"""\n'
    (tmp_path / "a.py").write_text(f"{example}def f():\n    {example}")
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/__init__.py").write_text(example)
    (tmp_path / "notes.txt").write_text(">>> 1\n2\n")
    (tmp_path / "test_b.py").write_text("def test_b():\n    assert False\n")
    args = ("-p", "no:cacheprovider", "--doctest-modules", "--doctest-glob=*.txt")
    events = events_of(tmp_path, ["."], args=args)
    marks = {str(event["test"]): event.get("doctest") for event in events if event["event"] == "outcome"}
    assert marks == {
        "a.py::a": True,
        "a.py::a.f": True,
        "notes.txt::notes.txt": True,
        "pkg/__init__.py::pkg": True,
        "test_b.py::test_b": False,
    }
