"""Private key files: their public half, and if a passphrase protects them. Both stand in the file unencrypted."""

import base64
import binascii
from dataclasses import dataclass
from pathlib import Path

from whet.errors import BadSignature, EnvironmentProblem
from whet.files import read_file
from whet.signing.keys import PublicKey
from whet.signing.wire import Reader

_MOST_BYTES = 65_536
_MAGIC = b"openssh-key-v1\0"
_OPENSSH = "-----BEGIN OPENSSH PRIVATE KEY-----"
_PEM_ENCRYPTED = "-----BEGIN ENCRYPTED PRIVATE KEY-----"
_PEM = tuple(f"-----BEGIN {name}PRIVATE KEY-----" for name in ("", "RSA ", "EC ", "DSA "))


@dataclass(frozen=True)
class KeyFile:
    """The readable part of a private key file. `public` is None in the formats that do not show it."""

    encrypted: bool
    public: PublicKey | None = None

    @property
    def asks_a_person(self) -> bool:
        """True if a signature with this key needs a passphrase or a touch. Any program can sign with other keys."""
        return self.encrypted or (self.public is not None and self.public.in_hardware)


def read_key_file(path: Path) -> KeyFile | None:
    """Read a private key file; None if it is not one of a known format."""
    try:
        text = read_file(path, _MOST_BYTES).decode("ascii", errors="replace").strip()
    except OSError as problem:
        raise EnvironmentProblem(f"the key {path} cannot be read: {problem.strerror}") from problem
    first, *rest = text.splitlines() or [""]
    if first == _OPENSSH:
        return _read_openssh("".join(rest[:-1]))
    if first == _PEM_ENCRYPTED:
        return KeyFile(encrypted=True)
    if first in _PEM:
        return KeyFile(encrypted=bool(rest) and rest[0] == "Proc-Type: 4,ENCRYPTED")
    return None


def has_passphrase(path: Path) -> bool | None:
    """True if the private key in this file is encrypted, None if the file is not a private key of a known format."""
    key = read_key_file(path)
    return None if key is None else key.encrypted


def _read_openssh(encoded: str) -> KeyFile | None:
    try:
        fields = Reader(base64.b64decode(encoded, validate=True), "the key")
        if fields.take(len(_MAGIC)) != _MAGIC:
            return None
        cipher, _, _, count = fields.name(), fields.string(), fields.string(), fields.uint32()
        return KeyFile(cipher != "none", PublicKey.from_blob(fields.string())) if count == 1 else None
    except (binascii.Error, BadSignature):
        return None
