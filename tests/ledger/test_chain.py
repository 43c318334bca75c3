"""The hash chain: every edit of the rows is detected, and neither concurrency nor a kill breaks the chain."""

import hashlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from whet.domain.canonical import canonical
from whet.errors import Corrupt, DamagedLedger, StateUnusable
from whet.ledger.entry import GENESIS, Head
from whet.ledger.ledger import ANCHOR, Ledger, verify
from whet.store.store import FILE_NAME, open_store

Tamper = Callable[..., None]

APPENDER = """
import sys, pathlib
from whet.ledger.ledger import Ledger
from whet.store.store import open_store
folder, name, count = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
ledger = Ledger(open_store(folder), folder)
print("ready", flush=True)
for n in range(count):
    ledger.append("observe", {"by": name, "n": n}, subject=name, key=f"{name}/{n}", kind="Note")
"""


def fill(ledger: Ledger, count: int = 6) -> None:
    for number in range(count):
        ledger.append("observe", {"n": number}, subject=f"c-{number}", key=str(number), kind="Note")


def problems(ledger: Ledger) -> list[str]:
    head = ledger.anchor()
    return verify(ledger.entries(), [(ANCHOR, head)] if head else [])


def rechain(folder: Path) -> None:
    """Edit a row and recompute every later hash, as a careful forger would."""
    connection = sqlite3.connect(folder / FILE_NAME, isolation_level=None)
    connection.execute("DROP TRIGGER ledger_no_update")
    connection.execute("UPDATE ledger SET body = '{\"n\":99}' WHERE seq = 3")
    previous = GENESIS
    for row in connection.execute("SELECT * FROM ledger ORDER BY seq").fetchall():
        value = hashlib.sha256(f"{previous}{canonical(list(row[:8]))}".encode()).hexdigest()
        connection.execute("UPDATE ledger SET previous = ?, hash = ? WHERE seq = ?", (previous, value, row[0]))
        previous = value
    connection.close()


def test_an_untouched_chain_has_no_problems(ledger: Ledger) -> None:
    fill(ledger)
    assert problems(ledger) == []


def test_an_empty_chain_has_no_problems(ledger: Ledger) -> None:
    assert problems(ledger) == []
    assert verify([], [("a commit", Head(0, GENESIS))]) == []


@pytest.mark.parametrize(
    "change",
    [
        "body = '{\"n\":99}'",
        "actor = 'mallory'",
        "kind = 'Approval'",
        "subject = 'c-9'",
        "phase = 'deploy'",
        "key = 'other'",
        "at = '2020-01-01T00:00:00+00:00'",
        "hash = previous",
    ],
)
def test_an_edit_of_any_column_is_detected(ledger: Ledger, tamper: Tamper, change: str) -> None:
    fill(ledger)
    tamper(f"UPDATE ledger SET {change} WHERE seq = 3")
    assert any("row 3" in problem and "edited" in problem for problem in problems(ledger))


def test_a_row_removed_in_the_middle_is_detected(ledger: Ledger, tamper: Tamper) -> None:
    fill(ledger)
    tamper("DELETE FROM ledger WHERE seq = 3")
    assert problems(ledger) == ["row 3 is missing", "row 4 does not follow the row before it"]


def test_a_removed_first_row_is_detected(ledger: Ledger, tamper: Tamper) -> None:
    fill(ledger)
    tamper("DELETE FROM ledger WHERE seq = 1")
    assert problems(ledger) == ["row 1 is missing", "row 2 does not follow the row before it"]


def test_a_removed_row_is_detected_when_later_rows_are_renumbered(ledger: Ledger, tamper: Tamper) -> None:
    fill(ledger)
    tamper("DELETE FROM ledger WHERE seq = 3", "UPDATE ledger SET seq = seq - 1 WHERE seq > 3")
    assert "row 3 does not follow the row before it" in problems(ledger)


def test_a_removed_tail_is_detected(ledger: Ledger, tamper: Tamper) -> None:
    fill(ledger)
    tamper("DELETE FROM ledger WHERE seq > 4")
    assert problems(ledger) == ["the tail is cut off: ledger.head names row 6, which does not exist"]


def test_an_emptied_ledger_is_detected(ledger: Ledger, tamper: Tamper) -> None:
    fill(ledger)
    tamper("DELETE FROM ledger")
    assert problems(ledger) == ["the tail is cut off: ledger.head names row 6, which does not exist"]


def test_a_chain_rewritten_with_valid_hashes_is_detected(ledger: Ledger, folder: Path) -> None:
    fill(ledger)
    rechain(folder)
    assert problems(ledger) == ["the chain was rewritten: row 6 does not match ledger.head"]


