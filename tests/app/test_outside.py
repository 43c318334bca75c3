"""The ledger against its witness and its git ref: attacks on the record, crashes around the witness, two processes."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support import MakeRepo, Repo
from whet.app.approvals.acceptance import accept
from whet.app.audits.audit import audit
from whet.app.project import Project, open_project
from whet.errors import DamagedLedger, Refused, StateUnusable
from whet.ledger.entry import GENESIS, link
from whet.ledger.ledger import ANCHOR, Ledger
from whet.ledger.witness import REF
from whet.store.store import FILE_NAME


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return make_repo({"code.py": "x = 1\n", "whet.toml": ""})


@pytest.fixture
def opened(repo: Repo) -> Iterator[Callable[[], Project]]:
    """Open the project as a new process would; the stores are closed at the end."""
    projects: list[Project] = []

    def open_again() -> Project:
        projects.append(open_project(repo.root))
        return projects[-1]

    yield open_again
    for project in projects:
        project.store.close()


def note(ledger: Ledger, key: str) -> None:
    ledger.append("observe", key, subject="c", key=key, kind="Note")


@pytest.fixture
def recorded(repo: Repo, opened: Callable[[], Project]) -> Repo:
    """Four rows, the ref at row 2 and then at row 4, and two more rows. `old` is a copy made after row 3."""
    project = opened()
    for number in range(1, 7):
        note(project.ledger, f"n{number}")
        if number in (2, 4):
            project.ledger.publish()
        if number == 3:
            project.store.close()
            shutil.copytree(repo.root / ".whet", repo.root.parent / "old")
    project.store.close()
    return repo


# ---- attacks -----------------------------------------------------------------------------------------------------------


def edit(repo: Repo, *statements: str) -> None:
    connection = sqlite3.connect(repo.root / ".whet" / FILE_NAME, isolation_level=None)
    for verb in ("update", "delete"):
        connection.execute(f"DROP TRIGGER ledger_no_{verb}")
    for statement in statements:
        connection.execute(statement)
    connection.close()


def recompute(repo: Repo, start: int = 1) -> None:
    """Recompute the chain after an edit, and `ledger.head` with it."""
    connection = sqlite3.connect(repo.root / ".whet" / FILE_NAME, isolation_level=None)
    previous, seq = GENESIS, 0
    for seq, *texts, _before, own in connection.execute("SELECT * FROM ledger ORDER BY seq").fetchall():
        own = link(previous, seq, texts) if seq >= start else own
        connection.execute("UPDATE ledger SET previous = ?, hash = ? WHERE seq = ?", (previous, own, seq))
        previous = own
    connection.close()
    (repo.root / ".whet" / ANCHOR).write_text(f"{seq}:{previous}\n")


def an_edited_row(repo: Repo) -> None:
    edit(repo, "UPDATE ledger SET actor = 'mallory' WHERE seq = 3")


def a_recomputed_chain(repo: Repo) -> None:
    anchor = (repo.root / ".whet" / ANCHOR).read_text()
    edit(repo, "UPDATE ledger SET actor = 'mallory' WHERE seq = 3")
    recompute(repo)
    (repo.root / ".whet" / ANCHOR).write_text(anchor)


def a_recomputed_chain_and_head(repo: Repo) -> None:
    edit(repo, "UPDATE ledger SET actor = 'mallory' WHERE seq = 5")
    recompute(repo)


def a_chain_recomputed_from_its_first_row(repo: Repo) -> None:
    edit(repo, "UPDATE ledger SET actor = 'mallory' WHERE seq = 1")
    recompute(repo)


def a_removed_tail(repo: Repo) -> None:
    edit(repo, "DELETE FROM ledger WHERE seq > 5")
    recompute(repo)


def a_forged_last_row(repo: Repo) -> None:
    columns = "'2030-01-01T00:00:00+00:00', 'approve', 'Approval', 'p', 'forged', 'mallory', '{}', '', ''"
    edit(repo, f"INSERT INTO ledger VALUES (7, {columns})")
    recompute(repo)


def an_older_copy(repo: Repo) -> None:
    shutil.rmtree(repo.root / ".whet")
    shutil.copytree(repo.root.parent / "old", repo.root / ".whet")


def an_older_copy_with_an_older_ref(repo: Repo) -> None:
    an_older_copy(repo)
    repo.sh("git", "update-ref", REF, f"{REF}~1")


def a_removed_state_folder(repo: Repo) -> None:
    shutil.rmtree(repo.root / ".whet")


def a_ref_moved_back(repo: Repo) -> None:
    repo.sh("git", "update-ref", REF, f"{REF}~1")


def a_deleted_ref(repo: Repo) -> None:
    repo.sh("git", "update-ref", "-d", REF)


def a_forged_ref(repo: Repo) -> None:
    """The chain is recomputed and the ref replaced by commits that name the new rows; only the witness is untouched."""
    a_chain_recomputed_from_its_first_row(repo)
    head = (repo.root / ".whet" / ANCHOR).read_text().strip()
    tree = repo.git.ask("mktree").decode().strip()
    forged = repo.sh("git", "commit-tree", tree, "-m", f"Ledger at row 6\n\nWhet-Ledger: {head}")
    repo.sh("git", "update-ref", REF, forged)


ATTACKS: dict[Callable[[Repo], None], str] = {
    an_edited_row: "row 3",
    a_recomputed_chain: "does not match ledger.head",
    a_recomputed_chain_and_head: "row 6 is not the one in .*: the chain was recomputed",
    a_chain_recomputed_from_its_first_row: "row 1 is not the one in",
    a_removed_tail: "ends at row 5, but .* names row 6: rows were cut off",
    a_forged_last_row: "whet did not append the rows after it here",
    an_older_copy: "ends at row 3, but .* names row 6: .* an older copy",
    an_older_copy_with_an_older_ref: "ends at row 3, but .* names row 6: .* an older copy",
    a_removed_state_folder: "ends at row 0, but .* names row 6",
    a_ref_moved_back: f"{REF} was moved: it is at commit .* \\(row 2\\)",
    a_deleted_ref: f"{REF} was deleted",
    a_forged_ref: "row 1 is not the one in",
}


@pytest.mark.parametrize(("attack", "message"), ATTACKS.items(), ids=[attack.__name__ for attack in ATTACKS])
def test_an_attack_is_refused_and_named(
    recorded: Repo, opened: Callable[[], Project], attack: Callable[[Repo], None], message: str
) -> None:
    attack(recorded)
    with pytest.raises(DamagedLedger, match=message):
        opened().ledger.refuse_if_damaged()
    result = audit(opened())
    assert not result.ok
    assert result.chain


ONLY_WITHOUT_THE_WITNESS_FOLDER = (an_older_copy, a_removed_tail, a_chain_recomputed_from_its_first_row)


@pytest.mark.parametrize("attack", ONLY_WITHOUT_THE_WITNESS_FOLDER, ids=lambda attack: attack.__name__)
def test_without_the_witness_the_ref_still_shows_damage_up_to_its_row(
    recorded: Repo, opened: Callable[[], Project], attack: Callable[[Repo], None]
) -> None:
    attack(recorded)
    opened().witness.path.unlink()
    problems = audit(opened()).chain
    if attack is a_removed_tail:  # the ref names row 4, and row 6 was cut off: only the witness knew it
        assert problems == ()
        assert audit(opened()).unchecked
    else:
        assert any(REF in problem for problem in problems)
        with pytest.raises(DamagedLedger, match=REF):
            opened().ledger.refuse_if_damaged()


def test_an_attack_stops_appends_too(recorded: Repo, opened: Callable[[], Project]) -> None:
    a_removed_tail(recorded)
    with pytest.raises(StateUnusable, match="rows were cut off"):
        note(opened().ledger, "hides the loss")
    assert opened().ledger.head().seq == 5


def test_a_deleted_witness_is_not_an_alarm_but_is_said(recorded: Repo, opened: Callable[[], Project]) -> None:
    opened().witness.path.unlink()
    result = audit(opened())
    assert result.ok
    [reason] = result.unchecked
    assert "confirms rows 1 to 4 of 6" in reason
    opened().ledger.refuse_if_damaged()  # the ref agrees, so a new witness begins
    assert audit(opened()).unchecked == ()


def test_without_witness_and_ref_a_person_must_accept_the_record(recorded: Repo, opened: Callable[[], Project]) -> None:
    """This is a record of an earlier whet, too."""
    opened().ledger.append("approve", "yes", subject="p", key="answer", kind="Note")
    opened().witness.path.unlink()
    a_deleted_ref(recorded)
    with pytest.raises(StateUnusable, match="an earlier whet made it") as problem:
        opened().ledger.refuse_if_damaged()
    assert "--accept" in problem.value.remedy
    with pytest.raises(StateUnusable, match="an earlier whet made it"):
        note(opened().ledger, "more")
    assert audit(opened()).unchecked
    accept(opened(), "upgraded")
    opened().ledger.refuse_if_damaged()
    result = audit(opened())
    assert (result.ok, result.unchecked) == (True, ())
    assert any("upgraded" in line for line in result.notes)


def test_a_record_without_answers_and_deployments_is_adopted(recorded: Repo, opened: Callable[[], Project]) -> None:
    """As `whet prove` leaves it in CI, where only `.whet/` is kept between runs."""
    opened().witness.path.unlink()
    a_deleted_ref(recorded)
    note(opened().ledger, "more")
    result = audit(opened())
    assert (result.ok, result.unchecked, result.entries) == (True, (), 7)


@pytest.mark.parametrize(
    "attack", [attack for attack in ATTACKS if attack is not an_edited_row], ids=lambda a: a.__name__
)
def test_a_person_can_accept_a_restored_record_and_it_stays_visible(
    recorded: Repo, opened: Callable[[], Project], attack: Callable[[Repo], None]
) -> None:
    attack(recorded)
    accept(opened(), "restored from the backup")
    opened().ledger.refuse_if_damaged()
    note(opened().ledger, "goes on")
    result = audit(opened())
    assert (result.chain, result.unchecked) == ((), ())
    assert any("restored from the backup" in line for line in result.notes)
    assert "Whet-Accepted" in recorded.sh("git", "log", "-1", "--format=%B", REF)


def test_an_edited_row_and_a_sound_record_cannot_be_accepted(recorded: Repo, opened: Callable[[], Project]) -> None:
    with pytest.raises(Refused, match="nothing to accept"):
        accept(opened(), "why not")
    an_edited_row(recorded)
    with pytest.raises(Refused, match="cannot be accepted"):
        accept(opened(), "why not")


# ---- no false alarms ---------------------------------------------------------------------------------------------------


def test_an_untouched_record_passes(recorded: Repo, opened: Callable[[], Project]) -> None:
    opened().ledger.refuse_if_damaged()
    result = audit(opened())
    assert (result.ok, result.unchecked, result.notes) == (True, (), ())


def test_a_new_clone_at_the_path_of_an_old_one_begins_a_new_record(
    recorded: Repo, opened: Callable[[], Project]
) -> None:
    shutil.rmtree(recorded.root / ".whet")
    a_deleted_ref(recorded)
    assert any("ended at row 6" in line for line in audit(opened()).notes)
    opened().ledger.refuse_if_damaged()
    note(opened().ledger, "first")
    note(opened().ledger, "second")
    result = audit(opened())
    assert (result.ok, result.unchecked) == (True, ())
    assert any("ended at row 6" in line for line in result.notes)


def test_a_moved_repository_continues_with_a_new_witness(recorded: Repo) -> None:
    moved = recorded.root.rename(recorded.root.parent / "moved")
    project = open_project(moved)
    project.ledger.refuse_if_damaged()
    note(project.ledger, "there")
    assert audit(project).unchecked == ()
    project.store.close()


def test_the_witness_is_private_and_outside_the_repository(
    recorded: Repo, opened: Callable[[], Project], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = opened().witness.path
    assert not path.is_relative_to(recorded.root)
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    monkeypatch.setenv("XDG_STATE_HOME", str(recorded.root / "state"))
    with pytest.raises(StateUnusable, match="is in the repository"):
        opened().ledger.refuse_if_damaged()


@pytest.mark.parametrize("content", [b"rubbish", b"{}", b"[]", b'{"first": 1}'])
def test_a_damaged_witness_is_refused(recorded: Repo, opened: Callable[[], Project], content: bytes) -> None:
    opened().witness.path.write_bytes(content)
    with pytest.raises(StateUnusable, match="is not a witness"):
        opened().ledger.refuse_if_damaged()
    assert not audit(opened()).ok


# ---- crashes -----------------------------------------------------------------------------------------------------------

KILLED = """
import os, signal, sys
from pathlib import Path
from whet.app.project import open_project
from whet.ledger import witness
from whet.git.ledger_ref import GitLedgerRef
from whet.ledger.ledger import Ledger

