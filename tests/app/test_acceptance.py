"""Accepting a record that does not match its witness: where keys are enrolled, only signatures of tier `require` do it."""

import shutil
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.phases.approve.people import Person, touching, untouched, with_pin
from tests.support import MakeRepo, Repo
from whet.app.approvals.acceptance import accept, pending, signed
from whet.app.approvals.decisions import roll_of
from whet.app.audits.audit import audit
from whet.app.project import Project, open_project
from whet.domain.acceptance import Acceptance
from whet.domain.approval import Vote
from whet.domain.clock import now
from whet.domain.proof import OsProof
from whet.errors import BadSignature, NotCounted, Refused

ALICE, MALLORY = touching("alice@example.com"), touching("mallory@example.com")
BOB = Person("bob@example.com")
POLICY = '[target]\nbranch = "main"\n'


class Damaged:
    """A repository with enrolled approvers whose record was exchanged for an older copy."""

    def __init__(self, repo: Repo) -> None:
        self.repo, self._projects = repo, list[Project]()
        project = self.project()
        roll_of(project).in_force()
        project.ledger.append("observe", "n", subject="c", key="n1", kind="Note")
        project.ledger.publish()
        self.close()
        self.older = shutil.copytree(repo.root / ".whet", repo.root.parent / "older")
        self.project().ledger.append("approve", "n", subject="c", key="n2", kind="Note")
        self.close()
        self.exchange()

    def exchange(self) -> None:
        self.close()
        shutil.rmtree(self.repo.root / ".whet")
        shutil.copytree(self.older, self.repo.root / ".whet")

    def project(self) -> Project:
        self._projects.append(open_project(self.repo.root, local=True))
        return self._projects[-1]

    def close(self) -> None:
        for project in self._projects:
            project.store.close()
        self._projects.clear()

    def vote(self, person: Person, why: str = "restored", **changed: str) -> Vote:
        text = pending(self.project(), why).statement(person.name, why)
        for old, new in changed.items():
            text = text.replace(old, new)
        return signed(text, person.sign(text))


@pytest.fixture
def damaged(make_repo: MakeRepo) -> Iterator[Callable[..., Damaged]]:
    made: list[Damaged] = []

    def make(*people: Person, policy: str = "") -> Damaged:
        files: dict[str, str | bytes] = {"code.py": "x = 1\n", "whet.toml": POLICY + policy}
        if people:
            files["whet.signers"] = "".join(person.line for person in people)
        made.append(Damaged(make_repo(files)))
        return made[-1]

    yield make
    for each in made:
        each.close()


def refused(damage: Damaged, *votes: Vote, match: str = "missing: 1 person") -> None:
    with pytest.raises((NotCounted, BadSignature), match=match):
        accept(damage.project(), "restored", votes)
    assert not damage.project().ledger.entries(kind="Acceptance")
    assert not audit(damage.project()).ok


def test_without_enrolled_keys_it_is_recorded_as_that_of_an_unproven_approver(damaged: Callable[..., Damaged]) -> None:
    damage = damaged()
    accept(damage.project(), "restored the backup")
    [line] = [note for note in audit(damage.project()).notes if "restored the backup" in note]
    assert "(unproven approver) accepted the record" in line


def test_a_signature_with_a_touch_accepts_the_record_and_the_audit_verifies_it(
    damaged: Callable[..., Damaged],
) -> None:
    damage = damaged(ALICE, BOB)
    accept(damage.project(), "restored", [damage.vote(ALICE)])
    damage.project().ledger.refuse_if_damaged()
    result = audit(damage.project())
    assert result.ok
    assert any("alice@example.com (ssh-sk, touched) accepted the record" in note for note in result.notes)


def test_the_word_of_a_process_does_not_accept_it(damaged: Callable[..., Damaged]) -> None:
    damage = damaged(ALICE, BOB)
    refused(damage)
    text = pending(damage.project(), "restored").statement("root", "restored")
    refused(damage, Vote(statement=text, proof=OsProof(uid=0, user="root"), via="cli", at=now()))


def test_weaker_and_foreign_signatures_do_not_accept_it(damaged: Callable[..., Damaged]) -> None:
    damage = damaged(ALICE, BOB)
    refused(damage, damage.vote(BOB))
    refused(damage, damage.vote(MALLORY))
    with pytest.raises(BadSignature, match="touch"):
        damage.vote(untouched(ALICE.name))
    refused(damage, damage.vote(ALICE, **{"problems: ": "problems: all is well, "}), match="not about the record")