def test_swapped_rows_are_detected(ledger: Ledger, tamper: Tamper) -> None:
    fill(ledger)
    tamper(*(f"UPDATE ledger SET seq = {new} WHERE seq = {old}" for old, new in ((2, 100), (4, 2), (100, 4))))
    messages = problems(ledger)
    assert any("row 2" in message and "edited" in message for message in messages)
    assert any("row 4" in message and "edited" in message for message in messages)


def test_swapped_bodies_are_detected(ledger: Ledger, tamper: Tamper) -> None:
    fill(ledger)
    tamper("UPDATE ledger SET body = CASE seq WHEN 2 THEN '{\"n\":3}' ELSE '{\"n\":1}' END WHERE seq IN (2, 4)")
    assert [problem for problem in problems(ledger) if "edited" in problem] == [
        "row 2 (Note of c-1) was edited",
        "row 4 (Note of c-3) was edited",
    ]


@pytest.mark.parametrize("value", ["'yesterday'", "'2026-01-01T00:00:00'", "x'00'", "''"])
def test_a_row_without_a_valid_time_is_corrupt_and_named(ledger: Ledger, tamper: Tamper, value: str) -> None:
    fill(ledger)
    tamper(f"UPDATE ledger SET at = {value} WHERE seq = 3")
    with pytest.raises(Corrupt, match="row 3"):
        ledger.entries()


def test_a_row_with_a_binary_body_is_corrupt_and_named(ledger: Ledger, tamper: Tamper) -> None:
    fill(ledger)
    tamper("UPDATE ledger SET body = x'7b7d' WHERE seq = 3")
    with pytest.raises(Corrupt, match="row 3"):
        ledger.entries()


def test_undecodable_text_is_damage_with_a_remedy(ledger: Ledger, tamper: Tamper) -> None:
    fill(ledger)
    tamper("UPDATE ledger SET body = CAST(x'ff' AS TEXT) WHERE seq = 3")
    with pytest.raises(StateUnusable) as problem:
        ledger.entries()
    assert "backup" in problem.value.remedy


@pytest.mark.parametrize("damage", ["cut", "rewritten"])
def test_nothing_is_appended_to_a_damaged_chain(ledger: Ledger, folder: Path, tamper: Tamper, damage: str) -> None:
    fill(ledger)
    before = (folder / ANCHOR).read_text()
    if damage == "cut":
        tamper("DELETE FROM ledger WHERE seq > 4")
    else:
        rechain(folder)
    with pytest.raises(StateUnusable, match=r"ledger\.head") as problem:
        ledger.append("observe", 1, subject="c", key="new", kind="Note")
    assert "backup" in problem.value.remedy
    assert (folder / ANCHOR).read_text() == before


def test_four_processes_append_one_valid_chain(ledger: Ledger, folder: Path) -> None:
    commands = [[sys.executable, "-c", APPENDER, str(folder), f"w{number}", "50"] for number in range(4)]
    workers = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    assert [worker.wait() for worker in workers] == [0, 0, 0, 0]
    assert problems(ledger) == []
    assert ledger.anchor() == ledger.head()
    for number in range(4):
        assert [entry.data["n"] for entry in ledger.entries(subject=f"w{number}")] == list(range(50))


def test_four_processes_may_create_the_state_folder_concurrently(folder: Path) -> None:
    commands = [[sys.executable, "-c", APPENDER, str(folder), f"w{number}", "3"] for number in range(4)]
    workers = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    assert [worker.wait() for worker in workers] == [0, 0, 0, 0]
    store = open_store(folder)
    assert len(Ledger(store, folder).entries()) == 12
    store.close()


@pytest.mark.slow
@pytest.mark.parametrize("milliseconds", [1, 7, 23, 60, 140])
def test_a_process_killed_while_appending_leaves_a_valid_chain(folder: Path, milliseconds: int) -> None:
    victim = subprocess.Popen([sys.executable, "-c", APPENDER, str(folder), "victim", "100000"], stdout=subprocess.PIPE)
    assert victim.stdout is not None
    assert victim.stdout.readline() == b"ready\n"
    time.sleep(milliseconds / 1000)
    os.kill(victim.pid, signal.SIGKILL)
    victim.wait()
    victim.stdout.close()
    store = open_store(folder)
    ledger = Ledger(store, folder)
    assert problems(ledger) == []
    ledger.append("observe", "after", subject="c", key="after", kind="Note")
    assert problems(ledger) == []
    assert ledger.anchor() == ledger.head()
    store.close()


