"""The ledger: entries are recorded once and found again in order."""

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from whet.domain.suggestion import Suggestion
from whet.errors import Corrupt, StateUnusable
from whet.ledger.ledger import ANCHOR, Ledger
from whet.store.store import FILE_NAME, open_store


def test_a_noun_is_read_back_as_recorded(ledger: Ledger) -> None:
    entry = ledger.append("observe", {"n": 1}, subject="c-1", key="c-1/a", actor="ann", kind="Note")
    suggestion = {"id": "s-1", "text": "faster", "where": "", "by": "ann", "at": "2026-01-02T03:04:05+00:00"}
    ledger.append("observe", suggestion, subject="s-1", key="s-1", kind="Suggestion")
    assert (entry.seq, entry.actor, entry.data) == (1, "ann", {"n": 1})
    latest = ledger.latest("Suggestion")
    assert latest is not None
    assert latest.read(Suggestion).text == "faster"


def test_appending_an_existing_key_returns_the_first_entry(ledger: Ledger) -> None:
    first = ledger.append("observe", "one", subject="c-1", key="k", kind="Note")
    again = ledger.append("deploy", "two", subject="c-2", key="k", kind="Other")
    assert again == first
    assert len(ledger.entries()) == 1


@pytest.mark.parametrize(
    ("filters", "keys"),
    [
        ({"phase": "observe"}, ["a", "b"]),
        ({"kind": "Note"}, ["a", "c"]),
        ({"subject": "c-2"}, ["b", "c"]),
        ({"subject": "c-2", "kind": "Note"}, ["c"]),
        ({"after": 1}, ["b", "c"]),
        ({"kind": "Nothing"}, []),
    ],
)
def test_entries_are_filtered_by_phase_kind_subject_and_position(
    ledger: Ledger, filters: dict[str, str], keys: list[str]
) -> None:
    for key, phase, kind, subject in (("a", "observe", "Note", "c-1"), ("b", "observe", "Other", "c-2")):
        ledger.append(phase, key, subject=subject, key=key, kind=kind)
    ledger.append("learn", "c", subject="c-2", key="c", kind="Note")
    assert [entry.key for entry in ledger.entries(**filters)] == keys  # type: ignore[arg-type]


def test_entries_are_filtered_by_time(ledger: Ledger) -> None:
    ledger.append("observe", 1, subject="c", key="a", kind="Note")
    second = ledger.append("observe", 2, subject="c", key="b", kind="Note")
    assert [entry.key for entry in ledger.entries(since=second.at)] == ["b"]


def test_latest_returns_the_last_entry_of_a_kind(ledger: Ledger) -> None:
    for number in range(3):
        ledger.append("observe", number, subject=f"c-{number % 2}", key=str(number), kind="Note")
    latest, of_one = ledger.latest("Note"), ledger.latest("Note", subject="c-1")
    assert latest is not None
    assert of_one is not None
    assert (latest.data, of_one.data) == (2, 1)
    assert ledger.latest("Note", subject="c-9") is None
    assert ledger.find("9") is None


def test_a_follower_sees_entries_of_another_process(ledger: Ledger, folder: Path) -> None:
    ledger.append("observe", 0, subject="c", key="mine", kind="Note")
    code = (
        "import sys, pathlib\n"
        "from whet.ledger.ledger import Ledger\n"
        "from whet.store.store import open_store\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "ledger = Ledger(open_store(folder), folder)\n"
        "for n in range(3): ledger.append('observe', n, subject='c', key=f'theirs-{n}', kind='Note')\n"
    )
    other = subprocess.Popen([sys.executable, "-c", code, str(folder)])
    seen = [entry.key for entry in ledger.follow(0, lambda: other.poll() is not None, kind="Note", poll_seconds=0.01)]
    assert other.wait() == 0
    assert seen == ["mine", "theirs-0", "theirs-1", "theirs-2"]


@pytest.mark.parametrize(
    "statement", ["UPDATE ledger SET body = '1' WHERE seq = 1", "DELETE FROM ledger WHERE seq = 1"]
)
def test_the_database_refuses_to_update_or_delete_a_row(ledger: Ledger, folder: Path, statement: str) -> None:
    ledger.append("observe", 0, subject="c", key="a", kind="Note")
    connection = sqlite3.connect(folder / FILE_NAME)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(statement)
    connection.close()


def test_threads_of_one_process_append_concurrently(ledger: Ledger) -> None:
    problems: list[BaseException] = []

    def work(name: int) -> None:
        try:
            for number in range(20):
                ledger.append("observe", number, subject="c", key=f"{name}-{number}", kind="Note")
        except StateUnusable as problem:
            problems.append(problem)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    assert ledger.anchor() == ledger.head()
    assert ledger.head().seq == 120


def test_an_unwritable_anchor_is_an_error_but_the_entry_is_recorded(ledger: Ledger, folder: Path) -> None:
    (folder / f".{ANCHOR}.new").mkdir()
    with pytest.raises(StateUnusable, match="cannot be written") as problem:
        ledger.append("observe", 0, subject="c", key="a", kind="Note")
    assert problem.value.remedy
    assert ledger.find("a") is not None


@pytest.mark.parametrize("content", [b"", b"rubbish", b"\xff\xfe", b"7:short", "²:".encode() + b"0" * 64])
def test_an_anchor_in_another_form_is_none(ledger: Ledger, folder: Path, content: bytes) -> None:
    (folder / ANCHOR).write_bytes(content)
    assert ledger.anchor() is None


def test_a_body_that_is_not_json_is_corrupt_and_names_its_row(ledger: Ledger, folder: Path) -> None:
    store = open_store(folder)
    with store.writing() as connection:
        connection.exec_driver_sql(
            "INSERT INTO ledger VALUES (1, '2026-01-01T00:00:00+00:00', 'observe', 'Note', 'c', 'k', 'a', '{', 'p', 'h')"
        )
    store.close()
    with pytest.raises(Corrupt, match="row 1"):
        _ = ledger.entries()[0].data
