"""Invitations: only an approver's signature makes one, its link makes one passkey, and the passkey waits for signatures."""

from dataclasses import replace
from datetime import timedelta

import pytest
from starlette.testclient import TestClient

from tests.phases.approve.people import Person
from tests.signing.software_passkey import PRESENT, SoftwarePasskey
from tests.support import MakeRepo, Repo
from tests.web.conftest import app_of
from whet.app.approvals import approvers, decisions, invitations
from whet.app.approvals.approvers_view import view
from whet.app.approvals.invitations import InvitationTerms
from whet.app.project import Project, open_project
from whet.app.tokens import TokenScope, create_token
from whet.domain.clock import now
from whet.domain.invitation import Invitation
from whet.domain.invited_passkey import InvitedPasskey
from whet.errors import NotCounted, NotOnRecord, Refused, UsageError, WhetError
from whet.phases.approve.invitations import inviter
from whet.signing import passkeys

ANN, BOB, MALLORY = Person("ann@example.com"), Person("bob@example.com"), Person("mallory@example.com")
TERMS = InvitationTerms(invited="alice@example.com", address="http://localhost:8787", hours=1, why="she joined")


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return make_repo(
        {"whet.toml": '[target]\nbranch = "main"\n', "whet.signers": ANN.line + BOB.line, "a.py": "x = 1\n"}
    )


@pytest.fixture
def project(repo: Repo) -> Project:
    project = open_project(repo.root)
    decisions.roll_of(project).in_force()
    return project


@pytest.fixture
def stranger(project: Project) -> TestClient:
    """A browser that is not signed in."""
    headers = {"Accept": "text/html"}
    app = app_of(project.git.root)
    return TestClient(app, base_url="http://localhost:8787", headers=headers, follow_redirects=False)


def invite(project: Project, by: Person = ANN, terms: InvitationTerms = TERMS) -> tuple[str, str]:
    """Return (the path of the link, the statement) of a signed invitation."""
    new = invitations.write_invitation(project, terms, by.name)
    invitations.record_invitation(project, new.statement, by.sign(new.statement))
    return new.link.removeprefix("http://localhost:8787"), new.statement


def test_a_link_makes_one_passkey_that_counts_when_the_approvers_have_signed(
    project: Project, repo: Repo, stranger: TestClient
) -> None:
    path, statement = invite(project)
    assert "ann@example.com invites" in stranger.get(path).text
    assert [state.fingerprint for state in view(project).invitations] == [""]
    key = SoftwarePasskey()
    page = stranger.post(path, data=key.registration(statement))
    [passkey] = passkeys.parse(key.line)
    assert passkey.fingerprint in page.text
    assert [state.fingerprint for state in view(project).invitations] == [passkey.fingerprint]
    assert decisions.roll_of(project).in_force().passkeys == "", "nobody has signed it"
    assert stranger.get(path).status_code == 404
    assert stranger.post(path, data=SoftwarePasskey().registration(statement)).status_code == 404

    made, _ = invitations.enrol_invited(project, "alice@example.com")
    assert made == passkey
    text = approvers.require_change(project).statement(ANN.name, "she joined")
    assert passkey.fingerprint in text
    approvers.record_vote(project, text, ANN.sign(text))
    repo.commit({})
    assert decisions.roll_of(project).in_force().passkeys == f"{key.line}\n"
    assert view(project).invitations == ()
    assert path.rpartition("/")[2] not in "".join(entry.body for entry in project.ledger.entries())

    (repo.root / "whet.passkeys").write_text("")  # revoked, and not to come back by the same invitation
    with pytest.raises(Refused, match="was enrolled before"):
        invitations.enrol_invited(project, "alice@example.com")


