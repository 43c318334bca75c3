"""Parts of a suite, run without a sandbox: together they are the whole suite, and each lists all of it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

INSIDE = Path(__file__).parents[3] / "src/whet/target/inside"
TEST = "import unittest\n\n\nclass TestIt(unittest.TestCase):\n    def test_it(self):\n        pass\n"
ALL = {f"tests/test_{name}.py::TestIt::test_it" for name in "abc"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("parts")
    (folder / "tests").mkdir()
    for name in ("a", "b", "c", "planted"):
        (folder / "tests" / f"test_{name}.py").write_text(TEST)
    return folder


def events(project: Path, runner: str, part: dict[str, object]) -> list[dict[str, Any]]:
    reader, writer = os.pipe()
    planted = ["tests/test_planted.py"]
    request = json.dumps({"args": [], "ids": ["tests"], "planted": planted, "part": part})
    subprocess.run(
        [sys.executable, INSIDE / f"run_{runner}.py", str(writer)], cwd=project, input=request, pass_fds=[writer],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    os.close(writer)
    with os.fdopen(reader) as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize("runner", ["pytest", "unittest"])
def test_parts_are_disjoint_and_complete_and_each_has_the_planted_tests(project: Path, runner: str) -> None:
    ran = [
        {event["test"] for event in events(project, runner, {key: ["tests/test_b.py"]}) if event["event"] == "outcome"}
        for key in ("skip", "keep")
    ]
    planted = "tests/test_planted.py::TestIt::test_it"
    assert ran[0] & ran[1] == {planted}
    assert (ran[0] | ran[1]) - {planted} == ALL


@pytest.mark.parametrize("runner", ["pytest", "unittest"])
def test_a_list_names_all_tests_and_runs_none(project: Path, runner: str) -> None:
    kinds = {event["event"]: event for event in events(project, runner, {"keep": [], "list": True})}
    assert set(kinds["listed"]["tests"]) >= ALL
    assert kinds["collected"]["count"] == 1  # the planted test
