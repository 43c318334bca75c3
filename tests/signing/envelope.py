"""SSH signatures taken apart and put together again, field by field."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass

HEADER, FOOTER = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"


def string(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def number(value: int) -> bytes:
    return string(value.to_bytes(value.bit_length() // 8 + 1, "big") if value else b"")


def strings(data: bytes) -> list[bytes]:
    """Return all strings of `data`, which must hold nothing else."""
    items = []
    while data:
        length = int.from_bytes(data[:4], "big")
        assert len(data) >= 4 + length
        items.append(data[4 : 4 + length])
        data = data[4 + length :]
    return items


@dataclass(frozen=True)
class Envelope:
    """The fields of an SSHSIG. `tail` is what follows the value of the inner signature (flags and counter of FIDO)."""

    key: bytes
    algorithm: bytes
    value: bytes
    tail: bytes = b""
    namespace: bytes = b"whet-approval@v1"
    hash: bytes = b"sha512"
    magic: bytes = b"SSHSIG"
    version: int = 1
    reserved: bytes = b""
    after: bytes = b""

    @property
    def blob(self) -> bytes:
        return (
            self.magic
            + self.version.to_bytes(4, "big")
            + b"".join(map(string, (self.key, self.namespace, self.reserved, self.hash, self.inner)))
            + self.after
        )

    @property
    def inner(self) -> bytes:
        return string(self.algorithm) + string(self.value) + self.tail

    @property
    def armored(self) -> str:
        return armor(self.blob)


def armor(blob: bytes) -> str:
    text = base64.b64encode(blob).decode()
    lines = [text[start : start + 70] for start in range(0, len(text), 70)]
    return "\n".join([HEADER, *lines, FOOTER]) + "\n"


def dearmor(armored: str) -> bytes:
    return base64.b64decode("".join(armored.splitlines()[1:-1]))


def take_apart(armored: str) -> Envelope:
    blob = dearmor(armored)
    key, namespace, reserved, hash_, inner = strings(blob[10:])
    algorithm_end = 4 + int.from_bytes(inner[:4], "big")
    value_end = algorithm_end + 4 + int.from_bytes(inner[algorithm_end : algorithm_end + 4], "big")
    return Envelope(
        key=key,
        algorithm=inner[4:algorithm_end],
        value=inner[algorithm_end + 4 : value_end],
        tail=inner[value_end:],
        namespace=namespace,
        hash=hash_,
        reserved=reserved,
    )


def signed_data(message: bytes, namespace: bytes = b"whet-approval@v1", hash_: str = "sha512") -> bytes:
    digest = hashlib.new(hash_, message).digest()
    return b"SSHSIG" + b"".join(map(string, (namespace, b"", hash_.encode(), digest)))
