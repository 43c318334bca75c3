"""Records that an agent wrote from the first row on, with whet's own functions. The branch still names the real approvers."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.phases.approve.people import Person, question, word_of
from tests.support import MakeRepo, Repo
from whet.app.audits.audit import audit
from whet.app.project import Project, open_project
from whet.config import Config, parse
from whet.domain.approval import Approval, Gate, Question, Tier, Vote
from whet.domain.approvers import Approvers, Enrolment, EnrolmentQuestion
from whet.domain.canonical import digest
from whet.domain.clock import now
from whet.domain.deployment import Deployment, DeploymentState
from whet.phases.approve.enrolments import PendingChange
from whet.phases.approve.person import grant
from whet.phases.approve.policy import Policy
from whet.phases.approve.roll import approvers
from whet.phases.approve.votes import Ballot

ALICE, FALSE_ALICE = Person("alice@example.com"), Person("alice@example.com")
STRICT = '[target]\nbranch = "main"\n\n[approve]\napply = "approve"\nmerge = "approve"\n'
LAX = parse(b'environment = "development"\n[target]\nbranch = "main"\n[approve]\napply = "confirm"\nmerge = "auto"\n')


class Forger:
    """An agent that has replaced the ledger and writes rows of its own. A commit on the branch stands for its change."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self.base = repo.commit({"whet.toml": STRICT, "whet.signers": ALICE.line, "calc.py": "x = 1\n"})
        self.deployed = repo.commit({"calc.py": "x = 2\n"})
        self.project: Project = open_project(repo.root, local=True)

    def append(self, noun: object, name: str, kind: str = "", subject: str = "p-1") -> None:
        self.project.ledger.append("approve", noun, subject=subject, key=name, kind=kind)

    def question(self, gate: Gate, tier: Tier, policy: Config = LAX) -> Question:
        plain = policy.recorded
        self.append(plain, f"policy/{digest(plain)}", "Policy", "policy")
        asked = question(tier, gate=gate, base=self.base, policy=digest(plain), repository=self.repo.git.first_commit())
        self.append(asked, f"p-1/approve/ask-{gate}")
        return asked

    def enrol(self, found: Approvers, before: Enrolment | None, *votes: Vote) -> Enrolment:
        number, previous = (before.number + 1, before.approvers.digest) if before else (1, "")
        asked = EnrolmentQuestion(number=number, after=found.digest, nonce="", exposed=(), at=now())
        link = Enrolment(
            number=number, approvers=found, previous=previous, change="", question=asked, votes=votes,
            recorded_by="whet", at=now(),
        )  # fmt: skip
        if before and not votes:
            change = PendingChange(self.repo.git.first_commit(), before, found, asked)
            text = change.statement(FALSE_ALICE.name, "")
            vote = Vote(statement=text, proof=FALSE_ALICE.proof(text), via="cli", at=now())
            link = replace(link, votes=(vote,))
        self.append(link, f"approvers/{number}", subject="approvers")
        return link

    def deploy(self, *yes: Approval) -> None:
        for approval in yes:
            self.append(approval, f"approval/{approval.gate}")
        self.append(
            Deployment(
                id="d-1", proposal="p-1", strategy="merge", ref="refs/heads/main", before=self.base, after=self.deployed,
                evidence_digest=yes[0].digest, snapshot="s-1", state=DeploymentState.DEPLOYED, actor="alice", at=now(),
            ),
            "d-1",
        )  # fmt: skip

    def problems(self) -> str:
        return "\n".join(audit(self.project).approvals)


@pytest.fixture
def forger(make_repo: MakeRepo) -> Iterator[Forger]:
    forger = Forger(make_repo({"README": "x"}))
    yield forger
    forger.project.store.close()


def test_a_record_without_the_approvers_of_the_branch_is_reported(forger: Forger) -> None:
    asked = forger.question(Gate.APPLY, Tier.APPROVE)
    ballot = Ballot(asked, approvers("", "", LAX), frozenset(), now())
    forger.deploy(grant(asked, ballot.count([word_of("agent", ballot)]), override=False))
    assert f"alice@example.com was enrolled on the branch at {forger.base[:10]}" in forger.problems()


def test_a_record_that_trusts_another_key_first_is_reported(forger: Forger) -> None:
    """The false key gets the name of a real approver, signs, and hands over to the real one at the end."""
    first = forger.enrol(approvers(FALSE_ALICE.line, "", parse(STRICT.encode())), None)
    asked = forger.question(Gate.APPLY, Tier.APPROVE, parse(STRICT.encode()))
    ballot = Ballot(asked, first.approvers, frozenset(), now())
    forger.deploy(grant(asked, ballot.count([FALSE_ALICE.vote(ballot)]), override=False))
    forger.enrol(approvers(ALICE.line, "", parse(STRICT.encode())), first)
    assert "whose keys are not those in whet.signers" in forger.problems()


def test_the_real_approver_on_the_branch_is_accepted(forger: Forger) -> None:
    first = forger.enrol(approvers(ALICE.line, "", parse(STRICT.encode())), None)
    asked = forger.question(Gate.APPLY, Tier.APPROVE, parse(STRICT.encode()))
    ballot = Ballot(asked, first.approvers, frozenset(), now())
    forger.deploy(grant(asked, ballot.count([ALICE.vote(ballot)]), override=False))
    assert forger.problems() == ""


@pytest.mark.parametrize("policy", [LAX, parse(STRICT.encode())])
def test_an_answer_of_the_policy_below_the_floor_is_reported(forger: Forger, policy: Config) -> None:
    """By the policy on record, or by the one on the branch if the record names a laxer one."""
    forger.enrol(approvers(ALICE.line, "", parse(STRICT.encode())), None)
    asked = forger.question(Gate.MERGE, Tier.AUTO, policy)
    answer = Policy.__new__(Policy)
    answer._digest = policy.digest
    yes = answer.answer(asked)
    assert yes
    forger.deploy(yes)
    assert "asked at tier auto, and the policy asks for approve at the merge gate" in forger.problems()


def test_a_question_under_a_policy_that_is_not_on_record_is_reported(forger: Forger) -> None:
    first = forger.enrol(approvers(ALICE.line, "", parse(STRICT.encode())), None)
    asked = replace(forger.question(Gate.MERGE, Tier.CONFIRM), policy="e" * 64, gate=Gate.APPLY)
    forger.append(asked, "p-1/approve/other")
    ballot = Ballot(asked, first.approvers, frozenset(), now())
    yes = grant(asked, ballot.count([word_of("agent", ballot)]), override=False)
    forger.append(yes, "approval/other")
    assert "is not on record" in forger.problems()
