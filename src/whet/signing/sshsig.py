"""Check SSH signatures in the SSHSIG format, as `ssh-keygen -Y sign` writes them.

`ssh-keygen -Y verify` accepts the signature of a FIDO key that nobody touched. This module reads the touch and PIN
flags, refuses such a signature, and tells the caller which flags were set. In a few other places it is stricter than
ssh-keygen: one spelling of each signature, no unsigned content, no SHA-1, no DSA, no certificates, no small RSA keys.
"""

import hashlib
from dataclasses import dataclass

from whet.domain.proof import Assurance
from whet.errors import BadSignature
from whet.signing import primitives
from whet.signing.keys import RSA, PublicKey, decode_base64
from whet.signing.wire import Reader, string

APPROVAL_NAMESPACE = "whet-approval@v1"
ATTESTATION_NAMESPACE = "whet-attestation@v1"
LONGEST = 32_768  # characters of an armored signature; one by the longest RSA key has about 6,000

TOUCHED, VERIFIED = 0x01, 0x04

_HEADER, _FOOTER = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"
_MAGIC, _VERSION = b"SSHSIG", 1
_HASHES = ("sha256", "sha512")
_RSA_ALGORITHMS = ("rsa-sha2-256", "rsa-sha2-512")


@dataclass(frozen=True)
class VerifiedSignature:
    """A signature that was checked. `flags` and `counter` are those of a FIDO key; None for a key in software."""

    key: PublicKey
    flags: int | None = None
    counter: int | None = None

    @property
    def assurance(self) -> Assurance:
        if self.flags is None:
            return Assurance.OS if self.key.in_hardware else Assurance.SIGNATURE
        if not self.flags & TOUCHED:
            return Assurance.OS
        return Assurance.VERIFIED if self.flags & VERIFIED else Assurance.PRESENCE


@dataclass(frozen=True)
class _Envelope:
    """The fields of an SSHSIG that are not constant."""

    key: PublicKey
    namespace: bytes
    hash: str
    signature: bytes


def verify(armored: str, message: bytes, *, namespace: str) -> VerifiedSignature:
    """Check that the signature is over exactly `message` in `namespace`; raise BadSignature if anything is wrong.

    The key is the one inside the signature: the caller must still look up to whom it belongs (`signers.people_for`).
    """
    envelope = _read(_dearmor(armored))
    if not namespace or envelope.namespace != namespace.encode():
        raise BadSignature(
            f"the signature is for {envelope.namespace[:99].decode(errors='replace')!r}, not for {namespace!r}",
            f"sign with `ssh-keygen -Y sign -n {namespace}`",
        )
    signed = b"".join(
        [
            _MAGIC,
            string(envelope.namespace),
            string(b""),
            string(envelope.hash.encode()),
            string(hashlib.new(envelope.hash, message).digest()),
        ]
    )
    return _check(envelope.key, envelope.signature, signed)


def _dearmor(armored: str) -> bytes:
    if len(armored) > LONGEST:
        raise BadSignature(f"the signature is longer than {LONGEST:,} characters")
    lines = armored.removesuffix("\n").split("\n")
    if lines[0] != _HEADER or lines[-1] != _FOOTER:
        raise BadSignature(
            "the signature is not an SSH signature",
            f"it begins with {_HEADER}, ends with {_FOOTER}, and has no carriage returns",
        )
    return decode_base64("".join(lines[1:-1]), "the signature")


def _read(blob: bytes) -> _Envelope:
    fields = Reader(blob, "the signature")
    if fields.take(len(_MAGIC)) != _MAGIC:
        raise BadSignature("the signature is not an SSH signature: its first bytes differ")
    version = fields.uint32()
    if version != _VERSION:
        raise BadSignature(f"the signature has version {version}, not {_VERSION}")
    key = PublicKey.from_blob(fields.string())
    namespace, reserved, hash_, signature = fields.string(), fields.string(), fields.name(), fields.string()
    fields.end()
    if reserved:
        raise BadSignature("the signature has content in its reserved field, which is not signed")
    if hash_ not in _HASHES:
        raise BadSignature(f"the signature uses the hash {hash_!r}, not {' or '.join(_HASHES)}")
    return _Envelope(key, namespace, hash_, signature)


def _check(key: PublicKey, signature: bytes, signed: bytes) -> VerifiedSignature:
    fields = Reader(signature, "the inner signature")
    algorithm, value = fields.name(), fields.string()
    if algorithm not in (_RSA_ALGORITHMS if key.type == RSA else (key.type,)):
        raise BadSignature(f"the signature by a key of type {key.type} uses {algorithm!r}")
    if not key.in_hardware:
        fields.end()
        primitives.check(key, algorithm, value, signed)
        return VerifiedSignature(key)
    flags, counter = fields.byte(), fields.uint32()
    fields.end()
    primitives.check_hardware(key, value, flags, counter, signed)
    if not flags & TOUCHED:
        raise BadSignature(
            "nobody touched the security key for this signature",
            "use a key made without `no-touch-required`, and touch it when it blinks",
        )
    return VerifiedSignature(key, flags, counter)