owner, name, when = {"witness": witness, "Witness": witness.Witness, "ref": GitLedgerRef, "Ledger": Ledger}[
    sys.argv[2]], sys.argv[3], sys.argv[4]
real, calls = getattr(owner, name), 0
def killed(*arguments, **options):
    global calls
    calls += 1
    if calls == int(sys.argv[5]) and when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    result = real(*arguments, **options)
    if calls == int(sys.argv[5]):
        os.kill(os.getpid(), signal.SIGKILL)
    return result
project = open_project(Path(sys.argv[1]))
setattr(owner, name, killed)
project.ledger.append("observe", 1, subject="c", key="killed", kind="Note")
project.ledger.publish()
"""
INSTANTS = [
    ("Witness", "announce", "before", 1, 6),
    ("Witness", "announce", "after", 1, 6),
    ("Ledger", "_write_anchor", "before", 1, 7),
    ("Ledger", "_write_anchor", "after", 1, 7),
    ("Witness", "confirm", "before", 1, 7),
    ("Witness", "confirm", "after", 1, 7),
    ("ref", "commit", "after", 1, 7),
    ("witness", "_write", "after", 3, 7),  # the witness names the next commit of the ref
    ("ref", "move", "before", 1, 7),
    ("ref", "move", "after", 1, 7),
    ("witness", "_write", "after", 4, 7),
]


@pytest.mark.parametrize(("owner", "name", "when", "call", "rows"), INSTANTS)
def test_a_process_killed_around_the_witness_leaves_a_record_that_goes_on(
    recorded: Repo, opened: Callable[[], Project], owner: str, name: str, when: str, call: int, rows: int
) -> None:
    command = [sys.executable, "-c", KILLED, str(recorded.root), owner, name, when, str(call)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    assert opened().ledger.head().seq == rows
    assert audit(opened()).ok
    opened().ledger.refuse_if_damaged()
    note(opened().ledger, "after the crash")
    opened().ledger.publish()
    result = audit(opened())
    assert (result.ok, result.unchecked) == (True, ())


def test_a_crash_before_the_commit_does_not_cover_other_rows(recorded: Repo, opened: Callable[[], Project]) -> None:
    """After the announcement of row 7 the ledger may end at row 6 or at that row 7, and nowhere else."""
    command = [sys.executable, "-c", KILLED, str(recorded.root), "Witness", "announce", "after", "1"]
    subprocess.run(command, check=False)
    a_forged_last_row(recorded)
    with pytest.raises(DamagedLedger, match="row 7 is not the one"):
        opened().ledger.refuse_if_damaged()
    edit(recorded, "DELETE FROM ledger WHERE seq > 5")
    recompute(recorded)
    with pytest.raises(DamagedLedger, match="rows were cut off"):
        opened().ledger.refuse_if_damaged()


# ---- two processes -----------------------------------------------------------------------------------------------------

BUSY = """
import sys
from pathlib import Path
from whet.app.project import open_project
ledger = open_project(Path(sys.argv[1])).ledger
for number in range(12):
    ledger.append("observe", number, subject="c", key=f"{sys.argv[2]}-{number}", kind="Note")
    if number % 4 == 3:
        ledger.publish()
        ledger.refuse_if_damaged()
