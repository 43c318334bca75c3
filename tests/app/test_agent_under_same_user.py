"""A coding agent under the person's own account tries to approve. It has their files, their ssh-agent and a terminal.

The person's key is loaded in their ssh-agent, which is the worst case: the agent can make good signatures with it. Two other
approvers, bob and carol, have keys that are loaded nowhere; their yes is the control that shows that the gate can be passed.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import whet
from tests.phases.approve.people import Person
from tests.signing.openssh import make_key
from tests.signing.software_passkey import SoftwarePasskey
from tests.signing.terminal import on_terminal
from tests.support import WHET, CommandResult, Repo
from whet.app.approvals.decisions import GivenAnswer, answer, roll_of
from whet.app.audits.audit import audit
from whet.app.project import Project, open_project
from whet.app.tokens import TokenScope, create_token
from whet.app.views.proposal_view import ProposalView, view_proposal
from whet.cli.commands import EXAMPLES
from whet.domain.approval import Answer, Approval, Gate, Question, Tier, Vote, Voter
from whet.domain.clock import now
from whet.domain.proof import Assurance, OsProof, SshProof
from whet.domain.statement import ApprovalStatement
from whet.errors import NotCounted, Refused, UnprovenApproval, WhetError
from whet.phases.approve.person import decision_key, grant
from whet.phases.approve.votes import Ballot
from whet.web.server import create_app, entry_link
from whet.web.settings import WebSettings
from whet.workflow.proven import refuse_unproven_approvals

pytestmark = pytest.mark.slow

PASSPHRASE = "correct horse"
ALICE, DAVE = "alice@example.com", "dave@example.com"
BOB, CAROL, MALLORY = (Person(f"{name}@example.com") for name in ("bob", "carol", "mallory"))
FILES: dict[str, str | bytes] = {
    "calc.py": "def add(a, b):\n    return a - b\n\n\ndef double(x):\n    return x * 2\n",
    "tests/test_calc.py": (
        "from calc import add, double\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\n"
        "def test_double():\n    assert double(2) == 4\n"
    ),
    "whet.toml": (
        '[target]\nbranch = "main"\n[observe]\nsources = ["tests"]\n[deploy]\nstrategy = "merge"\n'
        '[approve]\napply = "approve"\nneed = { approve = "2 person" }\n'
    ),
}


@dataclass(frozen=True)
class SshAgent:
    """A running ssh-agent with alice's key, and her key file."""

    socket: str
    key: Path
    unloaded: Path  # a key of dave with the same passphrase, in no ssh-agent

    def sign(self, text: str) -> str:
        """Sign through the ssh-agent, as any program of the user can: without the passphrase."""
        done = subprocess.run(
            ["ssh-keygen", "-Y", "sign", "-n", "whet-approval@v1", "-f", f"{self.key}.pub"],
            input=text, capture_output=True, text=True, check=True, env={**os.environ, "SSH_AUTH_SOCK": self.socket},
        )  # fmt: skip
        return done.stdout


@pytest.fixture(scope="module")
def ssh_agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshAgent]:
    folder = tmp_path_factory.mktemp("keys")
    key, helper = make_key(folder, "ed25519", passphrase=PASSPHRASE), folder / "askpass"
    helper.write_text(f"#!/bin/sh\necho '{PASSPHRASE}'\n")
    helper.chmod(0o700)
    started = subprocess.run(["ssh-agent", "-s"], capture_output=True, text=True, check=True).stdout
    socket, pid = (row.split("=", 1)[1].split(";")[0] for row in started.splitlines()[:2])
    asking = {"SSH_AUTH_SOCK": socket, "SSH_ASKPASS": str(helper), "SSH_ASKPASS_REQUIRE": "force"}
    subprocess.run(["ssh-add", "-q", str(key)], check=True, env={**os.environ, **asking}, stdin=subprocess.DEVNULL)
    yield SshAgent(socket, key, make_key(folder, "ed25519", passphrase=PASSPHRASE))
    os.kill(int(pid), 15)


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory, ssh_agent: SshAgent) -> tuple[Repo, ProposalView]:
    """A repository whose approvers are alice and bob, with a proven proposal that waits for a signature."""
    repo = Repo(tmp_path_factory.mktemp("attacked") / "calc")
    repo.root.mkdir()
    repo.sh("git", "init", "--quiet", "--initial-branch=main")
    repo.sh("git", "config", "user.name", "agent")
    repo.sh("git", "config", "user.email", "agent@localhost")
    keys = ((ALICE, ssh_agent.key), (DAVE, ssh_agent.unloaded))
    lines = [f"{name} {key.with_name(f'{key.name}.pub').read_text()}" for name, key in keys]
    repo.commit({**FILES, "whet.signers": "".join([*lines, BOB.line, CAROL.line])}, "first")
    assert repo.whet("run", "--json").code == 5  # a process of its own: a workflow that waits is a blocked thread
    (view,) = whet.open(repo.root).proposals()
    return repo, view


