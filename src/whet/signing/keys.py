"""Public SSH keys: their text, their fingerprint, and what makes one unacceptable."""

import base64
import binascii
import re
from dataclasses import dataclass
from hashlib import sha256

from whet.errors import BadSignature
from whet.signing.wire import Reader

ED25519, RSA = "ssh-ed25519", "ssh-rsa"
SK_ED25519, SK_ECDSA = "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com"
CURVES = {"ecdsa-sha2-nistp256": 32, "ecdsa-sha2-nistp384": 48, "ecdsa-sha2-nistp521": 66}
"""The bytes of one coordinate, by key type."""

LEAST_RSA_BITS, MOST_RSA_BITS = 2048, 16384
APPLICATION_PREFIX = "ssh:"  # the authenticator keeps keys of SSH and of web sites apart by this name

_P25519 = 2**255 - 19
_ORDER_8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022
WEAK_ED25519 = frozenset({0, 1, _ORDER_8, _P25519 - _ORDER_8, _P25519 - 1})
"""The y coordinates of points of small order. Anybody can make signatures that such a key accepts."""


@dataclass(frozen=True)
class PublicKey:
    """A public key of a supported type. `blob` is its SSH encoding, which starts with the type."""

    type: str
    blob: bytes

    @classmethod
    def from_text(cls, line: str) -> "PublicKey":
        """Read a key as it stands in a `.pub` file: type, base64, comment. Raise BadSignature if it is unacceptable."""
        type_, encoded, *_ = [*re.split(r"[ \t]+", line.strip(), maxsplit=2), "", ""]
        if "\n" in line.strip():
            raise BadSignature("the public key has more than one line", "give one key")
        key = cls.from_blob(decode_base64(encoded, "the public key"))
        if key.type != type_:
            raise BadSignature(f"the public key says {type_[:99]!r} and is {key.type}")
        return key

    @classmethod
    def from_blob(cls, blob: bytes) -> "PublicKey":
        """Read a key in its SSH encoding. Raise BadSignature if it is malformed, weak or of an unsupported type."""
        fields = Reader(blob, "the public key")
        type_ = fields.name()
        _check(type_, fields)
        fields.end()
        return cls(type_, blob)

    @property
    def text(self) -> str:
        """Return the key as in a `.pub` file, without a comment."""
        return f"{self.type} {base64.b64encode(self.blob).decode()}"

    @property
    def fingerprint(self) -> str:
        """Return the fingerprint as ssh-keygen prints it."""
        return "SHA256:" + base64.b64encode(sha256(self.blob).digest()).decode().rstrip("=")

    @property
    def in_hardware(self) -> bool:
        """True if the private key is in a FIDO authenticator, which says in each signature if it was touched."""
        return self.type in (SK_ED25519, SK_ECDSA)


def decode_base64(text: str, what: str) -> bytes:
    """Return the bytes. Refuse other characters and a second spelling of the same bytes."""
    try:
        data = base64.b64decode(text)
    except (binascii.Error, ValueError) as problem:
        raise BadSignature(f"{what} is not base64") from problem
    if base64.b64encode(data).decode() != text:  # characters that the decoder skips, or bits after the last byte
        raise BadSignature(f"{what} is not base64")
    return data


def _check(type_: str, fields: Reader) -> None:
    """Read the fields after the type and refuse values that no honest key has."""
    if type_ == ED25519:
        _check_ed25519(fields)
    elif type_ == SK_ED25519:
        _check_ed25519(fields)
        _check_application(fields)
    elif type_ == SK_ECDSA:
        _check_point("ecdsa-sha2-nistp256", fields)
        _check_application(fields)
    elif type_ in CURVES:
        _check_point(type_, fields)
    elif type_ == RSA:
        _check_rsa(fields)
    else:
        raise BadSignature(
            f"keys of type {type_!r} are not supported",
            "use an ed25519-sk, ecdsa-sk, ed25519, ecdsa or rsa key; no certificates",
        )


def _check_ed25519(fields: Reader) -> None:
    data = fields.string()
    if len(data) != 32:
        raise BadSignature(f"the public key has {len(data)} bytes, an ed25519 key has 32")
    y = int.from_bytes(data, "little") % 2**255  # the highest bit is the sign of x
    if y >= _P25519:
        raise BadSignature("the public key is not written in its one canonical form")
    if y in WEAK_ED25519:
        raise BadSignature("the public key is weak: anybody can sign for it")


def _check_point(type_: str, fields: Reader) -> None:
    curve, point = fields.name(), fields.string()
    if curve != type_.removeprefix("ecdsa-sha2-"):
        raise BadSignature(f"the public key of type {type_} is on the curve {curve!r}")
    if len(point) != 1 + 2 * CURVES[type_] or point[0] != 4:
        raise BadSignature("the public key is not an uncompressed point of its curve")


def _check_application(fields: Reader) -> None:
    application = fields.name()
    if not application.startswith(APPLICATION_PREFIX):
        raise BadSignature(f"the public key is for {application!r}, not for SSH ({APPLICATION_PREFIX!r})")


def _check_rsa(fields: Reader) -> None:
    exponent, modulus = fields.natural(), fields.natural()
    if not LEAST_RSA_BITS <= modulus.bit_length() <= MOST_RSA_BITS:
        raise BadSignature(
            f"the RSA key has {modulus.bit_length()} bits, not {LEAST_RSA_BITS} to {MOST_RSA_BITS}",
            "use an ed25519 key",
        )
    if exponent < 3 or exponent % 2 == 0 or exponent.bit_length() > 32 or modulus % 2 == 0:
        raise BadSignature("the RSA key is weak: its exponent or modulus is not one of an honest key")
