"""The approvers in force: on the target branch, in the checkout, and in the ledger's chain of changes."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.phases.approve.people import Person, touching
from tests.support import MakeRepo, Repo
from whet.app.approvals.approvers import pending_change, record_vote
from whet.app.project import Project, open_project
from whet.config import load
from whet.domain.approval import Vote
from whet.domain.approvers import Approvers, Enrolment, EnrolmentQuestion
from whet.domain.clock import now
from whet.errors import ApproversChanged, BadSigners, Refused
from whet.phases.approve.roll import Roll

ALICE, BOB, CAROL, MALLORY = (Person(f"{name}@example.com") for name in ("alice", "bob", "carol", "mallory"))
POLICY = '[target]\nbranch = "main"\n\n[approve]\napply = "approve"\n'
PAIR = POLICY + 'need = { require = "2 person" }\n'


class World:
    """A repository with approvers, and the ledger beside it."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self.projects: list[Project] = []

    @property
    def project(self) -> Project:
        """Open the repository anew, as every command does."""
        self.projects.append(open_project(self.repo.root, local=True))
        return self.projects[-1]

    @property
    def roll(self) -> Roll:
        project = self.project
        return Roll(project.git, project.ledger, project.policy)

    def write(self, *people: Person) -> None:
        self.repo.write({"whet.signers": "".join(person.line for person in people)})

    def commit(self, *people: Person, policy: str = "") -> None:
        more: dict[str, str | bytes] = {"whet.toml": policy} if policy else {}
        self.repo.commit({"whet.signers": "".join(person.line for person in people), **more})

    def sign(self, *people: Person, why: str = "agreed") -> None:
        for person in people:
            change = pending_change(self.project)
            assert change is not None
            text = change.statement(person.name, why)
            record_vote(self.project, text, person.sign(text))

    def people(self) -> set[str]:
        return {line.split()[0] for line in self.roll.in_force().signers.splitlines()}


@pytest.fixture
def world(make_repo: MakeRepo) -> Iterator[World]:
    made = World(make_repo({"whet.toml": POLICY, "a.py": "x = 1\n"}))
    yield made
    for project in made.projects:
        project.store.close()


def names(*people: Person) -> set[str]:
    return {person.name for person in people}


def test_without_signers_nobody_is_recorded(world: World) -> None:
    assert world.people() == set()
    assert world.roll.chain().links == ()


def test_the_first_approvers_are_trusted_and_recorded_once(world: World) -> None:
    world.commit(ALICE)
    assert world.people() == world.people() == names(ALICE)
    (link,) = world.roll.chain().links
    assert (link.number, link.votes, link.change) == (1, (), f"trust {ALICE.name} on first use")


def test_signers_in_the_checkout_only_change_nothing(world: World) -> None:
    world.write(MALLORY)
    assert world.people() == set(), "nobody is enrolled by a file that is not committed"
    world.commit(ALICE)
    assert world.people() == names(ALICE)
    world.write(ALICE, MALLORY)
    assert world.people() == names(ALICE)
    world.repo.sh("git", "checkout", "-q", "-b", "feature")
    world.commit(MALLORY)
    assert world.people() == names(ALICE), "the target branch counts, whatever is checked out"


def test_a_commit_alone_does_not_change_the_approvers(world: World) -> None:
    world.commit(ALICE)
    assert world.people() == names(ALICE)
    for people in ((ALICE, MALLORY), (MALLORY,), ()):
        world.commit(*people)
        with pytest.raises(ApproversChanged, match="not the ones on record"):
            world.roll.in_force()
    world.commit(ALICE)
    assert world.people() == names(ALICE)


@pytest.mark.parametrize("order", ["sign first", "commit first"])
def test_a_change_counts_with_the_signatures_of_the_quorum_before_it(world: World, order: str) -> None:
    world.commit(ALICE)
    world.people()
    world.write(ALICE, BOB)
    if order == "sign first":
        world.sign(ALICE)
        assert world.people() == names(ALICE), "signed and not committed"
        world.commit(ALICE, BOB)
    else:
        world.commit(ALICE, BOB)
        world.sign(ALICE)
    assert world.people() == names(ALICE, BOB)
    assert [link.recorded_by for link in world.roll.chain().links] == ["whet", ALICE.name]