@dataclass
class Attack:
    """A copy of the repository that the agent may do anything with."""

    repo: Repo
    ssh_agent: SshAgent
    environment: dict[str, str]
    view: ProposalView

    @property
    def project(self) -> Project:
        return open_project(self.repo.root, local=True)

    @property
    def proposal(self) -> str:
        return self.view.proposal.id

    @property
    def digest(self) -> str:
        assert self.view.evidence
        return self.view.evidence.digest

    def whet(self, *arguments: str) -> CommandResult:
        """Run whet as the agent does: in a session without a terminal."""
        return self.repo.whet(*arguments, env=self.environment)

    def whet_on_terminal(self, *arguments: str, typed: str) -> None:
        """Run whet on a pseudo-terminal, which makes `isatty` true, and type into it."""
        command = " ".join([*WHET, *arguments])
        subprocess.run(
            ["script", "-qec", command, "/dev/null"], cwd=self.repo.root, input=typed, text=True, capture_output=True,
            timeout=120, check=False, env={**os.environ, **self.environment},
        )  # fmt: skip

    def statement(self, who: str = ALICE, why: str = "lgtm") -> str:
        return whet.open(self.repo.root).statement(self.proposal, who, why)

    def question(self, project: Project) -> Question:
        found = view_proposal(project.ledger, self.proposal).open_question
        assert found is not None
        return found

    def files(self, statement: str, signature: str) -> tuple[str, ...]:
        path = self.repo.root.parent / "statement"
        path.write_text(statement)
        path.with_suffix(".sig").write_text(signature)
        return ("--statement", str(path), "--signature", str(path.with_suffix(".sig")))


@pytest.fixture
def attack(waiting: tuple[Repo, ProposalView], ssh_agent: SshAgent, tmp_path: Path) -> Attack:
    repo = Repo(shutil.copytree(waiting[0].root, tmp_path / "calc", symlinks=True))
    return Attack(repo, ssh_agent, {"SSH_AUTH_SOCK": ssh_agent.socket, "HOME": str(tmp_path)}, waiting[1])


def assert_no_yes(attack: Attack) -> None:
    """Nothing is deployed, and no yes is on record that the audit does not report as unproven."""
    project = attack.project
    entries = project.ledger.entries(kind="Approval")
    granted = [
        entry for entry in entries if entry.read(Approval).granted and entry.read(Approval).gate is not Gate.PLAN
    ]
    assert not project.ledger.entries(kind="Deployment")
    assert "return a - b" in (project.git.read("refs/heads/main", "calc.py") or b"").decode()
    assert project.git.text("for-each-ref", "refs/heads/whet/") == ""
    result = audit(project)
    assert len([problem for problem in result.approvals if problem.startswith("row")]) >= len(granted)
    assert not granted or not result.ok
    project.store.close()


def test_the_control_two_signatures_with_keys_that_are_loaded_nowhere_pass(attack: Attack) -> None:
    repository = whet.open(attack.repo.root)
    for person in (BOB, BOB, CAROL):
        text = attack.statement(person.name)
        view = repository.approve(attack.proposal, statement=text, signature=person.sign(text))
        assert view.status == ("merged" if person is CAROL else "waiting_apply")
    project = attack.project
    assert audit(project).ok
    both = "bob@example.com (ssh), carol@example.com (ssh)"
    assert f"Whet-Approved-By: {both}" in project.git.text("log", "-1", "--format=%B", "main")
    assert [approval.people for approval in view.approvals if approval.approver == "person"] == [both]


