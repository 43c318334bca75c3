import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from whet.domain.diagnostic import Diagnostic, DiagnosticReport
from whet.domain.suite import Outcome, SuiteReport
from whet.store.runs import StoredDiagnostics, StoredRuns
from whet.store.store import FILE_NAME, open_store

REPORT = SuiteReport(
    tree="t",
    outcomes={"tests/test_a.py::test_a": Outcome.FAILED, "a.py::a.f": Outcome.PASSED},
    seconds=1.5,
    complete=True,
    doctests=frozenset({"a.py::a.f"}),
)


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[StoredRuns]:
    store = open_store(tmp_path)
    yield StoredRuns(store)
    store.close()


def test_a_run_is_found_again_by_its_key(runs: StoredRuns) -> None:
    runs["k"] = REPORT
    runs["k"] = REPORT
    assert runs["k"] == REPORT
    assert list(runs) == ["k"]


def test_an_unknown_run_is_not_found(runs: StoredRuns) -> None:
    assert runs.get("k") is None


def test_a_removed_run_is_gone(runs: StoredRuns) -> None:
    runs["k"] = REPORT
    del runs["k"]
    assert len(runs) == 0


def test_a_run_expires_after_a_day(runs: StoredRuns, tmp_path: Path) -> None:
    runs["k"] = REPORT
    connection = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    connection.execute("UPDATE suite_runs SET at = '2020-01-01T00:00:00+00:00'")
    assert runs.get("k") is None
    runs["other"] = REPORT
    assert list(runs) == ["other"]
    connection.close()


@pytest.mark.parametrize("text", ["{", "[]", "[" * 100_000, '{"tree": 1}', '{"tree": "t", "outcomes": {"a": "green"}}'])
def test_an_entry_that_cannot_be_read_is_as_good_as_none(runs: StoredRuns, tmp_path: Path, text: str) -> None:
    runs["k"] = REPORT
    connection = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    connection.execute("UPDATE suite_runs SET report = ?", (text,))
    connection.close()
    assert runs.get("k") is None


def test_the_oldest_runs_are_removed(runs: StoredRuns) -> None:
    for number in range(45):
        runs[f"k{number}"] = REPORT
    assert len(runs) == 40
    assert "k4" not in runs
    assert "k5" in runs


def test_large_runs_leave_room_for_the_newest(runs: StoredRuns, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whet.store.runs._MOST_CHARACTERS", 100)
    runs["old"] = REPORT
    runs["new"] = REPORT
    assert list(runs) == ["new"]


def test_findings_of_a_linter_are_found_again_beside_the_runs(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    finding = Diagnostic(tool="ruff", rule="F401", path="a.py", line=1, message="`os` imported but unused")
    report = DiagnosticReport(tree="t", tool="ruff", findings=(finding,))
    StoredDiagnostics(store)["k"] = report
    assert StoredDiagnostics(store)["k"] == report
    assert "k" not in StoredRuns(store)
    store.close()
