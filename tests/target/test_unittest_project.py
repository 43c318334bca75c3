"""A project whose tests need only unittest, with an interpreter that has no pytest, from `whet init` to a proof."""

import sys
from pathlib import Path

import pytest

from tests.cli.refusals import refuses
from tests.support import MakeRepo, Repo
from whet.app.project import open_project
from whet.target.tracer import trace
from whet.target.warm_pool import WarmPool

BAD = "def double(a):\n    if a < 0:\n        return 0\n    return a\n"
GOOD = BAD.replace("return a\n", "return a * 2\n")
CHEAT = "def double(a):\n    if a < 0:\n        return 0\n    if a == 2:\n        return 4\n    if a == 5:\n        return 10\n    return a\n"
TESTS = """\
import unittest

from calc import double


class TestDouble(unittest.TestCase):
    def test_double(self):
        self.assertEqual(double(2), 4)
        self.assertEqual(double(5), 10)

    def test_negative(self):
        self.assertEqual(double(-1), 0)

    def test_zero(self):
        self.assertEqual(double(0), 0)
"""
FILE = "tests/test_calc.py::TestDouble"


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """An environment without any package."""
    folder = tmp_path / "bare"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(Path(sys.executable).resolve())
    home = Path(sys.executable).resolve().parent
    (folder / "pyvenv.cfg").write_text(f"home = {home}\ninclude-system-site-packages = false\n")
    return folder / "bin" / "python"


@pytest.fixture
def repo(make_repo: MakeRepo, python: Path) -> Repo:
    policy = f'[target]\ninterpreter = "{python}"\n[tests]\nrunner = "unittest"\nfolders = ["tests"]\n'
    return make_repo({"calc.py": BAD, "tests/test_calc.py": TESTS, "whet.toml": policy})


def test_init_detects_unittest_where_there_is_no_pytest(make_repo: MakeRepo, python: Path) -> None:
    repo = make_repo({"calc.py": BAD, "tests/test_calc.py": TESTS, ".gitignore": ".venv\n", "pyproject.toml": ""})
    (repo.root / ".venv").symlink_to(python.parents[1])
    said = repo.whet("init")
    assert said.code == 0, said.err
    text = (repo.root / "whet.toml").read_text()
    assert 'runner = "unittest"' in text
    assert 'folders = ["tests"]' in text
    assert "has no pytest" not in said.out


def test_a_right_fix_is_proved_and_a_cheat_is_not(repo: Repo, tmp_path: Path) -> None:
    for name, source, verdict in (("right", GOOD, "passed"), ("cheat", CHEAT, "inconclusive")):
        repo.write({"calc.py": source})
        repo.sh("git", "diff", f"--output={tmp_path / name}.patch")
        repo.sh("git", "checkout", "calc.py")
        said = repo.whet("prove", "--patch", f"{tmp_path / name}.patch", "--json")
        assert said.json["verdict"] == verdict, said.json
        safeguards = {each["name"]: each["verdict"] for each in said.json["evidence"]["checks"][0]["safeguards"]}
        for safeguard in ("planted tests", "rephrased targets", "changed expectations", "assertions reached"):
            assert safeguards[safeguard] == "passed"


def test_the_tests_are_traced_and_candidates_are_tried(repo: Repo) -> None:
    project = open_project(repo.root)
    tree = project.git.tree_of("HEAD")
    traced = {
        test.test: test for test in trace(project.suite, tree, [f"{FILE}::test_double", f"{FILE}::test_negative"])
    }
    assert traced[f"{FILE}::test_double"].outcome == "failed"
    assert traced[f"{FILE}::test_double"].lines["calc.py"] == {2, 4}
    assert traced[f"{FILE}::test_negative"].lines["calc.py"] == {2, 3}
    with WarmPool(project.suite, tree, 1, 60) as pool:
        for swift in (False, True):
            versions = [{"calc.py": source} for source in (GOOD, BAD, "def double(:\n", GOOD)]
            results = pool.run(versions, [f"{FILE}::test_double"], 20.0, stop_early=True, swift=swift)
            outcomes = [result.outcomes.get(f"{FILE}::test_double") for result in results]
            assert outcomes == ["passed", "failed", None, "passed"]
        everything = pool.run([{"calc.py": BAD}], [FILE], 20.0, stop_early=False)
        assert everything[0].outcomes == {
            f"{FILE}::test_double": "failed",
            f"{FILE}::test_negative": "passed",
            f"{FILE}::test_zero": "passed",
        }


def test_repair_finds_a_fix(repo: Repo) -> None:
    repo.commit({"calc.py": "def double(a):\n    if a < 0:\n        return 0\n    return a - a\n"})
    said = repo.whet("repair", f"{FILE}::test_double", "--json")
    assert said.code == 0, said.err
    assert "a + a" in said.out


def test_a_folder_that_is_missing_is_named(repo: Repo) -> None:
    repo.commit({"whet.toml": (repo.root / "whet.toml").read_text().replace('["tests"]', '["spec"]')})
    refuses(repo.whet("scan"), 4, "could not be run by unittest", "not found: spec")
