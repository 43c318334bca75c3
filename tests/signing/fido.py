"""A FIDO authenticator in software: it signs as a hardware key does, with flags and a counter of the test's choice."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.signing.envelope import Envelope, number, signed_data, string

TOUCHED, VERIFIED = 0x01, 0x04


@dataclass(frozen=True)
class Authenticator:
    """A key in an authenticator, registered for `application`."""

    private: ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey
    application: bytes = b"ssh:"

    @classmethod
    def make(cls, type_: str, application: bytes = b"ssh:") -> Authenticator:
        if type_ == "sk-ssh-ed25519@openssh.com":
            return cls(ed25519.Ed25519PrivateKey.generate(), application)
        return cls(ec.generate_private_key(ec.SECP256R1()), application)

    @property
    def type(self) -> bytes:
        if isinstance(self.private, ed25519.Ed25519PrivateKey):
            return b"sk-ssh-ed25519@openssh.com"
        return b"sk-ecdsa-sha2-nistp256@openssh.com"

    @property
    def blob(self) -> bytes:
        return self.blob_for(self.application)

    def blob_for(self, application: bytes) -> bytes:
        """Return the public key as if it were registered for `application`."""
        if isinstance(self.private, ed25519.Ed25519PrivateKey):
            fields = [self.type, self.private.public_key().public_bytes_raw()]
        else:
            point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
            fields = [self.type, b"nistp256", point]
        return b"".join(map(string, [*fields, application]))

    def sign(
        self, message: bytes, flags: int = TOUCHED, counter: int = 7, namespace: bytes = b"whet-approval@v1"
    ) -> Envelope:
        tail = bytes([flags]) + counter.to_bytes(4, "big")
        return Envelope(
            key=self.blob,
            algorithm=self.type,
            value=self.sign_raw(
                sha256(self.application).digest() + tail + sha256(signed_data(message, namespace)).digest()
            ),
            tail=tail,
            namespace=namespace,
        )

    def sign_raw(self, data: bytes) -> bytes:
        """Return the value of the inner signature over the data that the authenticator signs."""
        if isinstance(self.private, ed25519.Ed25519PrivateKey):
            return self.private.sign(data)
        r, s = decode_dss_signature(self.private.sign(data, ec.ECDSA(SHA256())))
        return number(r) + number(s)