"""


def run_two(root: Path, environment: dict[str, str] | None = None) -> None:
    command = [sys.executable, "-c", BUSY, str(root)]
    env = {**os.environ, **(environment or {})}
    processes = [subprocess.Popen([*command, name], env=env) for name in ("a", "b")]
    assert [process.wait() for process in processes] == [0, 0]


def test_two_processes_append_and_publish(repo: Repo, opened: Callable[[], Project]) -> None:
    run_two(repo.root)
    assert opened().ledger.head().seq == 24
    result = audit(opened())
    assert (result.ok, result.unchecked) == (True, ())


@pytest.mark.slow
def test_the_witness_covers_a_record_in_postgresql(
    repo: Repo, postgres: str, monkeypatch: pytest.MonkeyPatch, opened: Callable[[], Project]
) -> None:
    monkeypatch.setenv("WHET_STORE_URL", postgres)
    run_two(repo.root)
    project = opened()
    assert audit(project).ok
    with project.store.writing() as connection:
        connection.exec_driver_sql("DROP TRIGGER ledger_no_change ON ledger")
        connection.exec_driver_sql("DELETE FROM ledger WHERE seq > 20")
        row = connection.exec_driver_sql("SELECT hash FROM ledger WHERE seq = 20").scalar()
    (repo.root / ".whet" / ANCHOR).write_text(f"20:{row}\n")
    with pytest.raises(DamagedLedger, match=r"ends at row 20, but .* names row 24"):
        opened().ledger.refuse_if_damaged()
