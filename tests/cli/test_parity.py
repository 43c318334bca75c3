"""`whet doctor --parity` and `whet scan --parity` name the tests that fail only in the sandbox."""

import sys
from pathlib import Path

from tests.cli.refusals import refuses
from tests.support import MakeRepo, Repo

FILES: dict[str, str | bytes] = {
    "m.py": "x = 1\n",
    "tests/test_m.py": "import os\nimport pytest\n\n\nclass TestM:\n"
    "    @pytest.mark.parametrize('n', [1, '[a]'])\n    def test_same(self, n):\n        assert n\n\n\n"
    "def test_outside_only():\n    assert os.path.exists('ignored.txt')\n\n\n"
    "def test_red():\n    assert False\n",
    "whet.toml": '[tests]\nfolders = ["tests"]\n',
    ".gitignore": "ignored.txt\noutside.xml\n.pytest_cache\n__pycache__\n",
}


def run_outside_sandbox(repo: Repo) -> Path:
    repo.write({"ignored.txt": "here\n"})
    python = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=outside.xml", "tests"]
    repo.sh("sh", "-c", f"{' '.join(python)} || true")
    return repo.root / "outside.xml"


def test_a_test_that_fails_only_in_the_sandbox_is_named(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    junit = run_outside_sandbox(repo)
    result = repo.whet("doctor", "--parity", str(junit))
    assert result.code == 4, (result.out, result.err)
    assert "tests/test_m.py::test_outside_only: failed in the sandbox, passed outside" in result.out
    assert "4 tests compared, 1 difference" in result.out
    assert "target.extra_files" in result.out
    as_json = repo.whet("doctor", "--parity", str(junit), "--json").json
    assert [difference["test"] for difference in as_json["differences"]] == ["tests/test_m.py::test_outside_only"]
    assert (as_json["only_inside"], as_json["only_outside"]) == (0, 0)


def test_a_scan_can_compare_with_a_run_outside(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    junit = run_outside_sandbox(repo)
    result = repo.whet("scan", "--parity", str(junit))
    assert result.code == 0, (result.out, result.err)
    assert "tests/test_m.py::test_outside_only: failed in the sandbox, passed outside" in result.out
    assert "4 tests compared, 1 difference" in result.out
    assert repo.whet("scan", "--parity", str(junit), "--json").json["parity"]["compared"] == 4
    refuses(repo.whet("scan", "--parity", "m.py"), 2, "not JUnit XML", "--junitxml")


def test_a_file_that_is_not_junit_xml_is_refused(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    refuses(repo.whet("doctor", "--parity", "m.py"), 2, "not JUnit XML", "--junitxml")
    refuses(repo.whet("doctor", "--parity", "nowhere.xml"), 2, "cannot be read")
