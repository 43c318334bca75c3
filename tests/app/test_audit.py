"""The audit of one real cycle, and of copies of its repository that were tampered with."""

import os
import shutil
import sqlite3
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from whet.app.approvals.decisions import GivenAnswer, answer
from whet.app.audits.audit import Audit, audit
from whet.app.cycles.loop import Loop, running
from whet.app.deployments.rollback import rollback
from whet.app.project import Project, open_project
from whet.domain.approval import Answer
from whet.domain.deployment import Deployment, Snapshot
from whet.errors import DamagedLedger, Refused
from whet.ledger.ledger import ANCHOR
from whet.ledger.witness import REF
from whet.phases.deploy.rollback import roll_back
from whet.store.store import FILE_NAME

pytestmark = pytest.mark.slow

CALC = "def add(a, b):\n    return a - b\n\n\ndef double(x):\n    return x * 2\n"
TESTS = (
    "from calc import add, double\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\n"
    "def test_double():\n    assert double(2) == 4\n"
)


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def repository(folder: Path) -> Path:
    (folder / "tests").mkdir(parents=True)
    (folder / "calc.py").write_text(CALC)
    (folder / "tests" / "test_calc.py").write_text(TESTS)
    (folder / "whet.toml").write_text('[observe]\nsources = ["tests"]\n\n[deploy]\nstrategy = "merge"\n')
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Begin")
    return folder


def approve_everything(project: Project, loop: Loop, proposal: str) -> str:
    view = loop.wait_for(proposal)
    while question := view.open_question:
        assert question.proposal == proposal
        answer(project, proposal, Answer.APPROVED, GivenAnswer(via="test"))
        view = loop.wait_for(proposal)
    return view.status


