import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from whet.domain.suite import Outcome, SuiteReport
from whet.store.runs import RecordedRuns
from whet.store.store import FILE_NAME, open_store

REPORT = SuiteReport(
    tree="t",
    outcomes={"tests/test_a.py::test_a": Outcome.FAILED, "a.py::a.f": Outcome.PASSED},
    seconds=1.5,
    complete=True,
    doctests=frozenset({"a.py::a.f"}),
)


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[RecordedRuns]:
    store = open_store(tmp_path)
    yield RecordedRuns(store)
    store.close()


def test_a_run_is_found_again_by_its_key(runs: RecordedRuns) -> None:
    runs["k"] = REPORT
    runs["k"] = REPORT
    assert runs["k"] == REPORT
    assert list(runs) == ["k"]


def test_an_unknown_run_is_not_found(runs: RecordedRuns) -> None:
    assert runs.get("k") is None


def test_a_removed_run_is_gone(runs: RecordedRuns) -> None:
    runs["k"] = REPORT
    del runs["k"]
    assert len(runs) == 0


def test_a_run_expires_after_an_hour(runs: RecordedRuns, tmp_path: Path) -> None:
    runs["k"] = REPORT
    connection = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    connection.execute("UPDATE suite_runs SET at = '2020-01-01T00:00:00+00:00'")
    assert runs.get("k") is None
    runs["other"] = REPORT
    assert list(runs) == ["other"]
    connection.close()