def test_a_key_that_is_loaded_in_an_ssh_agent_does_not_accept_it(
    damaged: Callable[..., Damaged], monkeypatch: pytest.MonkeyPatch
) -> None:
    damage = damaged(BOB)
    vote = damage.vote(BOB)
    monkeypatch.setattr("whet.app.approvals.acceptance.exposed_keys", lambda _: (BOB.key.fingerprint,))
    refused(damage, vote)
    monkeypatch.undo()
    accept(damage.project(), "restored", [vote])  # nobody has a security key, so the best that there is suffices


def test_a_pin_is_needed_where_tier_require_needs_one(damaged: Callable[..., Damaged]) -> None:
    knows_pin = with_pin("carol@example.com")
    damage = damaged(ALICE, knows_pin, policy='[approve]\nproof = { require = "verified" }\n')
    refused(damage, damage.vote(ALICE))
    accept(damage.project(), "restored", [damage.vote(knows_pin)])


def test_the_quorum_of_tier_require_is_needed(damaged: Callable[..., Damaged]) -> None:
    carol = touching("carol@example.com")
    damage = damaged(ALICE, carol, policy='[approve]\nneed = { require = "2 person" }\n')
    refused(damage, damage.vote(ALICE), damage.vote(ALICE, "twice"))
    accept(damage.project(), "restored", [damage.vote(ALICE), damage.vote(carol, "I restored it")])
    assert audit(damage.project()).ok


def test_a_signature_for_one_state_does_not_accept_a_later_one(damaged: Callable[..., Damaged]) -> None:
    damage = damaged(ALICE)
    vote = damage.vote(ALICE)
    accept(damage.project(), "restored", [vote])
    damage.exchange()
    refused_again = pytest.raises(NotCounted, match="not about the record as it is now")
    with refused_again:
        accept(damage.project(), "restored", [vote])


@pytest.mark.parametrize("signers", [MALLORY.line, ""])
def test_other_signers_on_the_branch_do_not_replace_those_on_record(
    damaged: Callable[..., Damaged], signers: str
) -> None:
    damage = damaged(ALICE)
    damage.repo.commit({"whet.signers": signers})
    refused(damage, *([damage.vote(MALLORY)] if signers else []))


def test_signers_on_the_branch_count_for_a_record_from_before_their_enrolment(
    damaged: Callable[..., Damaged],
) -> None:
    damage = damaged()
    damage.repo.commit({"whet.signers": ALICE.line})
    refused(damage)
    accept(damage.project(), "restored", [damage.vote(ALICE)])


def write_acceptance(project: Project, **fields: Any) -> None:
    """Record an acceptance as an agent with the same account can, without asking anybody."""
    head = project.ledger.head()
    row = Acceptance(**{"problems": ("none",), "why": "lgtm", "at": now(), "record": str(head), **fields})
    with project.ledger.despite_damage():
        project.ledger.append("approve", row, subject="ledger", key="acceptance/x", actor=ALICE.name)
    project.ledger.anchor_again()
    project.ledger.publish(note="lgtm")


def test_the_audit_reports_an_acceptance_that_nobody_signed(damaged: Callable[..., Damaged]) -> None:
    damage = damaged(ALICE)
    write_acceptance(damage.project())
    assert any("without the signatures of its approvers" in line for line in audit(damage.project()).approvals)


def test_the_audit_reports_a_signature_that_was_copied_from_another_acceptance(
    damaged: Callable[..., Damaged],
) -> None:
    damage = damaged(ALICE)
    accepted = accept(damage.project(), "restored", [damage.vote(ALICE)])
    later = accepted.at + timedelta(seconds=1)
    write_acceptance(damage.project(), **{**vars(accepted), "at": later})
    assert any("without the signatures of its approvers" in line for line in audit(damage.project()).approvals)


def test_a_reason_with_a_secret_is_signed_as_it_is_recorded(damaged: Callable[..., Damaged], tmp_path: Path) -> None:
    damage = damaged(ALICE)
    secret = "the leaked password=hunter2hunter2 is gone"
    waiting = pending(damage.project(), secret)
    assert "hunter2" not in waiting.statement(ALICE.name, waiting.acceptance.why)
    with pytest.raises(Refused, match="looks like a secret"):
        accept(damage.project(), "restored", [damage.vote(ALICE, secret)])