@pytest.fixture(scope="module")
def merged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository in which whet result, invariant and merged a repair."""
    folder = repository(tmp_path_factory.mktemp("audit") / "calc")
    umask = os.umask(0)  # must not matter
    project = open_project(folder)
    with running(project) as loop:
        (proposal,) = loop.wait_for_cycle(loop.start("the audit's tests"))
        assert approve_everything(project, loop, proposal) == "merged"
    project.store.close()
    os.umask(umask)
    return folder


@pytest.fixture
def folder(merged: Path, tmp_path: Path) -> Path:
    return shutil.copytree(merged, tmp_path / "calc", symlinks=True)


@pytest.fixture
def look(folder: Path) -> Iterator[Callable[[], Audit]]:
    opened: list[Project] = []

    def run() -> Audit:
        opened.append(open_project(folder))
        return audit(opened[-1])

    yield run
    for project in opened:
        project.store.close()


def deployed(folder: Path) -> Deployment:
    """Return the recorded merge."""
    project = open_project(folder)
    entry = project.ledger.latest("Deployment")
    project.store.close()
    assert entry is not None
    return entry.read(Deployment)


def record_rollback(folder: Path) -> None:
    project = open_project(folder)
    deployment = deployed(folder)
    done = roll_back("Repair", deployment, "it hurt", "ann", project.kit, project.engines.targets)
    key = f"{deployment.proposal}/deploy/rollback-{deployment.id}"
    project.ledger.append("deploy", done, subject=deployment.proposal, key=key, actor="ann")
    project.store.close()


def tamper(folder: Path, *statements: str) -> None:
    connection = sqlite3.connect(folder / ".whet" / FILE_NAME, isolation_level=None)
    for verb in ("update", "delete"):
        connection.execute(f"DROP TRIGGER ledger_no_{verb}")
    for statement in statements:
        connection.execute(statement)
    connection.close()


def forge(folder: Path, message: str) -> str:
    (folder / "calc.py").write_text("def add(a, b):\n    return 4\n")
    git(folder, "commit", "-q", "-a", "-m", message)
    return git(folder, "rev-parse", "HEAD")[:10]


# ---- untouched ledgers -------------------------------------------------------------------------------------------------------


def test_a_real_cycle_passes_the_audit(look: Callable[[], Audit]) -> None:
    result = look()
    assert (result.chain, result.commits, result.snapshots) == ((), (), ())
    assert [invariant.violations for invariant in result.invariants] == [()] * 10
    assert result.ok
    assert result.entries > 20


def test_the_invariants_are_checked_on_real_entries(look: Callable[[], Audit]) -> None:
    counted = {invariant.number: invariant.checked for invariant in look().invariants}
    assert all(counted[number] for number in range(1, 9))


def test_the_audit_changes_nothing(folder: Path, look: Callable[[], Audit]) -> None:
    before = (git(folder, "for-each-ref"), (folder / ".whet" / ANCHOR).read_text())
    entries = look().entries
    assert look().entries == entries
    assert (git(folder, "for-each-ref"), (folder / ".whet" / ANCHOR).read_text()) == before


def test_an_unused_repository_passes_the_audit(tmp_path: Path) -> None:
    project = open_project(repository(tmp_path / "calc"))
    result = audit(project)
    project.store.close()
    assert result.ok
    assert result.entries == 0


def test_later_commits_of_people_are_ignored(folder: Path, look: Callable[[], Audit]) -> None:
    forge(folder, "Mine\n\nI whetted it by hand, see Whet-Proposal: p-1 in the text.\n\nReviewed-by: Bob")
    assert look().ok


def test_a_commit_message_with_control_characters_is_harmless(folder: Path, look: Callable[[], Audit]) -> None:
    forge(folder, "Mine\x1f\x1e\x1d\n\nWhet-ish: \x1f\x1dWhet-Proposal: p-1\x1e")
    assert look().ok


def test_a_recorded_rollback_passes_the_audit_except_for_its_lesson(folder: Path, look: Callable[[], Audit]) -> None:
    record_rollback(folder)
    result = look()
    assert result.ok
    assert [invariant.number for invariant in result.invariants if not invariant.holds] == [8]


def test_a_cycle_leaves_only_private_files_in_the_state_folder(folder: Path) -> None:
    state = folder / ".whet"
    modes = {path.name: stat.S_IMODE(path.lstat().st_mode) for path in (state, *state.rglob("*"))}
    assert {name: oct(mode) for name, mode in modes.items() if mode & 0o077} == {}
    assert {"whet.sqlite", "durable.sqlite", "deploy.lock", "engine.lock", "ledger.head", ".gitignore"} <= set(modes)


# ---- the chain ----------------------------------------------------------------------------------------------------


def test_an_edited_row_fails_the_audit(folder: Path, look: Callable[[], Audit]) -> None:
    tamper(folder, "UPDATE ledger SET actor = 'mallory' WHERE kind = 'Approval'")
    result = look()
    assert not result.ok
    assert any("(Approval of" in problem and "was edited" in problem for problem in result.chain)


def test_a_row_that_is_not_an_entry_fails_the_audit(folder: Path, look: Callable[[], Audit]) -> None:
    tamper(folder, "UPDATE ledger SET at = 'once' WHERE seq = 5")
    result = look()
    assert not result.ok
    assert result.chain == ("row 5 of the ledger was edited: it is not an entry",)


def test_a_removed_tail_is_detected_by_the_anchor(folder: Path, look: Callable[[], Audit]) -> None:
    tamper(folder, "DELETE FROM ledger WHERE kind = 'Lesson'")
    assert any("the tail is cut off: ledger.head" in problem for problem in look().chain)


def test_a_removed_tail_is_detected_by_git_when_the_anchor_was_edited_too(
    folder: Path, look: Callable[[], Audit]
) -> None:
    tamper(folder, "DELETE FROM ledger WHERE seq > 10")
    connection = sqlite3.connect(folder / ".whet" / FILE_NAME)
    seq, value = connection.execute("SELECT seq, hash FROM ledger ORDER BY seq DESC LIMIT 1").fetchone()
    connection.close()
    (folder / ".whet" / ANCHOR).write_text(f"{seq}:{value}\n")
    result = look()
    assert not result.ok
    assert any("the tail is cut off: commit" in problem for problem in result.chain)


def test_a_missing_anchor_is_detected(folder: Path, look: Callable[[], Audit]) -> None:
    (folder / ".whet" / ANCHOR).unlink()
    result = look()
    assert not result.ok
    assert any("ledger.head is missing" in problem for problem in result.chain)


def test_a_replaced_ledger_is_detected(folder: Path, look: Callable[[], Audit]) -> None:
    shutil.rmtree(folder / ".whet")
    result = look()
    assert not result.ok
    assert any("the tail is cut off: commit" in problem for problem in result.chain)
    assert any("the ledger knows of no such deployment" in problem for problem in result.commits)


def test_a_removed_approval_violates_a_blocking_invariant(folder: Path, look: Callable[[], Audit]) -> None:
    tamper(folder, "DELETE FROM ledger WHERE kind = 'Approval'")
    result = look()
    assert not result.ok
    assert 2 in [invariant.number for invariant in result.invariants if not invariant.holds]


# ---- the commits --------------------------------------------------------------------------------------------------


def test_a_forged_deployment_is_detected(folder: Path, look: Callable[[], Audit]) -> None:
    commit = forge(folder, f"Repair\n\nWhet-Proposal: p-00000000\nWhet-Evidence: {'0' * 64}")
    result = look()
    assert not result.ok
    assert result.commits == (
        f"commit {commit} (Repair) says that whet deployed it, and the ledger knows of no such deployment: "
        "it is forged, or of another ledger",
    )


@pytest.mark.parametrize("trailer", ["Whet-Proposal: p-00000000", f"Whet-Evidence: {'0' * 64}"])
def test_a_forged_deployment_with_partial_trailers_is_detected(
    folder: Path, look: Callable[[], Audit], trailer: str
) -> None:
    forge(folder, f"Repair\n\n{trailer}")
    assert any("knows of no such deployment" in problem for problem in look().commits)


def test_a_forged_deployment_far_back_in_history_is_detected(folder: Path, look: Callable[[], Audit]) -> None:
    commit = forge(folder, f"Repair\n\nWhet-Proposal: p-00000000\nWhet-Evidence: {'0' * 64}")
    stream = "".join(
        f"commit refs/heads/main\ncommitter Ann <ann@example.org> {1_800_000_000 + number} +0000\ndata 1\nx\n"
        + ("from refs/heads/main^0\n" if number == 0 else "")
        for number in range(1200)
    )
    subprocess.run(["git", "fast-import", "--quiet"], cwd=folder, input=stream.encode(), check=True)
    assert any(commit in problem for problem in look().commits)


def test_copied_trailers_on_another_commit_are_detected(folder: Path, look: Callable[[], Audit]) -> None:
    commit = forge(folder, git(folder, "log", "-1", "--format=%B"))
    (problem,) = look().commits
    assert commit in problem
    assert "the trailers were copied" in problem


def test_a_foreign_commit_on_a_branch_of_whet_is_detected(folder: Path, look: Callable[[], Audit]) -> None:
    git(folder, "checkout", "-q", "-b", "whet/p-00000000")
    commit = forge(folder, f"Repair\n\nWhet-Proposal: p-00000000\nWhet-Evidence: {'0' * 64}")
    git(folder, "checkout", "-q", "main")
    assert any(commit in problem for problem in look().commits)


def test_a_forged_rollback_is_detected(folder: Path, look: Callable[[], Audit]) -> None:
    forge(folder, f"Revert\n\nWhet-Rollback: {deployed(folder).id}\nWhet-Proposal: {deployed(folder).proposal}")
    (problem,) = look().commits
    assert "says it is the rollback" in problem
    assert "not on record" in problem


def test_an_amended_deployment_is_reported_as_rewritten_history(folder: Path, look: Callable[[], Audit]) -> None:
    (folder / "calc.py").write_text("def add(a, b):\n    return 4\n")
    git(folder, "commit", "-q", "-a", "--amend", "--no-edit")
    result = look()
    assert not result.ok
    assert any("the history was rebased or amended" in problem for problem in result.commits)
    assert any("is no longer on main" in problem for problem in result.commits)


def test_a_deployment_removed_by_a_reset_is_reported(folder: Path, look: Callable[[], Audit]) -> None:
    git(folder, "reset", "-q", "--hard", "HEAD~1")
    (problem,) = look().commits
    assert problem.startswith(f"{deployed(folder).id} (commit ")
    assert "is no longer on main: its history was rebased, amended or reset" in problem


def test_git_replace_hides_nothing_from_the_audit(folder: Path, look: Callable[[], Audit]) -> None:
    genuine = git(folder, "rev-parse", "HEAD")
    forge(folder, "Repair\n\nWhet-Proposal: p-00000000")
    forged = git(folder, "rev-parse", "HEAD")
    git(folder, "replace", forged, genuine)
    assert any(forged[:10] in problem for problem in look().commits)


def test_a_rollback_removed_by_a_reset_is_reported(folder: Path, look: Callable[[], Audit]) -> None:
    record_rollback(folder)
    git(folder, "reset", "-q", "--hard", "HEAD~1")
    (problem,) = look().commits
    assert "the change that was rolled back is live" in problem


def test_a_deployment_and_its_rollback_may_both_be_removed(folder: Path, look: Callable[[], Audit]) -> None:
    record_rollback(folder)
    git(folder, "reset", "-q", "--hard", "HEAD~2")
    assert look().commits == ()


def test_a_deployment_interrupted_before_its_record_is_reported_as_such(
    folder: Path, look: Callable[[], Audit]
) -> None:
    merge = f"SELECT seq FROM ledger WHERE kind = 'Deployment' AND body LIKE '%{deployed(folder).id}%'"
    tamper(folder, f"DELETE FROM ledger WHERE seq >= ({merge})")
    (problem,) = look().commits
    assert "interrupted before it was recorded: `whet resume` finishes it" in problem


def test_a_branch_merged_by_a_person_is_not_a_violation(folder: Path, look: Callable[[], Audit]) -> None:
    tamper(folder, f"DELETE FROM ledger WHERE kind = 'Deployment' AND body LIKE '%{deployed(folder).id}%'")
    assert look().commits == ()


# ---- the snapshots ------------------------------------------------------------------------------------------------


def snapshot(folder: Path) -> Snapshot:
    project = open_project(folder)
    entry = project.ledger.latest("Snapshot")
    project.store.close()
    assert entry is not None
    return entry.read(Snapshot)


def test_a_removed_snapshot_is_detected(folder: Path, look: Callable[[], Audit]) -> None:
    git(folder, "update-ref", "-d", snapshot(folder).ref)
    result = look()
    assert not result.ok
    assert "is not where it was left" in result.snapshots[0]


def test_a_moved_snapshot_is_detected(folder: Path, look: Callable[[], Audit]) -> None:
    git(folder, "update-ref", snapshot(folder).ref, "HEAD")
    assert "is not where it was left" in look().snapshots[0]


@pytest.mark.parametrize("damage", ["removed", "garbled"])
def test_a_snapshot_with_missing_content_is_detected(folder: Path, look: Callable[[], Audit], damage: str) -> None:
    (saved,) = snapshot(folder).saved
    loose = folder / ".git" / "objects" / saved.blob[:2] / saved.blob[2:]
    loose.chmod(0o644)
    if damage == "removed":
        loose.unlink()
    else:
        loose.write_bytes(b"garbage")
    result = look()
    assert not result.ok
    assert "cannot be restored" in result.snapshots[0]


def test_an_unreadable_snapshot_is_detected(folder: Path, look: Callable[[], Audit]) -> None:
    tamper(folder, "UPDATE ledger SET body = '{}' WHERE kind = 'Snapshot'")
    result = look()
    assert "cannot be read" in result.snapshots[0]
    assert 3 in [invariant.number for invariant in result.invariants if not invariant.holds]


# ---- the ref of the ledger ------------------------------------------------------------------------------------------


def test_a_deploy_commit_names_the_ref_of_the_ledger(folder: Path) -> None:
    anchor = git(folder, "log", "-1", "--format=%(trailers:key=Whet-Anchor,valueonly)", deployed(folder).after)
    assert git(folder, "merge-base", "--is-ancestor", anchor, REF) == ""


@pytest.mark.parametrize("change", [("update-ref", "-d", REF), ("update-ref", REF, f"{REF}~3")], ids=["gone", "back"])
def test_a_ref_that_lost_the_anchor_of_a_deployment_is_detected_without_a_witness(
    folder: Path, look: Callable[[], Audit], change: tuple[str, ...]
) -> None:
    git(folder, *change)
    assert any("the ref was moved back, replaced or deleted" in problem for problem in look().chain)


# ---- rolling back with a damaged record -------------------------------------------------------------------------------


@pytest.fixture
def damaged(folder: Path) -> Iterator[Project]:
    tamper(folder, "UPDATE ledger SET actor = 'mallory' WHERE seq = 3")
    project = open_project(folder)
    yield project
    project.store.close()


def test_a_rollback_refuses_a_damaged_record_and_names_the_way_out(damaged: Project, folder: Path) -> None:
    before = git(folder, "rev-parse", "HEAD")
    with pytest.raises(DamagedLedger, match="row 3") as problem:
        rollback(damaged, deployed(folder).id, "it hurts")
    assert "--despite-damage" in problem.value.remedy
    assert git(folder, "rev-parse", "HEAD") == before


def test_a_person_can_roll_back_despite_damage_and_it_is_recorded(damaged: Project, folder: Path) -> None:
    head = damaged.ledger.anchor()
    done = rollback(damaged, deployed(folder).id, "it hurts", "production is down")
    assert git(folder, "rev-parse", "HEAD") == done.after
    assert (folder / "calc.py").read_text() == CALC
    assert "production is down" in git(folder, "log", "-1", "--format=%B")
    consent = damaged.ledger.latest("DespiteDamage")
    assert consent is not None
    assert "row 3" in consent.data["damage"]
    assert damaged.ledger.anchor() == head  # the damage stays visible
    with pytest.raises(DamagedLedger):
        damaged.ledger.refuse_if_damaged()


def test_a_rollback_despite_damage_refuses_a_commit_that_does_not_confirm_the_record(folder: Path) -> None:
    commit = deployed(folder).after
    tamper(folder, f"UPDATE ledger SET body = replace(body, '{commit}', '{git(folder, 'rev-parse', 'HEAD~1')}')")
    project = open_project(folder)
    with pytest.raises(Refused, match="does not confirm it"):
        rollback(project, deployed(folder).id, "it hurts", "production is down")
    project.store.close()
    assert git(folder, "rev-parse", "HEAD") == commit