# ---- the check before a deployment ----------------------------------------------------------------------------

EDITS = {
    "a body": "UPDATE ledger SET body = '{\"n\":9}' WHERE seq = 3",
    "an actor": "UPDATE ledger SET actor = 'ann' WHERE seq = 1",
    "a time, written in another way": "UPDATE ledger SET at = replace(at, '+00:00', 'Z') WHERE seq = 6",
    "a subject": "UPDATE ledger SET subject = 'c-9' WHERE seq = 6",
    "a hash": f"UPDATE ledger SET hash = '{'1' * 64}' WHERE seq = 6",
    "bytes for text": "UPDATE ledger SET body = CAST(body AS BLOB) WHERE seq = 4",
    "a number for a hash": "UPDATE ledger SET previous = 5 WHERE seq = 4",
    "a missing row": "DELETE FROM ledger WHERE seq = 3",
    "a missing first row": "DELETE FROM ledger WHERE seq = 1",
    "a missing tail": "DELETE FROM ledger WHERE seq > 4",
    "nothing left": "DELETE FROM ledger",
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_ledger_permits_nothing(ledger: Ledger, tamper: Tamper, edit: str) -> None:
    fill(ledger)
    ledger.refuse_if_damaged()
    tamper(EDITS[edit])
    with pytest.raises(DamagedLedger, match="the ledger is damaged"):
        ledger.refuse_if_damaged()


def test_a_ledger_without_its_anchor_permits_nothing(ledger: Ledger, folder: Path) -> None:
    ledger.refuse_if_damaged()
    fill(ledger)
    (folder / ANCHOR).unlink()
    with pytest.raises(DamagedLedger, match="missing or unreadable"):
        ledger.refuse_if_damaged()


def test_a_rewritten_chain_permits_nothing(ledger: Ledger, folder: Path) -> None:
    fill(ledger)
    rechain(folder)
    with pytest.raises(DamagedLedger, match=f"its end does not match {ANCHOR}"):
        ledger.refuse_if_damaged()


def test_an_anchor_one_row_behind_is_not_damage(ledger: Ledger, folder: Path) -> None:
    """A power failure between the row and its anchor leaves this state."""
    fill(ledger)
    before = (folder / ANCHOR).read_text()
    ledger.append("observe", {"n": 7}, subject="c", key="last", kind="Note")
    (folder / ANCHOR).write_text(before)
    ledger.refuse_if_damaged()


def test_an_edited_entry_is_refused(ledger: Ledger, tamper: Tamper) -> None:
    fill(ledger)
    tamper(EDITS["a body"])
    entries = ledger.entries()
    assert entries[0].unedited() is entries[0]
    with pytest.raises(DamagedLedger, match="row 3 of the ledger"):
        entries[2].unedited()


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE ledger SET body = '1' WHERE seq = 8", "row 8 was edited"),
        ("DELETE FROM ledger WHERE seq = 9", "its end does not match"),
        ("DELETE FROM ledger WHERE seq = 8", "row 8 is missing"),
        ("DELETE FROM ledger WHERE seq = 6", "row 6 is missing or different"),
        ("UPDATE ledger SET hash = 'f' WHERE seq = 6", "row 6 is missing or different"),
        ("DELETE FROM ledger WHERE seq > 6", "its end does not match"),
    ],
)
def test_a_check_from_an_earlier_head_sees_damage_after_it(
    ledger: Ledger, tamper: Tamper, statement: str, message: str
) -> None:
    fill(ledger)
    checked = ledger.refuse_if_damaged_since(Head(0, GENESIS))
    assert (checked, ledger.refuse_if_damaged_since(checked)) == (ledger.head(), checked)
    for number in range(7, 10):
        ledger.append("observe", {"n": number}, subject="c-late", key=str(number), kind="Note")
    assert ledger.refuse_if_damaged_since(checked) == ledger.head()
    tamper(statement)
    with pytest.raises(DamagedLedger, match=message):
        ledger.refuse_if_damaged_since(checked)


def test_older_rows_are_checked_a_few_at_a_time(ledger: Ledger, tamper: Tamper) -> None:
    fill(ledger, 6)
    first = ledger.refuse_if_edited(Head(0, GENESIS), 4)
    assert first.seq == 4
    assert ledger.refuse_if_edited(first, 4) == ledger.head()
    tamper("UPDATE ledger SET body = '1' WHERE seq = 2")
    assert ledger.refuse_if_edited(first, 4).seq == 6
    with pytest.raises(DamagedLedger, match="row 2 was edited"):
        ledger.refuse_if_edited(Head(0, GENESIS), 4)
