"""Approving with a passkey in a real Chromium: the yes, and every way to cheat it that a browser allows."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.phases.approve import people
from tests.support import Repo
from tests.web.pages import made
from tests.web.pages.chromium import Person, VirtualAuthenticator, chromium, serving
from whet.app.approvals import approvers, decisions
from whet.app.approvals.invitations import InvitationTerms, enrol_invited, record_invitation, write_invitation
from whet.app.audits.audit import audit
from whet.app.cycles.loop import running
from whet.app.project import Project
from whet.domain.approval import Tier
from whet.signing import passkeys

pytestmark = pytest.mark.long

ANN = people.Person("ann@example.com")
WHO = "alice@example.com"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A repository in which Ann is enrolled by SSH key, with questions at the highest tier."""
    project = made.open_made(tmp_path_factory.mktemp("passkeys"))
    (project.git.root / "whet.signers").write_text(ANN.line)
    toml = project.git.root / "whet.toml"
    toml.write_text(f'{toml.read_text()}\n[approve]\nproof = {{ require = "signature" }}\n')
    _commit(project, "Enrol Ann")
    project = project.reloaded()
    decisions.roll_of(project).in_force()
    with running(project):
        pass  # makes the database of the durable engine, which a real cycle has made by now
    for number in range(1, 6):
        proposal = made.proposal(project, f"p-{number}", f"change {number}")
        proof = made.evidence(proposal, made.check(f"t{number}"))
        made.record(project, proposal, made.diff_of("calculator.py", ["x"]), proof, Tier.REQUIRE)
    return project


def _commit(project: Project, subject: str) -> None:
    repo = Repo(project.git.root)
    repo.sh("git", "add", "--all")
    repo.sh("git", "commit", "--quiet", "--message", subject)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running_browser:
        yield running_browser


def _votes(project: Project) -> int:
    return len(project.ledger.entries(kind="Vote"))


def _enrol(project: Project, person: Person) -> None:
    """Invite Alice, make her passkey in the browser, and let Ann sign its enrolment."""
    terms = InvitationTerms(invited=WHO, address=person.root, hours=1)
    invitation = write_invitation(project, terms, ANN.name)
    record_invitation(project, invitation.statement, ANN.sign(invitation.statement))
    page = person.open(invitation.link.removeprefix(person.root))
    page.get_by_role("button", name="Make a passkey").click()
    shown = page.locator("#fingerprint").inner_text().strip()
    assert enrol_invited(project, WHO)[0].fingerprint == shown
    page.goto(invitation.link)
    assert page.get_by_text("was used already").is_visible()
    text = approvers.require_change(project).statement(ANN.name, "alice joined")
    assert f"change: add passkey of {WHO} at {person.root} {shown}" in text
    assert approvers.record_vote(project, text, ANN.sign(text))[1] == ()
    _commit(project, "Enrol a passkey")


def _ask(person: Person, proposal: str, why: str = "read it") -> Page:
    page = person.open(f"/p/{proposal}/approve?who={WHO}&why={why}")
    page.locator("#passkey").wait_for()
    return page


def _refused(page: Page, project: Project, words: str) -> None:
    before = _votes(project)
    page.get_by_role("button", name="Approve with your passkey").click()
    page.get_by_text(words).wait_for()
    assert _votes(project) == before


def test_a_passkey_approves_what_was_shown_and_nothing_else(project: Project, browser: Browser, tmp_path: Path) -> None:
    with serving(project) as link, serving(project) as other:
        person = Person(browser, link)
        device = VirtualAuthenticator(person.page)
        _enrol(project, person)

        # the yes, and the same answer for another question
        page = _ask(person, "p-1")
        with page.expect_request(lambda request: request.method == "POST") as sent:
            page.get_by_role("button", name="Approve with your passkey").click()
        page.wait_for_url("**/p/p-1")
        [vote] = project.ledger.entries(kind="Vote", subject="p-1")
        assert vote.data["proof"]["kind"] == "passkey"
        approval = project.ledger.latest("Approval", subject="p-1")
        assert approval and approval.data["voters"][0]["assurance"] == "verified"
        replayed = page.request.post(
            f"{person.root}/p/p-2/approve", data=sent.value.post_data, max_redirects=0,
            headers={"Content-Type": "application/x-www-form-urlencoded", "Origin": person.root},
        )  # fmt: skip
        assert (replayed.status, replayed.json()["code"]) == (409, "not_counted")

        # the answer is swapped after the passkey signed
        page = _ask(person, "p-2")
        page.evaluate("document.querySelector('#passkey [name=statement]').value += 'x'")
        _refused(page, project, "statement is not the one of the open question")
        page = _ask(person, "p-2", "reason")
        page.evaluate(
            "f = document.querySelector('#passkey [name=statement]'); f.value = f.value.replace('reason', 'other')"
        )
        _refused(page, project, "does not hold")

        # the device does not verify the person
        device.verify_people(False)
        _refused(_ask(person, "p-2"), project, "The passkey did not answer")
        device.verify_people(True)

        # a server at another address: it offers nothing, and what is signed for it does not count
        other_root = other.partition("/enter")[0]
        person.page.goto(other)
        page = person.page
        page.goto(f"{other_root}/p/p-2/approve?who={WHO}&why=x")
        assert page.get_by_text("has no passkey for this address").is_visible()
        [passkey] = passkeys.parse((project.git.root / "whet.passkeys").read_text())
        statement = decisions.statement(project, "p-2", WHO, "x")
        fields = page.evaluate(_SIGN, [passkeys.encode(passkeys.challenge(statement)), passkey.credential])
        elsewhere = page.request.post(
            f"{person.root}/p/p-2/approve", form={**fields, "statement": statement, "credential": passkey.credential},
            max_redirects=0, headers={"Origin": person.root},
        )  # fmt: skip
        assert elsewhere.status == 409
        assert "origin" in elsewhere.json()["detail"]

        # a copy of the key whose counter stands lower
        device.set_counter(0)
        _refused(_ask(person, "p-3"), project, "a copy of the key may be in use")
        assert audit(project).approvals == ()
        assert person.complaints == []


_SIGN = """async ([challenge, credential]) => {
  const toBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const toText = (b) => btoa(String.fromCharCode(...new Uint8Array(b))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const given = await navigator.credentials.get({publicKey: {challenge: toBytes(challenge), rpId: "localhost",
    userVerification: "required", allowCredentials: [{type: "public-key", id: toBytes(credential)}]}});
  return {client_data: toText(given.response.clientDataJSON), authenticator_data: toText(given.response.authenticatorData),
    signature: toText(given.response.signature)};
}"""