def test_a_signed_reason_that_the_ledger_would_redact_is_refused(world: World) -> None:
    """The recorded statement would differ from the one that was signed, and would prove nothing later."""
    world.commit(ALICE)
    world.people()
    world.commit(ALICE, BOB)
    with pytest.raises(Refused, match="looks like a secret"):
        world.sign(ALICE, why="the old one had password=hunter2hunter2")
    world.sign(ALICE, why="bob joined")
    assert world.people() == names(ALICE, BOB)


def test_a_newcomer_cannot_sign_their_own_enrolment(world: World) -> None:
    world.commit(ALICE)
    world.people()
    world.commit(ALICE, MALLORY)
    with pytest.raises(Refused, match="may not sign for"):
        world.sign(MALLORY)


def test_a_change_needs_every_seat_of_the_quorum(world: World) -> None:
    world.commit(ALICE, BOB, policy=PAIR)
    world.people()
    world.commit(ALICE, BOB, CAROL)
    world.sign(ALICE)
    world.sign(ALICE, why="and again")
    with pytest.raises(ApproversChanged, match="missing: 1 person"):
        world.roll.in_force()
    world.sign(BOB)
    assert world.people() == names(ALICE, BOB, CAROL)


def test_a_revoked_signer_signs_no_further_change(world: World) -> None:
    world.commit(ALICE, BOB)
    world.people()
    world.commit(ALICE)
    world.sign(ALICE)
    assert world.people() == names(ALICE)
    world.commit(ALICE, CAROL)
    with pytest.raises(Refused, match="may not sign for"):
        world.sign(BOB)


def test_a_signature_for_an_earlier_change_is_not_replayed(world: World) -> None:
    world.commit(ALICE)
    world.people()
    world.commit(ALICE, BOB)
    change = pending_change(world.project)
    assert change is not None
    text = change.statement(ALICE.name, "")
    record_vote(world.project, text, ALICE.sign(text))
    assert world.people() == names(ALICE, BOB)
    world.commit(ALICE)
    world.sign(ALICE)
    assert world.people() == names(ALICE)
    world.commit(ALICE, BOB)
    with pytest.raises(Refused, match="not about the change that waits"):
        record_vote(world.project, text, ALICE.sign(text))
    with pytest.raises(ApproversChanged):
        world.roll.in_force()


WEAKER = [
    POLICY.replace("[target]", 'environment = "development"\n[target]'),
    POLICY.replace('"approve"\n', '"confirm"\n'),
    POLICY + 'proof = { approve = "os" }\n',
    POLICY + '[guard]\nsensitive = []\n',
]  # fmt: skip


@pytest.mark.parametrize("policy", WEAKER)
def test_weaker_rules_need_signatures_too(world: World, policy: str) -> None:
    world.commit(ALICE)
    world.people()
    world.repo.write({"whet.toml": policy})
    with pytest.raises(ApproversChanged, match="in the checkout"):
        world.roll.in_force()
    world.commit(ALICE, policy=policy)
    with pytest.raises(ApproversChanged, match="change the approval, guard or branch settings"):
        world.roll.in_force()
    world.sign(ALICE)
    assert world.people() == names(ALICE)


def test_other_settings_and_comments_change_freely(world: World) -> None:
    world.commit(ALICE)
    world.people()
    world.repo.commit({"whet.toml": POLICY + "[budget]\ncycles_per_day = 3\n"})
    world.repo.commit({"whet.signers": f"# the team\n\n{ALICE.line}"})
    assert world.people() == names(ALICE)


def forge(world: World, link: Enrolment) -> None:
    """Write an enrolment straight into the ledger, as any process of the same user can."""
    ledger = world.project.ledger
    ledger.append("approve", link, subject="approvers", key=f"forged/{ledger.head().seq}")


