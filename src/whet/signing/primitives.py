"""The arithmetic of signatures, done by the `cryptography` package, which is imported where it is used."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from whet.errors import BadSignature
from whet.signing.keys import ED25519, RSA, SK_ED25519, PublicKey
from whet.signing.wire import Reader

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurve
    from cryptography.hazmat.primitives.hashes import HashAlgorithm

WRONG = "the signature does not fit the message and the key"


def check(key: PublicKey, algorithm: str, value: bytes, signed: bytes) -> None:
    """Refuse a signature by a key in software that is not over `signed`."""
    fields = Reader(key.blob, "the public key")
    fields.string()
    if key.type == ED25519:
        _check_ed25519(fields.string(), value, signed)
    elif key.type == RSA:
        exponent, modulus = fields.natural(), fields.natural()
        _check_rsa(exponent, modulus, algorithm, value, signed)
    else:
        fields.string()
        _check_ecdsa(key.type, fields.string(), value, signed)


def check_hardware(key: PublicKey, value: bytes, flags: int, counter: int, signed: bytes) -> None:
    """Refuse a signature by a FIDO key that is not over `signed` with these flags and this counter."""
    fields = Reader(key.blob, "the public key")
    fields.string()
    if key.type == SK_ED25519:
        point, application = fields.string(), fields.string()
    else:
        _, point, application = fields.string(), fields.string(), fields.string()
    data = sha256(application).digest() + bytes([flags]) + counter.to_bytes(4, "big") + sha256(signed).digest()
    if key.type == SK_ED25519:
        _check_ed25519(point, value, data)
    else:
        _check_ecdsa("ecdsa-sha2-nistp256", point, value, data)


def _check_ed25519(point: bytes, value: bytes, signed: bytes) -> None:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(point).verify(value, signed)
    except (InvalidSignature, ValueError) as problem:
        raise BadSignature(WRONG) from problem


def _check_rsa(exponent: int, modulus: int, algorithm: str, value: bytes, signed: bytes) -> None:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers

    digest = hashes.SHA256() if algorithm == "rsa-sha2-256" else hashes.SHA512()
    try:
        RSAPublicNumbers(exponent, modulus).public_key().verify(value, signed, PKCS1v15(), digest)
    except (InvalidSignature, ValueError) as problem:
        raise BadSignature(WRONG) from problem


def _check_ecdsa(type_: str, point: bytes, value: bytes, signed: bytes) -> None:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

    fields = Reader(value, "the inner signature")
    r, s = fields.natural(), fields.natural()
    fields.end()
    curve, digest = _curve(type_)
    try:
        key = EllipticCurvePublicKey.from_encoded_point(curve, point)
        key.verify(encode_dss_signature(r, s), signed, ECDSA(digest))
    except (InvalidSignature, ValueError) as problem:
        raise BadSignature(WRONG) from problem


def _curve(type_: str) -> tuple[EllipticCurve, HashAlgorithm]:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec

    if type_ == "ecdsa-sha2-nistp256":
        return ec.SECP256R1(), hashes.SHA256()
    if type_ == "ecdsa-sha2-nistp384":
        return ec.SECP384R1(), hashes.SHA384()
    return ec.SECP521R1(), hashes.SHA512()
