"""`whet approvers`, `whet init --enrol` and the doctor's row about approval keys."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.phases.approve.people import Person
from tests.signing.openssh import make_key
from tests.support import MakeRepo, Repo
from whet.app.approvals.decisions import roll_of
from whet.app.project import open_project
from whet.cli.main import app
from whet.config import load
from whet.domain.approval import Tier
from whet.errors import WhetError
from whet.phases.approve.votes import has_signers
from whet.signing.signers import parse

ALICE, BOB = Person("alice@example.com"), Person("bob@example.com")
Run = Callable[..., Result]


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return make_repo({"whet.toml": '[target]\nbranch = "main"\n', "a.py": "x = 1\n"})


@pytest.fixture
def run(repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command in this process, in the repository, without a terminal and with an empty home folder."""
    monkeypatch.chdir(repo.root)
    monkeypatch.setenv("HOME", str(tmp_path))
    return lambda *arguments: CliRunner().invoke(app, arguments, standalone_mode=False)


def public_key(tmp_path: Path, person: Person) -> str:
    path = tmp_path / f"{person.name}.pub"
    path.write_text(f"{person.key.text} of a test\n")
    return str(path)


def error(result: Result) -> WhetError:
    assert isinstance(result.exception, WhetError), result.output
    return result.exception


def test_an_empty_list_says_what_that_means(run: Run) -> None:
    result = run("approvers")
    assert "unproven approver" in result.output
    assert "whet approvers enrol" in result.output


def test_the_first_key_is_enrolled_by_a_commit(run: Run, repo: Repo, tmp_path: Path) -> None:
    result = run("approvers", "enrol", ALICE.name, public_key(tmp_path, ALICE))
    assert "next: commit it" in result.output
    assert ALICE.name not in run("approvers").output
    repo.commit({})
    listed = run("approvers").output
    assert ALICE.name in listed
    assert ALICE.key.fingerprint in listed


def test_a_later_key_needs_a_signature(run: Run, repo: Repo, tmp_path: Path) -> None:
    repo.commit({"whet.signers": ALICE.line})
    run("approvers")
    assert "whet approvers sign" in run("approvers", "enrol", BOB.name, public_key(tmp_path, BOB)).output
    repo.commit({})
    result = run("approvers")
    assert result.return_value == 3
    assert f"add {BOB.name}" in result.output
    statement = tmp_path / "statement"
    run("approvers", "sign", "--as", ALICE.name, "--why", "he joined", "--statement", str(statement))
    assert f"change: add {BOB.name}" in statement.read_text()
    signature = tmp_path / "statement.sig"
    signature.write_text(BOB.sign(statement.read_text()))
    assert "may not sign" in error(run("approvers", "sign", "--signature", str(signature))).message
    signature.write_text(ALICE.sign(statement.read_text()))
    assert "the change counts" in run("approvers", "sign", "--signature", str(signature)).output
    assert run("approvers").return_value == 0


def test_the_last_approver_cannot_be_revoked(run: Run, repo: Repo) -> None:
    repo.commit({"whet.signers": ALICE.line + BOB.line})
    assert run("approvers", "revoke", BOB.name).exception is None
    assert (repo.root / "whet.signers").read_text() == ALICE.line
    assert "nobody would be left" in error(run("approvers", "revoke", ALICE.name)).message
    assert "not in the list" in error(run("approvers", "revoke", "carol@example.com")).message


def test_a_key_without_a_passphrase_is_not_enrolled(run: Run, tmp_path: Path) -> None:
    key = make_key(tmp_path, "ed25519")
    assert "has no passphrase" in error(run("approvers", "enrol", ALICE.name, f"{key}.pub")).message
    closed = make_key(tmp_path, "ed25519", passphrase="secret")
    assert run("approvers", "enrol", ALICE.name, f"{closed}.pub").exception is None


def test_an_enrolled_key_signs_approvals_and_attestations(run: Run, repo: Repo, tmp_path: Path) -> None:
    run("approvers", "enrol", ALICE.name, public_key(tmp_path, ALICE))
    [(_, signer)] = parse((repo.root / "whet.signers").read_text()).entries
    assert signer.allows("whet-approval@v1")
    assert signer.allows("whet-attestation@v1")
    assert not signer.allows("git")


def test_a_key_for_attestations_alone_is_not_an_approver(run: Run, repo: Repo, tmp_path: Path) -> None:
    key = make_key(tmp_path, "ed25519")
    run("approvers", "enrol", "ci@example.com", f"{key}.pub", "--attestations-only")
    repo.commit({})
    listed = run("approvers")
    assert "ci@example.com" in listed.output
    assert "attestations only" in listed.output
    project = open_project(repo.root)
    assert not has_signers(roll_of(project).in_force())
    assert not project.ledger.entries(kind="Enrolment"), "nobody is trusted on first use by it"
    project.store.close()
    run("approvers", "enrol", ALICE.name, public_key(tmp_path, ALICE))
    assert "nobody would be left" in error(run("approvers", "revoke", ALICE.name)).message


def test_init_enrols_a_key_in_one_step(run: Run, repo: Repo, tmp_path: Path) -> None:
    (repo.root / "whet.toml").unlink()
    result = run("init", "--enrol", public_key(tmp_path, ALICE))
    assert "whet.signers" in result.output
    assert (repo.root / "whet.signers").read_text().startswith("tester@localhost namespaces=")
    assert load(repo.root).approve.apply is Tier.APPROVE


def test_doctor_says_when_an_approval_key_is_exposed(run: Run, repo: Repo, tmp_path: Path) -> None:
    (tmp_path / ".ssh").mkdir()
    key = make_key(tmp_path / ".ssh", "ed25519")
    public = key.with_name(f"{key.name}.pub").read_text()
    repo.commit({"whet.signers": f"{ALICE.name} {public}"})
    result = run("doctor", "--quick")
    assert "missing  approvers: loaded in an ssh-agent or without a passphrase" in result.output
    assert ALICE.name in result.output
    key.unlink()
    assert f"ok       approvers: 1 key enrolled: {ALICE.name}" in run("doctor", "--quick").output


def test_a_record_is_accepted_with_signatures_from_another_machine(run: Run, repo: Repo, tmp_path: Path) -> None:
    repo.commit({"whet.signers": ALICE.line + BOB.line})
    run("approvers")  # records the approvers
    project = open_project(repo.root)
    project.witness.path.unlink(missing_ok=True)
    project.store.close()
    (repo.root / ".whet" / "ledger.head").unlink()
    assert "missing: 1 person" in error(run("audit", "--accept", "moved")).message
    assert "--as NAME" in error(run("audit", "--accept", "moved", "--statement", "-")).remedy
    statement, signature = tmp_path / "statement", tmp_path / "statement.sig"
    run("audit", "--accept", "moved", "--as", BOB.name, "--statement", str(statement))
    assert statement.read_text().startswith("whet acceptance v1\n")
    signature.write_text(ALICE.sign(statement.read_text()))
    assert "missing" in error(run("audit", "--accept", "moved", "--signature", str(signature))).message
    signature.write_text(BOB.sign(statement.read_text()))
    result = run("audit", "--accept", "moved", "--signature", str(signature))
    assert f"accepted by {BOB.name} (ssh)" in result.output
    assert f"{BOB.name} (ssh) accepted the record" in run("audit").output
