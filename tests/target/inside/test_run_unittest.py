"""The unittest reporter, run here without a sandbox: an outcome for every test id, in pytest's form."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

INSIDE = Path(__file__).parents[3] / "src/whet/target/inside"
TESTS = """\
import unittest
from shop import total


class TestTotal(unittest.TestCase):
    def test_passes(self):
        self.assertEqual(total(1), 1)

    def test_fails(self):
        self.assertEqual(total(2), 3)

    def test_raises(self):
        total(None)

    @unittest.skip("later")
    def test_skipped(self):
        pass

    @unittest.expectedFailure
    def test_expected(self):
        self.fail()

    @unittest.expectedFailure
    def test_unexpected(self):
        pass

    def test_subtests(self):
        for number in (1, 2):
            with self.subTest(number=number):
                self.assertEqual(number, 1)

    def test_skipped_part(self):
        with self.subTest():
            self.skipTest("a part")


class TestNoSetUp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise LookupError("no class")

    def test_a(self):
        pass

    def test_b(self):
        pass


class TestNoTearDown(unittest.TestCase):
    @classmethod
    def tearDownClass(cls):
        raise LookupError("no end")

    def test_first(self):
        pass

    def test_last(self):
        pass


class TestSkippedSetUp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise unittest.SkipTest("not here")

    def test_never(self):
        pass


class TestAsync(unittest.IsolatedAsyncioTestCase):
    async def test_async(self):
        self.assertEqual(total(1), 1)


@unittest.skip("all of it")
class TestSkippedClass(unittest.TestCase):
    def test_in_it(self):
        pass