def test_a_reason_with_a_secret_is_signed_as_it_is_recorded(attack: Attack) -> None:
    repository, secret = whet.open(attack.repo.root), "the leaked password=hunter2hunter2 is gone"
    text = attack.statement(BOB.name, secret)
    assert "hunter2" not in text
    with pytest.raises(Refused, match="looks like a secret"):
        raw = text.replace("[redacted: password]", "hunter2hunter2")
        repository.approve(attack.proposal, statement=raw, signature=BOB.sign(raw))
    repository.approve(attack.proposal, statement=text, signature=BOB.sign(text))
    (vote,) = [entry.read(Vote) for entry in attack.project.ledger.entries(kind="Vote", subject=attack.proposal)]
    assert vote.statement == text


def test_the_control_a_person_signs_at_the_terminal_with_their_passphrase(attack: Attack) -> None:
    code = "import os, runpy, sys; os.chdir(sys.argv.pop(1)); runpy.run_module('whet', run_name='__main__')"
    key = str(attack.ssh_agent.unloaded)
    ended = on_terminal(
        code, str(attack.repo.root), "approve", attack.proposal, "--key", key, "--why", "read it",
        answers=[("passphrase", PASSPHRASE)], env=attack.environment,
    )  # fmt: skip
    assert attack.statement(DAVE, "read it") in ended.out, "the text that is signed is shown"
    assert f"{DAVE} (ssh) approves {attack.proposal}; still needed: 1 person" in ended.out, ended.screen


