"""Verify votes: who gave an answer, and how strong the proof is. Public keys are enough for it."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from whet.domain.approval import Answer, Gate, Question, Tier, Vote, Voter
from whet.domain.approvers import ApprovalRules, Approvers, Seats
from whet.domain.proof import Assurance, ForgeProof, OsProof, PasskeyProof, SshProof
from whet.domain.statement import ApprovalStatement, field_of
from whet.errors import NotCounted, Refused
from whet.signing import passkeys, signers, sshsig


@dataclass(frozen=True)
class Tally:
    """The votes on a question, counted. `ignored` are sentences about votes that do not count."""

    voters: tuple[Voter, ...]
    votes: tuple[Vote, ...]
    ignored: tuple[str, ...]
    missing: tuple[Seats, ...]

    @property
    def complete(self) -> bool:
        return not self.missing

    @property
    def reasons(self) -> tuple[str, ...]:
        """Return the reasons that the voters gave."""
        return tuple(field_of(vote.statement, "why") for vote in self.votes)


@dataclass(frozen=True)
class Ballot:
    """All that a count needs to know besides the votes: the question, the approvers in force, who supplied the change,
    and the time at which the keys must be valid."""

    question: Question
    approvers: Approvers
    suppliers: frozenset[str]
    at: datetime
    commit: str = ""
    """The commit that was offered on the forge; a review of another commit does not count."""

    @property
    def assurance(self) -> Assurance:
        """Return the least assurance that a vote needs here.

        Without any signer there is nobody who could sign. Outside production the user of the process then suffices; in
        production it does not.
        """
        rules = self.approvers.rules
        if rules.environment == "development" and not has_signers(self.approvers):
            return Assurance.OS
        return rules.proof.get(self.question.tier, Assurance.VERIFIED)

    def voter(self, vote: Vote) -> Voter:
        """Return the person who signed a vote.

        Raise NotCounted if somebody else signed it, or if its statement is not a yes to this question.
        """
        who, why = field_of(vote.statement, "who"), field_of(vote.statement, "why")
        expected = ApprovalStatement.about(self.question, self.approvers.digest, Answer.APPROVED, who, why)
        if vote.statement != expected.text:
            raise NotCounted(
                "the statement is not the one of the open question: question, evidence or approvers differ",
                "make it again with --statement, and sign that",
            )
        if vote.at >= self.question.expires_at:
            raise NotCounted("the vote is later than the end of the question")
        if is_before(vote.at, self.question.asked_at):
            raise NotCounted("the vote is earlier than its question")
        if self.question.tier is Tier.REQUIRE and not why:
            raise NotCounted("tier require asks for a reason", 'add --why "..."')
        if isinstance(vote.proof, ForgeProof) and self.question.gate is not Gate.MERGE:
            raise NotCounted("a review on a forge counts at the merge gate only")
        if isinstance(vote.proof, ForgeProof) and (not self.commit or vote.proof.commit != self.commit):
            raise NotCounted(f"the review is about {vote.proof.commit[:10]}, which is not the commit that was proved")
        voter = verify(vote, self.approvers, self.at)
        self.refuse_weak(voter)
        return voter

    def refuse_weak(self, voter: Voter) -> None:
        """Raise NotCounted for a proof that is too weak for the tier, and for people whose vote does not count."""
        if voter.assurance < self.assurance:
            raise NotCounted(
                f"tier {self.question.tier} needs {_NEEDS[self.assurance]}, and {voter} gave less",
                _REMEDIES[self.assurance] if has_signers(self.approvers) else ENROL,
            )
        if voter.key in self.question.exposed and voter.assurance is Assurance.SIGNATURE:
            raise NotCounted(exposed(voter.key), PROTECT)
        counts = self.approvers.rules.supplier_counts or not has_signers(self.approvers)
        if voter.who.casefold() in self.suppliers and not counts:
            raise NotCounted(
                f"{voter.who} supplied the change, so their approval does not count", "ask another approver"
            )

    def count(self, votes: Iterable[Vote]) -> Tally:
        """Count the votes. Each person and each key counts once."""
        voters: list[Voter] = []
        counted: list[Vote] = []
        ignored: list[str] = []
        for vote in votes:
            try:
                voter = self.voter(vote)
            except Refused as refusal:
                ignored.append(f"{field_of(vote.statement, 'who')}: {refusal.message}")
                continue
            if any(is_same_voter(voter, other) for other in voters):
                ignored.append(f"{voter.who}: counted already")
                continue
            voters.append(voter)
            counted.append(vote)
        seats = self.approvers.rules.need.get(self.question.tier, (Seats(count=1, role="nobody"),))
        return Tally(tuple(voters), tuple(counted), tuple(ignored), missing(seats, voters, self.approvers.rules))


_CLOCKS_DIFFER = timedelta(minutes=5)
ENROL = "enrol a key first: whet approvers key, whet approvers enrol NAME KEY.pub; then commit whet.signers"
PROTECT = "remove it from the agent (ssh-add -d) and give it a passphrase, or use a security key; then run it again"
_NEEDS = {
    Assurance.OS: "a person",
    Assurance.SIGNATURE: "a signature by an enrolled key",
    Assurance.PRESENCE: "a signature by a security key that was touched",
    Assurance.VERIFIED: "a signature by a security key that was touched and unlocked with its PIN",
}
_REMEDIES = {
    Assurance.OS: "",
    Assurance.SIGNATURE: "sign it: whet approve ID --key FILE",
    Assurance.PRESENCE: "sign it with an ed25519-sk or ecdsa-sk key, or set approve.proof in whet.toml",
    Assurance.VERIFIED: "sign it with a key made with -O verify-required, or set approve.proof in whet.toml",
}


def exposed(key: str) -> str:
    """Return the sentence about a key that any program of this user can sign with."""
    return (
        f"the key {key} was loaded in an ssh-agent or had no passphrase, so any program of this user can sign with it"
    )


def is_before(at: datetime, asked_at: datetime) -> bool:
    """True if an answer has an earlier time than its question, by more than the clocks of two machines may differ.

    A question's random number does not exist before the question. An earlier time was written to make an expired key count.
    """
    return at < asked_at - _CLOCKS_DIFFER


def is_same_voter(voter: Voter, other: Voter) -> bool:
    """True if two votes are by one person or with one key. Alice@example.com and alice@example.com are one person."""
    return voter.who.casefold() == other.who.casefold() or bool(voter.key and voter.key == other.key)


def has_signers(approvers: Approvers) -> bool:
    """True if a key is enrolled that may approve. A key for attestations alone does not count."""
    entries = signers.parse(approvers.signers).entries
    return any(signer.allows(sshsig.APPROVAL_NAMESPACE) for _, signer in entries)


def verify(vote: Vote, approvers: Approvers, at: datetime) -> Voter:
    """Return the person who made the statement of a vote. Raise NotCounted or BadSignature if the proof is not theirs."""
    who = field_of(vote.statement, "who")
    match vote.proof:
        case OsProof(user=user):
            if who != user:
                raise NotCounted(f"the statement is by {who}, and the process ran as {user}")
            enrolled = (
                *signers.parse(approvers.signers).people(),
                *(key.who for key in passkeys.parse(approvers.passkeys)),
            )
            if user.casefold() in (name.casefold() for name in enrolled):
                raise NotCounted(f"{user} is an approver with a key, so a yes under this name must be signed")
            return Voter(who=user, assurance=Assurance.OS)
        case SshProof(signature=armored, statement=statement, public_key=public_key):
            return _ssh_voter(vote, who, armored, (statement, public_key), approvers, at)
        case PasskeyProof():
            return _passkey_voter(vote.statement, who, vote.proof, approvers)
        case ForgeProof(login=login, host=host):
            if who != dict(approvers.rules.forge_logins).get(login.casefold()):
                raise NotCounted(f"the policy does not map {login} to {who}", "see approve.forge_logins in whet.toml")
            return Voter(who=who, assurance=Assurance.OS, key=f"{host}/{login}", means="forge review")


def _ssh_voter(vote: Vote, who: str, armored: str, named: Sequence[str], approvers: Approvers, at: datetime) -> Voter:
    verified = sshsig.verify(armored, vote.statement.encode(), namespace=sshsig.APPROVAL_NAMESPACE)
    key = verified.key
    if tuple(named) != (vote.statement, key.text):
        raise NotCounted("the proof names another statement or another key than the one it was made with")
    people = signers.parse(approvers.signers).people_for(key, sshsig.APPROVAL_NAMESPACE, at)
    if who not in people:
        raise NotCounted(
            f"the key {key.fingerprint} may not sign for {who or 'anybody'} now", "`whet approvers` lists who may"
        )
    means = "ssh-sk" if key.in_hardware else "ssh"
    return Voter(who=who, assurance=verified.assurance, key=key.fingerprint, means=means)


def _passkey_voter(statement: str, who: str, proof: PasskeyProof, approvers: Approvers) -> Voter:
    """Return the person whose passkey made the proof. The authenticator verified them, or the proof does not hold."""
    if not has_signers(approvers):
        raise NotCounted("a passkey counts only beside enrolled signers", "enrol a key: `whet approvers enrol`")
    if proof.statement != statement:
        raise NotCounted("the proof names another statement than the one it was made with")
    enrolled = [
        key for key in passkeys.parse(approvers.passkeys) if (key.who, key.credential) == (who, proof.credential)
    ]
    if not enrolled:
        raise NotCounted(f"this passkey may not answer for {who or 'anybody'}", "`whet approvers` lists who may")
    passkeys.verify(proof, enrolled[0])
    return Voter(who=who, assurance=Assurance.VERIFIED, key=enrolled[0].fingerprint, means="passkey")


def missing(seats: Sequence[Seats], voters: Collection[Voter], rules: ApprovalRules) -> tuple[Seats, ...]:
    """Return the seats of a quorum that these people do not fill. One person may fill seats of several roles."""
    filled = {part.role: sum(rules.has_role(voter.who, part.role) for voter in voters) for part in seats}
    return tuple(
        Seats(count=part.count - filled[part.role], role=part.role) for part in seats if filled[part.role] < part.count
    )
