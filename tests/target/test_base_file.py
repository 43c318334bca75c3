"""The cache file of a base run: what comes back out of it, and what is left alone."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from whet.domain.suite import Failure, Outcome, SuiteReport
from whet.errors import UsageError
from whet.target.base_file import BaseFile

FAILURE = Failure(exception="ValueError", message="m", frames=(), text="a long text")
REPORT = SuiteReport(
    tree="t",
    outcomes={"tests/test_a.py::test_a": Outcome.FAILED, "tests/test_a.py::test_b": Outcome.PASSED},
    seconds=1.5,
    complete=True,
    failures={"tests/test_a.py::test_a": FAILURE},
    looks={"json": "1"},
    file_seconds={"tests/test_a.py": 0.5},
)


def written(folder: Path, **changes: Any) -> tuple[BaseFile, list[str]]:
    """Write REPORT to a file, change its JSON, and return the file with the notes that reading it makes."""
    notes: list[str] = []
    path = folder / "base.json"
    file = BaseFile(path, notes.append)
    file.write("k", REPORT)
    content = json.loads(path.read_text())
    content["report"].update(changes)
    path.write_text(json.dumps(content))
    return file, notes


def test_a_report_comes_back_as_one_that_counts_for_nothing_yet(tmp_path: Path) -> None:
    file, notes = written(tmp_path)
    assert file.read("k", "t") == replace(REPORT, from_file=True, failures={}, looks={})
    assert notes == []


def test_a_file_cannot_say_that_it_was_confirmed(tmp_path: Path) -> None:
    file, _ = written(tmp_path, from_file=False, looks={"json": "2"})
    report = file.read("k", "t")
    assert report is not None
    assert (report.from_file, report.looks) == (True, {})


def test_a_missing_file_is_no_problem(tmp_path: Path) -> None:
    notes: list[str] = []
    assert BaseFile(tmp_path / "base.json", notes.append).read("k", "t") is None
    assert notes == []


@pytest.mark.parametrize(("key", "tree"), [("other", "t"), ("k", "other")])
def test_a_report_of_another_base_is_not_used(tmp_path: Path, key: str, tree: str) -> None:
    file, notes = written(tmp_path)
    assert file.read(key, tree) is None
    assert "another base" in notes[0]


@pytest.mark.parametrize(
    "changes",
    [
        {"complete": False}, {"problem": "died"}, {"exit_only": True}, {"outcomes": {}}, {"outcomes": {"a": "green"}},
        {"outcomes": []}, {"seconds": -1}, {"seconds": "soon"}, {"doctests": 3}, {"file_seconds": {"a": "b"}},
        {"seconds": float("inf")}, {"seconds": float("nan")},
    ],
)  # fmt: skip
def test_a_damaged_report_is_not_used(tmp_path: Path, changes: dict[str, Any]) -> None:
    file, notes = written(tmp_path, **changes)
    assert file.read("k", "t") is None
    assert "is not a cache" in notes[0]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", "{}", '{"format": 2}', "[" * 100_000, '{"format": 1, "key": "k"}']
)
def test_a_file_of_another_form_is_not_used(tmp_path: Path, text: str) -> None:
    file, notes = written(tmp_path)
    (tmp_path / "base.json").write_text(text)
    assert file.read("k", "t") is None
    assert "is not a cache" in notes[0]


def test_a_folder_in_place_of_the_file_is_not_used(tmp_path: Path) -> None:
    notes: list[str] = []
    assert BaseFile(tmp_path, notes.append).read("k", "t") is None
    assert "cannot be read" in notes[0]


def test_the_texts_of_failures_stay_out_of_the_file(tmp_path: Path) -> None:
    written(tmp_path)
    assert "a long text" not in (tmp_path / "base.json").read_text()


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        BaseFile(tmp_path / "missing" / "base.json", lambda _: None).write("k", REPORT)
