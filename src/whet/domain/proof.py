"""Proofs that a person gave an answer, and how much each kind of proof shows."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Literal

_STRICT = {"extra": "forbid"}  # read by pydantic: recorded data with a field of another kind of proof is corrupt


class Assurance(StrEnum):
    """The strength of a proof, from least to most. Members compare by this order, not by their text."""

    OS = "os"  # the process ran under this user; any program of the same user can do that
    SIGNATURE = "signature"  # the holder of a private key signed the statement
    PRESENCE = "presence"  # a person also touched the device that holds the key
    VERIFIED = "verified"  # the device also checked the person's PIN or fingerprint

    @property
    def rank(self) -> int:
        return list(Assurance).index(self)

    def __lt__(self, other: str) -> bool:
        return self.rank < Assurance(other).rank

    def __le__(self, other: str) -> bool:
        return self.rank <= Assurance(other).rank

    def __gt__(self, other: str) -> bool:
        return self.rank > Assurance(other).rank

    def __ge__(self, other: str) -> bool:
        return self.rank >= Assurance(other).rank


@dataclass(frozen=True, kw_only=True)
class OsProof:
    """The user that the operating system gives for the process. Every program of that user has this proof."""

    __pydantic_config__: ClassVar[dict[str, str]] = _STRICT
    kind: Literal["os"] = "os"
    uid: int
    user: str


@dataclass(frozen=True, kw_only=True)
class SshProof:
    """An SSH signature over `statement`.

    `public_key` is one line as in a `.pub` file without its comment, `signature` the armored SSHSIG, `statement` the
    exact text that was signed.
    """

    __pydantic_config__: ClassVar[dict[str, str]] = _STRICT
    kind: Literal["ssh"] = "ssh"
    public_key: str
    signature: str
    statement: str


@dataclass(frozen=True, kw_only=True)
class PasskeyProof:
    """A WebAuthn assertion whose challenge is the SHA-256 of `statement`. The other fields are base64url."""

    __pydantic_config__: ClassVar[dict[str, str]] = _STRICT
    kind: Literal["passkey"] = "passkey"
    credential: str
    client_data: str
    authenticator_data: str
    signature: str
    statement: str


@dataclass(frozen=True, kw_only=True)
class ForgeProof:
    """A review on a forge: host, id of the review, reviewed commit, login of the reviewer."""

    __pydantic_config__: ClassVar[dict[str, str]] = _STRICT
    kind: Literal["forge"] = "forge"
    host: str
    review: str
    commit: str
    login: str


Proof = OsProof | SshProof | PasskeyProof | ForgeProof