def link_to(world: World, *people: Person, number: int, previous: str, votes: tuple[Vote, ...] = ()) -> Enrolment:
    found: Approvers = replace(world.roll.on_branch(), signers="".join(sorted(person.line for person in people)))
    question = EnrolmentQuestion(number=number, after=found.digest, nonce="", exposed=(), at=now())
    return Enrolment(
        number=number, approvers=found, previous=previous, change="forged", question=question, votes=votes,
        recorded_by="whet", at=now(),
    )  # fmt: skip


def test_an_enrolment_written_into_the_ledger_does_not_count(world: World) -> None:
    world.commit(ALICE)
    world.people()
    before = world.roll.on_branch().digest
    world.commit(MALLORY)
    own_vote = Vote(statement="x", proof=MALLORY.proof("x"), via="cli", at=now())
    forge(world, link_to(world, MALLORY, number=1, previous=""))
    forge(world, link_to(world, MALLORY, number=2, previous=before))
    forge(world, link_to(world, MALLORY, number=2, previous=before, votes=(own_vote,)))
    with pytest.raises(ApproversChanged):
        world.roll.in_force()
    chain = world.roll.chain()
    assert [link.approvers.digest for link in chain.links] == [before]
    assert len(chain.problems) == 3


def test_a_signature_under_another_change_does_not_carry_a_forged_enrolment(world: World) -> None:
    world.commit(ALICE)
    world.people()
    before = world.roll.on_branch().digest
    world.commit(ALICE, BOB)
    change = pending_change(world.project)
    assert change is not None
    text = change.statement(ALICE.name, "bob joined")
    vote = Vote(statement=text, proof=ALICE.proof(text), via="cli", at=now())
    world.commit(MALLORY)
    forge(world, link_to(world, MALLORY, number=2, previous=before, votes=(vote,)))
    with pytest.raises(ApproversChanged):
        world.roll.in_force()
    assert len(world.roll.chain().links) == 1


def test_an_expired_key_does_not_carry_an_enrolment_that_is_dated_back(world: World) -> None:
    """The change was asked for after the key had expired, and whoever writes the ledger dates the answer back."""
    yesterday = now() - timedelta(days=1)
    expiring = replace(ALICE, name="expiring@example.com")
    line = expiring.line.replace("namespaces", f'valid-before="{yesterday:%Y%m%d}Z",namespaces')
    world.repo.commit({"whet.signers": line + BOB.line})
    before = world.roll.in_force().digest
    world.commit(MALLORY)
    change = pending_change(world.project)
    assert change is not None
    text = change.statement(expiring.name, "lgtm")
    vote = Vote(statement=text, proof=expiring.proof(text), via="cli", at=now())
    long_ago = now() - timedelta(days=30)
    for asked_at in (change.question.at, long_ago):
        link = link_to(world, MALLORY, number=2, previous=before, votes=(vote,))
        forge(world, replace(link, question=replace(change.question, at=asked_at), at=long_ago))
    with pytest.raises(ApproversChanged):
        world.roll.in_force()
    assert len(world.roll.chain().links) == 1


def test_a_software_key_cannot_change_approvers_who_have_security_keys(world: World) -> None:
    tess = touching("tess@example.com")
    world.commit(ALICE, tess)
    world.people()
    world.commit(ALICE, tess, CAROL)
    with pytest.raises(Refused, match="does not count"):
        world.sign(ALICE)
    world.sign(tess)
    assert world.people() == names(ALICE, tess, CAROL)


def test_an_unreadable_list_of_signers_refuses_everything(world: World) -> None:
    world.commit(ALICE)
    world.people()
    world.repo.commit({"whet.signers": f"{ALICE.line}what is this\n"})
    with pytest.raises(BadSigners, match="line 2"):
        world.roll.in_force()


def test_the_rules_on_the_branch_are_the_ones_on_record(world: World) -> None:
    world.commit(ALICE, policy=PAIR)
    assert world.roll.in_force().rules == load(world.repo.root).approval_rules
