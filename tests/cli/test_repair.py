"""`whet repair` finds and proves a patch for named failing tests, and moves no branch."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.refusals import refuses
from tests.support import MakeRepo, Repo
from whet.app.setup.sample_repository import make_sample

TEST = "tests/test_calculator.py"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    folder = tmp_path_factory.mktemp("repair") / "calculator"
    folder.mkdir()
    make_sample(folder)
    return Repo(folder)


@pytest.fixture
def repo(shared: Repo) -> Iterator[Repo]:
    head = shared.head
    yield shared
    assert (shared.head, shared.dirt()) == (head, "")


@pytest.fixture(scope="module")
def failing(shared: Repo) -> str:
    findings = [row["finding"] for row in json.loads(shared.whet("scan", "--json").out)["findings"]]
    return str(next(row["subjects"][0] for row in findings if row["kind"] == "failing_test"))


def test_repair_of_a_named_test_writes_a_proven_patch_that_applies(repo: Repo, failing: str, tmp_path: Path) -> None:
    patch = tmp_path / "fix.patch"
    result = repo.whet("repair", failing, "--budget", "30", "--out", str(patch), "--json")
    repaired = json.loads(result.out)
    assert result.code == 0, result.out
    assert repaired["evidence"]["verdict"] == "passed"
    assert repaired["ranked"][0]["digest"]
    assert repo.git.apply("HEAD", patch.read_bytes()) is not None


def test_the_ranked_list_and_the_proof_are_shown(repo: Repo, failing: str) -> None:
    result = repo.whet("repair", failing, "--all", "--budget", "30")
    assert result.code == 0
    assert "\n1. " in result.out
    assert "red on revert" in result.out


def test_repair_refuses_a_test_that_does_not_exist(repo: Repo) -> None:
    refuses(repo.whet("repair", f"{TEST}::test_nothing_of_the_kind"), 2, "has no test", "whet scan")


def test_repair_says_that_the_suite_leaves_a_test_out(make_repo: MakeRepo) -> None:
    repo = make_repo({
        "whet.toml": "",
        "pytest.ini": "[pytest]\ntestpaths = tests\n",
        "tests/test_other.py": "def test_other():\n    pass\n",
        "more/test_price.py": "def test_price():\n    assert False\n",
    })  # fmt: skip
    refuses(repo.whet("repair", "more/test_price.py::test_price"), 2, "leaves it out", "testpaths")


def test_repair_refuses_a_test_that_does_not_fail(repo: Repo, failing: str) -> None:
    names = [line.split("(")[0].removeprefix("def ") for line in (repo.root / TEST).read_text().splitlines()
             if line.startswith("def test_")]  # fmt: skip
    red = json.dumps(json.loads(repo.whet("scan", "--json").out)["findings"])
    green = next(name for name in names if name not in red)
    refuses(repo.whet("repair", f"{TEST}::{green}"), 2, "does not fail", "whet scan")


def test_repair_shows_the_suspicious_lines_if_no_edit_helps(make_repo: MakeRepo) -> None:
    repo = make_repo({
        "whet.toml": "",
        "price.py": "def price(name):\n    return len(name)\n",
        "tests/test_price.py": "from price import price\n\n\ndef test_price():\n    assert price('bread') == 1.93\n"
        "    assert price('milk') == 0.87\n    assert price('tea') == 7.41\n",
    })  # fmt: skip
    result = repo.whet("repair", "tests/test_price.py", "--budget", "15")
    assert result.code == 1, result.out
    assert "price.py:2" in result.out


def test_an_interrupt_ends_the_search_without_a_traceback(repo: Repo, failing: str) -> None:
    whet = Path(sys.executable).parent / "whet"
    child = subprocess.Popen(
        [whet, "repair", failing, "--budget", "60"], cwd=repo.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    time.sleep(2.0)
    os.kill(child.pid, signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    assert child.returncode in (0, 1, 130), out
    assert b"Traceback" not in out
