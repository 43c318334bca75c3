"""People with keys, and the questions that they answer."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ed25519

from tests.signing.envelope import Envelope, signed_data, string
from tests.signing.fido import TOUCHED, VERIFIED, Authenticator
from whet.config import Config
from whet.domain.approval import Answer, Gate, Question, Tier, Vote
from whet.domain.approvers import Approvers
from whet.domain.clock import now
from whet.domain.proof import OsProof, SshProof
from whet.domain.statement import ApprovalStatement
from whet.phases.approve.roll import approvers
from whet.phases.approve.votes import Ballot
from whet.signing.keys import PublicKey

DIGEST = "9c1d22aa" * 8
NAMESPACE = "whet-approval@v1"
SK = "sk-ssh-ed25519@openssh.com"


@dataclass(frozen=True)
class Person:
    """A person with a key in software, or with one in a security key (`device`) that gives these flags."""

    name: str
    private: ed25519.Ed25519PrivateKey = field(default_factory=ed25519.Ed25519PrivateKey.generate)
    device: Authenticator | None = None
    flags: int = TOUCHED

    @property
    def key(self) -> PublicKey:
        if self.device:
            return PublicKey.from_blob(self.device.blob)
        return PublicKey.from_blob(string(b"ssh-ed25519") + string(self.private.public_key().public_bytes_raw()))

    @property
    def line(self) -> str:
        """The person's line in whet.signers."""
        return f'{self.name} namespaces="{NAMESPACE}" {self.key.text}\n'

    def sign(self, text: str, namespace: bytes = NAMESPACE.encode()) -> str:
        """Return the armored signature over a text."""
        if self.device:
            return self.device.sign(text.encode(), self.flags).armored
        message = signed_data(text.encode(), namespace=namespace)
        envelope = Envelope(self.key.blob, b"ssh-ed25519", self.private.sign(message), namespace=namespace)
        return envelope.armored

    def proof(self, text: str) -> SshProof:
        return SshProof(public_key=self.key.text, signature=self.sign(text), statement=text)

    def vote(self, ballot: Ballot, why: str = "read it", **changed: Any) -> Vote:
        """Return this person's signed yes. `changed` replaces fields of the statement before it is signed."""
        about = ApprovalStatement.about(ballot.question, ballot.approvers.digest, Answer.APPROVED, self.name, why)
        text = replace(about, **changed).text
        return Vote(statement=text, proof=self.proof(text), via="test", at=now())


def touching(name: str) -> Person:
    return Person(name, device=Authenticator.make(SK))


def with_pin(name: str) -> Person:
    return Person(name, device=Authenticator.make(SK), flags=TOUCHED | VERIFIED)


def untouched(name: str) -> Person:
    return Person(name, device=Authenticator.make(SK), flags=0)


def word_of(name: str, ballot: Ballot, why: str = "read it") -> Vote:
    """Return a yes without a signature, by the user of a process."""
    about = ApprovalStatement.about(ballot.question, ballot.approvers.digest, Answer.APPROVED, name, why)
    return Vote(statement=about.text, proof=OsProof(uid=1000, user=name), via="test", at=now())


def question(tier: Tier = Tier.APPROVE, hours: float = 1.0, **fields: Any) -> Question:
    asked_at = now()
    known: dict[str, Any] = {
        "proposal": "p-1", "gate": Gate.APPLY, "tier": tier, "reasons": ("because",), "digest": DIGEST,
        "asked_at": asked_at, "expires_at": asked_at + timedelta(hours=hours), "repository": "a" * 40,
        "base": "b" * 40, "policy": "c" * 64, "verdict": "passed", "nonce": "d" * 32,
    }  # fmt: skip
    return Question(**{**known, **fields})


def enrolled(*people: Person, policy: dict[str, Any] | None = None, environment: str = "production") -> Approvers:
    config = Config.model_validate({"environment": environment, "approve": policy or {}})
    return approvers("".join(person.line for person in people), "", config)


def ballot(asked: Question, in_force: Approvers, suppliers: tuple[str, ...] = (), at: datetime | None = None) -> Ballot:
    return Ballot(asked, in_force, frozenset(suppliers), at or now())
