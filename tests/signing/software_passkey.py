"""A passkey in software: it answers whatever a test asks for, also what no honest device would answer."""

import json
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from whet.domain.proof import PasskeyProof
from whet.signing.passkeys import challenge, encode

PRESENT, VERIFIED, _HAS_KEY = 0x01, 0x04, 0x40


@dataclass
class SoftwarePasskey:
    """A P-256 passkey of one person for one origin."""

    who: str = "alice@example.com"
    origin: str = "http://localhost:8787"
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    @property
    def credential(self) -> str:
        return encode(sha256(self.cose).digest()[:16])

    @property
    def cose(self) -> bytes:
        """The public key as the COSE map {1: 2, 3: -7, -1: 1, -2: x, -3: y}."""
        numbers = self.private.public_key().public_numbers()
        x, y = (value.to_bytes(32, "big") for value in (numbers.x, numbers.y))
        return bytes.fromhex("a5010203262001215820") + x + bytes.fromhex("225820") + y

    @property
    def line(self) -> str:
        return f"{self.who} {self.origin} {self.credential} {encode(self.cose)}"

    def registration(
        self, statement: str, *, flags: int = PRESENT | VERIFIED, origin: str = "", typed: str = "webauthn.create"
    ) -> dict[str, str]:
        """Return the fields that a browser sends after it made this passkey, with the statement's digest as challenge."""
        client = {"type": typed, "challenge": encode(challenge(statement)), "origin": origin or self.origin}
        credential = sha256(self.cose).digest()[:16]
        data = sha256((urlsplit(origin or self.origin).hostname or "").encode()).digest() + bytes([flags | _HAS_KEY])
        data += bytes(4) + bytes(16) + len(credential).to_bytes(2, "big") + credential + self.cose
        head = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58"  # a CBOR map with three members
        return {
            "credential": self.credential,
            "client_data": encode(json.dumps(client).encode()),
            "attestation": encode(head + bytes([len(data)]) + data),
        }

    def answer(
        self,
        statement: str,
        *,
        flags: int = PRESENT | VERIFIED,
        counter: int = 1,
        origin: str = "",
        signs: str = "",
        cross_origin: bool = False,
    ) -> PasskeyProof:
        """Return the proof of an answer to `statement`. The assertion is over `signs`, if that is given."""
        rp_id = urlsplit(origin or self.origin).hostname or ""
        client = {
            "type": "webauthn.get",
            "challenge": encode(challenge(signs or statement)),
            "origin": origin or self.origin,
            "crossOrigin": cross_origin,
        }
        client_data = json.dumps(client).encode()
        data = sha256(rp_id.encode()).digest() + bytes([flags]) + counter.to_bytes(4, "big")
        signature = self.private.sign(data + sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        return PasskeyProof(
            credential=self.credential,
            client_data=encode(client_data),
            authenticator_data=encode(data),
            signature=encode(signature),
            statement=statement,
        )