def test_a_session_or_a_token_cannot_invite_or_enrol_itself(project: Project, stranger: TestClient) -> None:
    _, token = create_token(project.state, "all", frozenset(TokenScope))
    signed_in = {"Authorization": f"Bearer {token}"}
    new = invitations.write_invitation(project, TERMS, ANN.name)
    path = new.link.removeprefix("http://localhost:8787")
    for headers in ({}, signed_in):
        answer = stranger.post(path, data=SoftwarePasskey().registration(new.statement), headers=headers)
        assert answer.status_code == 404, "nobody has signed this invitation"
        assert stranger.get("/invitation/guessed", headers=headers).status_code == 404
        assert stranger.post("/passkeys", data={"who": "x"}, headers=headers).status_code == 404
    assert project.ledger.entries(kind="InvitedPasskey") == []
    with pytest.raises(WhetError, match="may not sign"):
        invitations.record_invitation(project, new.statement, MALLORY.sign(new.statement))


def test_an_invitation_permits_nothing_but_what_was_signed(project: Project, stranger: TestClient) -> None:
    path, statement = invite(project)
    key = SoftwarePasskey()
    bad = {
        "another challenge": key.registration(statement.replace("alice", "carol")),
        "the person was not verified": key.registration(statement, flags=PRESENT),
        "another address": key.registration(statement, origin="http://localhost:9999"),
        "an approval, not a new key": key.registration(statement, typed="webauthn.get"),
        "cut off": {**key.registration(statement), "attestation": "AAAA"},
    }
    for why, fields in bad.items():
        assert stranger.post(path, data=fields).status_code == 409, why
    [entry] = project.ledger.entries(kind="Invitation")
    invitation, roll = entry.read(Invitation), decisions.roll_of(project)
    assert inviter(invitation, roll.in_force(), roll.repository, now()).who == ANN.name
    forged = {
        "another person": replace(invitation, invited="mallory@example.com"),
        "another address": replace(invitation, origin="https://evil.example"),
        "another link": replace(invitation, link="0" * 64),
        "more time": replace(invitation, expires_at=invitation.expires_at + timedelta(days=1)),
    }
    for why, changed in forged.items():
        with pytest.raises(NotCounted, match="not the one that was signed"):
            inviter(changed, roll.in_force(), roll.repository, now())
        assert why
    with pytest.raises(NotCounted, match="not the one that was signed"):
        inviter(invitation, roll.in_force(), "another repository", now())
    with pytest.raises(NotCounted, match="is over"):
        inviter(invitation, roll.in_force(), roll.repository, invitation.expires_at)
    with pytest.raises(NotCounted, match="ssh-agent"):
        inviter(invitation, roll.in_force(), roll.repository, now(), {ANN.key.fingerprint})
    assert stranger.get(path).status_code == 200, "the link is still good"


def test_a_passkey_without_its_invitation_on_record_is_not_enrolled(project: Project) -> None:
    key = SoftwarePasskey()
    planted = InvitedPasskey(link="0" * 64, who="alice@example.com", line=key.line, at=now())
    project.ledger.append("approve", planted, subject="approvers", key="approvers/invitation/planted/passkey")
    with pytest.raises(NotCounted, match="nobody has invited"):
        invitations.enrol_invited(project, "alice@example.com")
    with pytest.raises(NotOnRecord, match="has made no passkey"):
        invitations.enrol_invited(project, "carol@example.com")


def test_an_invitation_ends_when_its_inviter_is_revoked(project: Project, repo: Repo, stranger: TestClient) -> None:
    path, _ = invite(project, BOB)
    assert stranger.get(path).status_code == 200
    approvers.revoke(project, BOB.name)
    text = approvers.require_change(project).statement(ANN.name, "he left")
    approvers.record_vote(project, text, ANN.sign(text))
    repo.commit({})
    decisions.roll_of(project).in_force()
    assert stranger.get(path).status_code == 404
    assert view(project).invitations == ()


@pytest.mark.parametrize(
    "terms",
    [
        replace(TERMS, invited="a b"), replace(TERMS, address="http://whet.example.com"), replace(TERMS, hours=0),
        replace(TERMS, hours=24 * 365), replace(TERMS, address="localhost"),
    ],
)  # fmt: skip
def test_an_invitation_that_cannot_work_is_not_written(project: Project, terms: InvitationTerms) -> None:
    with pytest.raises((Refused, UsageError)):
        invitations.write_invitation(project, terms, ANN.name)