"""
SHOP = "def total(a):\n    return a + 0\n"
OUTCOMES = {
    "TestAsync::test_async": "passed",
    "TestNoSetUp::test_a": "error",
    "TestNoSetUp::test_b": "error",
    "TestNoTearDown::test_first": "passed",
    "TestNoTearDown::test_last": "error",
    "TestSkippedClass::test_in_it": "skipped",
    "TestSkippedSetUp::test_never": "skipped",
    "TestTotal::test_expected": "xfailed",
    "TestTotal::test_fails": "failed",
    "TestTotal::test_passes": "passed",
    "TestTotal::test_raises": "failed",
    "TestTotal::test_skipped": "skipped",
    "TestTotal::test_skipped_part": "skipped",
    "TestTotal::test_subtests": "failed",
    "TestTotal::test_unexpected": "failed",
}


class Ran:
    """The events of one run by test id, and the exit code."""

    def __init__(self, project: Path, ids: Sequence[str], planted: Sequence[str], args: Sequence[str]) -> None:
        reader, writer = os.pipe()
        request = json.dumps({"args": args, "ids": ids, "planted": planted})
        done = subprocess.run(
            [sys.executable, "-S", INSIDE / "run_unittest.py", str(writer)], cwd=project, input=request,
            pass_fds=[writer], capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        os.close(writer)
        with os.fdopen(reader) as lines:
            events = [json.loads(line) for line in lines]
        self.code, self.err = done.returncode, done.stderr
        assert events, done.stderr
        assert (events[-1]["event"], events[-1]["code"]) == ("end", done.returncode)
        self.events: dict[str, dict[str, Any]] = {}
        for event in events:
            if event["event"] == "outcome":
                assert event["test"] not in self.events
                self.events[event["test"]] = event
        collected = [event["count"] for event in events if event["event"] == "collected"]
        apart = [event for event in self.events.values() if event.get("collecting")]
        assert done.returncode == 4 or collected == [len(self.events) - len(apart)]

    @property
    def outcomes(self) -> dict[str, str]:
        return {test: event["outcome"] for test, event in self.events.items()}


def run(project: Path, *ids: str, planted: Sequence[str] = (), args: Sequence[str] = ()) -> Ran:
    return Ran(project, ids, planted, args)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "tests/test_shop.py").write_text(TESTS)
    return tmp_path


@pytest.mark.parametrize("package", [True, False])
def test_every_kind_of_outcome_is_reported(project: Path, *, package: bool) -> None:
    if package:
        (project / "tests/__init__.py").touch()
    ran = run(project, "tests")
    assert ran.outcomes == {f"tests/test_shop.py::{test}": outcome for test, outcome in OUTCOMES.items()}
    assert ran.code == 1
    failure = ran.events["tests/test_shop.py::TestTotal::test_raises"]["failure"]
    assert failure["exception"] == "TypeError"
    assert [frame[:2] for frame in failure["frames"]] == [["tests/test_shop.py", 13], ["shop.py", 2]]
    assert ran.events["tests/test_shop.py::TestNoSetUp::test_b"]["failure"]["message"] == "no class"


def test_the_outcomes_are_those_of_pytest(project: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", "tests"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    failed = {line.split()[1] for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))}
    red = {test for test, outcome in run(project, "tests").outcomes.items() if outcome in ("failed", "error")}
    assert failed - {"tests/test_shop.py::TestTotal::test_subtests"} == red - {
        "tests/test_shop.py::TestTotal::test_subtests"
    }


def test_ids_files_and_classes_choose_tests(project: Path) -> None:
    file = "tests/test_shop.py"
    assert run(project, f"{file}::TestTotal::test_passes").outcomes == {f"{file}::TestTotal::test_passes": "passed"}
    assert set(run(project, f"{file}::TestNoSetUp").outcomes) == {
        f"{file}::TestNoSetUp::test_a",
        f"{file}::TestNoSetUp::test_b",
    }
    assert len(run(project, file).outcomes) == len(OUTCOMES)
    for missing in (f"{file}::TestTotal::test_gone", "tests/test_gone.py"):
        ran = run(project, missing)
        assert ran.code == 4
        assert f"unittest: error: not found: {missing}" in ran.err


def test_a_planted_file_is_run_and_an_imported_case_has_an_id_in_each_file(project: Path) -> None:
    (project / "tests/check_it.py").write_text("from test_shop import TestAsync\n")
    ran = run(project, "tests/test_shop.py::TestAsync", planted=["tests/check_it.py"])
    assert set(ran.outcomes) == {
        "tests/check_it.py::TestAsync::test_async",
        "tests/test_shop.py::TestAsync::test_async",
    }
    assert set(run(project, "tests", args=["-p", "check_*.py"]).outcomes) == {
        "tests/check_it.py::TestAsync::test_async"
    }
    assert "unittest knows only -p PATTERN, not --fast" in run(project, "tests", args=["--fast"]).err


@pytest.mark.parametrize("ids", [("tests",), ("tests/test_broken.py", "tests/test_good.py")])
def test_files_that_do_not_import_are_errors_of_their_own(project: Path, ids: tuple[str, ...]) -> None:
    (project / "tests/test_shop.py").unlink()
    (project / "shop.py").write_text("LIMIT = 3\nimport nothing_here\n")
    (project / "tests/test_broken.py").write_text("import shop\n")
    good = "import unittest\n\n\nclass TestGood(unittest.TestCase):\n    def test_it(self):\n        pass\n"
    (project / "tests/test_good.py").write_text(good)
    ran = run(project, *ids)
    assert ran.outcomes == {"tests/test_broken.py": "error", "tests/test_good.py::TestGood::test_it": "passed"}
    failure = ran.events["tests/test_broken.py"]["failure"]
    assert failure["message"] == "ModuleNotFoundError: No module named 'nothing_here'"
    assert failure["frames"][-1][:2] == ["shop.py", 2]
    assert ran.code == 1


def test_load_tests_decides_and_repeated_methods_are_numbered(project: Path) -> None:
    loading = "\n\ndef load_tests(loader, tests, pattern):\n    case = TestAsync\n    return unittest.TestSuite([case('test_async'), case('test_async')])\n"
    (project / "tests/test_shop.py").write_text(TESTS + loading)
    test = "tests/test_shop.py::TestAsync::test_async"
    assert run(project, "tests").outcomes == {test: "passed", f"{test}[2]": "passed"}


def test_a_folder_without_tests_is_a_complete_run_of_nothing(project: Path) -> None:
    (project / "tests/test_shop.py").unlink()
    assert run(project, "tests").code == 5


SKIPS_WITHOUT_START = """\
import unittest


class TestA(unittest.TestCase):
    def test_first(self):
        self.fail()

    def test_second(self):
        pass


class TestB(unittest.TestCase):
    def run(self, result=None):
        result.addSkip(self, "as Python 3.12.1 does")
        result.stopTest(self)
        return result

    def test_skipped(self):
        pass
"""


def test_a_skip_without_a_start_is_reported_for_its_own_test(project: Path) -> None:
    (project / "tests/test_shop.py").write_text(SKIPS_WITHOUT_START)
    assert run(project, "tests").outcomes == {
        "tests/test_shop.py::TestA::test_first": "failed",
        "tests/test_shop.py::TestA::test_second": "passed",
        "tests/test_shop.py::TestB::test_skipped": "skipped",
    }