COMMANDS: dict[str, Callable[[Attack], tuple[str, ...]]] = {
    "a bare approve": lambda attack: ("approve", attack.proposal),
    "its word": lambda attack: ("approve", attack.proposal, "--yes", "--why", "lgtm"),
    "the digest": lambda attack: (
        "approve", attack.proposal, "--yes", "--digest", attack.digest,
    ),
    "another name": lambda attack: ("approve", attack.proposal, "--yes", "--as", ALICE),
    "the person's key file": lambda attack: ("approve", attack.proposal, "--key", str(attack.ssh_agent.key)),
    "a signature by a key of its own": lambda attack: (
        "approve", attack.proposal, *attack.files(attack.statement(), MALLORY.sign(attack.statement()))
    ),
    "a signature through the ssh-agent": lambda attack: (
        "approve", attack.proposal, *attack.files(attack.statement(), attack.ssh_agent.sign(attack.statement()))
    ),
    "resume": lambda _: ("resume",),
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_of_the_agent_gets_a_yes_on_record(attack: Attack, name: str) -> None:
    result = attack.whet(*COMMANDS[name](attack))
    assert result.code != 0
    assert attack.digest[:8] not in result.err, "a refusal names no digest to repeat"
    assert_no_yes(attack)


def test_hiding_the_ssh_agent_after_signing_does_not_help(attack: Attack) -> None:
    """The question remembers that the key was loaded when it was asked."""
    signature = attack.ssh_agent.sign(attack.statement())
    attack.environment["SSH_AUTH_SOCK"] = ""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("whet.phases.approve.exposure._sockets", set)
        with pytest.raises(Refused, match="any program of this user can sign"):
            whet.open(attack.repo.root).approve(attack.proposal, statement=attack.statement(), signature=signature)
    assert_no_yes(attack)


def test_a_terminal_does_not_help(attack: Attack) -> None:
    attack.whet_on_terminal("approve", attack.proposal, typed="y\nlgtm\n")
    attack.whet_on_terminal("approve", attack.proposal, "--key", str(attack.ssh_agent.key), typed="wrong\nwrong\n")
    attack.whet_on_terminal("resume", typed="y\nlgtm\ny\nl\n")
    assert_no_yes(attack)


WEAKER = 'environment = "development"\n' + str(FILES["whet.toml"]).replace('"approve"\n', '"confirm"\n')
OWN = {"whet.signers": MALLORY.line}


@pytest.mark.parametrize("change", [{"whet.toml": WEAKER}, OWN, {"whet.toml": WEAKER, **OWN}])
@pytest.mark.parametrize("committed", [False, True])
def test_changed_rules_and_signers_do_not_help(attack: Attack, change: dict[str, str | bytes], committed: bool) -> None:
    attack.repo.commit(change) if committed else attack.repo.write(change)
    repository = whet.open(attack.repo.root)
    with pytest.raises(Refused):
        repository.approve(attack.proposal, why="lgtm")
    with pytest.raises(Refused):
        text = attack.statement(MALLORY.name)
        repository.approve(attack.proposal, statement=text, signature=MALLORY.sign(text))
    if committed and change is OWN:
        result = attack.whet("run")
        assert result.code == 3
        assert "not the ones on record" in result.err
    assert_no_yes(attack)


def test_an_enrolment_signed_through_the_ssh_agent_does_not_count(attack: Attack) -> None:
    from whet.app.approvals.approvers import record_vote, require_change

    attack.repo.commit({"whet.signers": (attack.repo.root / "whet.signers").read_text() + MALLORY.line})
    text = require_change(attack.project).statement(ALICE, "a new colleague")
    with pytest.raises(Refused, match="does not count"):
        record_vote(attack.project, text, attack.ssh_agent.sign(text))
    assert_no_yes(attack)


def test_the_python_api_gives_the_same_refusals(attack: Attack) -> None:
    project = attack.project
    for proof in (None, OsProof(uid=0, user=ALICE)):
        for who in ("", ALICE):
            with pytest.raises(WhetError):
                answer(
                    project, attack.proposal, Answer.APPROVED, GivenAnswer(via="api", who=who, proof=proof, why="lgtm")
                )
    assert_no_yes(attack)


def forged_approval(attack: Attack, project: Project, proof: OsProof | SshProof, who: str) -> Approval:
    """Return a yes as the gate would record it, from a vote that proves nothing."""
    question = attack.question(project)
    text = ApprovalStatement.about(question, roll_of(project).in_force().digest, Answer.APPROVED, who, "lgtm").text
    signed = replace(proof, statement=text) if isinstance(proof, SshProof) else proof
    vote = Vote(statement=text, proof=signed, via="cli", at=now())
    key = MALLORY.key.fingerprint if isinstance(proof, SshProof) else ""
    voter = Voter(who=who, assurance=Assurance.PRESENCE, key=key, means="ssh-sk")
    return Approval(
        proposal=question.proposal, gate=question.gate, tier=question.tier, answer=Answer.APPROVED, approver="person",
        who=who, via="cli", digest=question.digest, decided_at=now(), why="lgtm", votes=(vote,), voters=(voter,),
    )  # fmt: skip


@pytest.mark.parametrize("kind", ["word", "own signature", "no votes", "policy", "the gate's own note"])
def test_a_yes_that_is_written_into_the_ledger_is_not_honoured(attack: Attack, kind: str) -> None:
    project = attack.project
    own = SshProof(public_key=MALLORY.key.text, signature=MALLORY.sign(attack.statement()), statement="")
    approval = forged_approval(attack, project, own if kind == "own signature" else OsProof(uid=0, user=ALICE), ALICE)
    if kind in ("no votes", "policy"):
        approval = replace(approval, votes=(), approver="policy" if kind == "policy" else "person")
    key = decision_key(attack.question(project))
    project.ledger.append("approve", approval, subject=approval.proposal, key=key, actor=ALICE)
    if kind == "the gate's own note":  # the gate has looked once, so the next look would find this one
        look = f"{approval.proposal}/approve/look-apply-{approval.digest[:12]}-1"
        project.ledger.append("approve", key, subject=approval.proposal, key=look, kind="Look")
    project.store.close()
    (view,) = whet.open(attack.repo.root).resume()
    assert (view.status, view.lesson and view.lesson.code) == ("failed", "unproven_approval")
    project = attack.project
    assert not project.ledger.entries(kind="Deployment")
    assert not audit(project).ok
    project.store.close()


def check_before_deploying(attack: Attack, project: Project, *approvals: Approval, **policy: str) -> None:
    """Do the last check before a deployment, which does not depend on anything that the gate has noted."""
    stricter = project.policy.model_copy(update={"approve": project.policy.approve.model_copy(update=policy)})
    proposal, evidence = attack.view.proposal, attack.view.evidence
    assert evidence
    refuse_unproven_approvals(
        approvals, list(Gate), proposal, evidence, evidence.guard, stricter, roll_of(project), project.ledger
    )


def test_keys_that_were_loaded_after_the_question_do_not_count_at_the_deployment(
    attack: Attack, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = attack.project
    question, in_force = attack.question(project), roll_of(project).in_force()
    ballot = Ballot(question, in_force, frozenset(), now())
    yes = grant(question, ballot.count([BOB.vote(ballot), CAROL.vote(ballot)]), override=False)
    check_before_deploying(attack, project, yes)
    monkeypatch.setattr("whet.phases.approve.person.exposed_keys", lambda _: (BOB.key.fingerprint,))
    with pytest.raises(NotCounted, match=r"no longer counts: bob@example.com: the key .* was loaded"):
        check_before_deploying(attack, project, yes)


def test_a_forged_answer_at_the_plan_gate_is_noticed_at_the_deployment(attack: Attack) -> None:
    project = attack.project
    (plan,) = [approval for approval in attack.view.approvals if approval.gate is Gate.PLAN]
    check_before_deploying(attack, project, plan)
    with pytest.raises(UnprovenApproval, match="policy answered at the plan gate, where a person is needed"):
        check_before_deploying(attack, project, plan, plan=Tier.APPROVE)
    with pytest.raises(UnprovenApproval, match="is not proven: nobody voted"):
        check_before_deploying(attack, project, replace(plan, approver="person"))


ASKS_FOR_LESS = """
import runpy
from whet.domain.approval import Gate, Tier
from whet.phases.approve.step import ask
from whet.workflow import gates

gates.ask = lambda subject, tier, *rest: ask(subject, Tier.CONFIRM if subject.gate is Gate.APPLY else tier, *rest)
runpy.run_module("whet", run_name="__main__")
"""


def test_a_question_that_is_written_at_a_lower_tier_opens_nothing(attack: Attack, tmp_path: Path) -> None:
    """The agent records the question itself, at a tier that takes its word."""
    repo = Repo(tmp_path / "fresh")
    repo.root.mkdir()
    shutil.copytree(attack.repo.root / ".git", repo.root / ".git")
    repo.sh("git", "reset", "--hard", "--quiet")
    repo.sh("git", "update-ref", "-d", "refs/whet/ledger")  # it belongs to the record of the other checkout
    asked = subprocess.run([sys.executable, "-c", ASKS_FOR_LESS, "run", "--json"], cwd=repo.root, check=False)
    assert asked.returncode == 5
    repository = whet.open(repo.root)
    (view,) = repository.proposals()
    assert view.open_question
    assert view.open_question.tier is Tier.CONFIRM
    ended = repository.approve(view.proposal.id)
    assert (ended.status, ended.lesson and ended.lesson.code) == ("failed", "unproven_approval")
    assert not ended.deployments
    assert not repository.audit().ok


def clients(attack: Attack) -> list[TestClient]:
    """Return what a program of the user can make itself: a signed-in browser, and a client with a token of every scope."""
    app = create_app(whet.open(attack.repo.root), settings=WebSettings())
    here = "http://localhost:8787"
    browser = TestClient(app, base_url=here, headers={"Origin": here}, follow_redirects=False)
    assert browser.get(entry_link(app)).status_code == 303
    _, secret = create_token(attack.repo.root / ".whet", "agent", frozenset(TokenScope))
    return [browser, TestClient(app, base_url=here, headers={"Authorization": f"Bearer {secret}"})]


def test_no_request_to_the_web_server_gets_a_yes_on_record(attack: Attack) -> None:
    """Every route that changes something is asked with each proof that the agent can make, as JSON and as a form."""
    passkey = SoftwarePasskey(ALICE)
    proofs: list[dict[str, str]] = [
        {"signature": attack.ssh_agent.sign(attack.statement())},
        {"signature": MALLORY.sign(attack.statement())},
        {"proof": "os", "user": ALICE, "answer": "approved"},
        vars(passkey.answer(attack.statement())),
    ]
    for client in clients(attack):
        offered = client.get("/api/v1/openapi.json").json()["paths"]
        posts = [path for path, methods in offered.items() if methods.keys() - {"get"} and not path.endswith("/proofs")]
        assert "/api/v1/proposals/{proposal}/votes" in posts
        for path in (*posts, "/p/{proposal}/approve", "/passkeys", "/hooks/github"):
            address = path.replace("{proposal}", attack.proposal)
            for proof in proofs:
                fields = {
                    "statement": attack.statement(),
                    "digest": attack.digest,
                    "why": "lgtm",
                    "who": ALICE,
                    **proof,
                }
                about = {"If-Match": f'"{attack.digest}"'}
                for answered in (
                    client.post(address, headers=about, json=fields),
                    client.post(address, headers=about, data=fields),
                ):
                    assert answered.status_code in (400, 401, 403, 404, 409, 415, 422, 503), (address, answered.text)
    assert not attack.project.ledger.entries(kind="Vote")
    assert_no_yes(attack)


def test_signatures_that_are_sent_over_rest_are_counted_and_deploy(attack: Attack) -> None:
    browser, program = clients(attack)
    votes = f"/api/v1/proposals/{attack.proposal}/votes"
    for client, person, missing in ((browser, BOB, 1), (program, BOB, 1), (program, CAROL, 0)):
        asked = client.get(
            f"/api/v1/proposals/{attack.proposal}/statement", params={"who": person.name, "why": "read it"}
        )
        vote = {"statement": asked.text, "signature": person.sign(asked.text)}
        answered = client.post(votes, json=vote, headers={"If-Match": asked.headers["ETag"]})
        assert (answered.status_code, len(answered.json()["missing"])) == (201, missing), answered.text
        assert answered.json()["voter"]["who"] == person.name
    again = program.post(votes, json=vote, headers={"If-Match": asked.headers["ETag"]})
    assert again.status_code == 409
    (view,) = whet.open(attack.repo.root).resume()
    assert view.status == "merged"
    assert [approval.via for approval in view.approvals if approval.approver == "person"] == ["rest"]
    assert audit(attack.project).ok


STAY = {"serve", "mcp", "worker", "service", "demo"}  # they do not end by themselves, or work in a folder of their own
LAST = ["stop", "start", "withdraw", "reject"]  # these close the question


def every_call(attack: Attack) -> Iterator[list[str]]:
    """Yield the example of every command, with this proposal's id, and what an agent would add to it."""
    key = attack.repo.root.parent / "mallory.pub"
    key.write_text(f"{MALLORY.key.text}\n")
    proposal = re.compile(r"[pfw]-[0-9a-f]{2,8}")
    for verb in [*sorted(EXAMPLES.keys() - STAY - set(LAST)), *LAST]:
        words = [word for word in shlex.split(EXAMPLES[verb].rpartition("whet ")[2]) if word != "--probe"]
        call = [attack.proposal if proposal.fullmatch(word) else word for word in words]
        yield call
        yield [*call, "--yes"]
    yield ["approvers", "enrol", MALLORY.name, str(key)]
    yield ["approvers", "revoke", BOB.name]
    yield ["approvers", "sign"]
    yield ["init", "--enrol", str(key)]
    yield ["audit", "--accept", "--why", "lgtm"]
    yield ["resume"]


@pytest.mark.long
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("with_terminal", [False, True])
def test_no_verb_of_the_command_line_gets_a_yes_on_record(attack: Attack, with_terminal: bool) -> None:
    for call in every_call(attack):
        print(*call)  # noqa: T201 - shown if the test fails
        if with_terminal:
            attack.whet_on_terminal(*map(shlex.quote, call), typed="y\nlgtm\ny\n1\n")
        else:
            attack.whet(*call)
        assert not attack.project.ledger.entries(kind="Deployment"), call
    assert_no_yes(attack)
