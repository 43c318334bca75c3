"""Passkeys of people: the lines of `whet.passkeys`, and the check of an assertion that one of them made.

    # comment
    alice@example.com http://localhost:8787 CREDENTIAL PUBLIC-KEY

The origin is the address of the one server that the passkey answers; `CREDENTIAL` and `PUBLIC-KEY` (COSE) are base64url.
Every line must be understood: a file with one bad line is refused as a whole.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from whet.domain.proof import PasskeyProof
from whet.errors import BadSignature, BadSigners, EnvironmentProblem

_NAME = re.compile(r"[!-~]{1,255}")
_REFUSED_IN_NAMES = frozenset("\"'\\,*?!#$`;&|<>(){}")
_BASE64URL = re.compile(r"[A-Za-z0-9_-]{1,2000}")
_FIELDS = 4
LONGEST = 20_000  # characters of one field of an assertion


@dataclass(frozen=True, kw_only=True)
class Passkey:
    """One line of `whet.passkeys`: who it stands for, the origin it answers, its id and its public key."""

    who: str
    origin: str
    credential: str
    public_key: str

    @property
    def text(self) -> str:
        return f"{self.who} {self.origin} {self.credential} {self.public_key}"

    @property
    def rp_id(self) -> str:
        """Return the name that the passkey is bound to: the host of its origin."""
        return urlsplit(self.origin).hostname or ""

    @cached_property
    def fingerprint(self) -> str:
        """Return a short name of the key, in the form that SSH keys have."""
        digest = sha256(decode(self.public_key, "the public key")).digest()
        return f"SHA256:{base64.b64encode(digest).decode().rstrip('=')}"


def parse(text: str) -> tuple[Passkey, ...]:
    """Read the file. Raise BadSigners, with the number of the line, if any line is not understood."""
    passkeys: list[Passkey] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                passkeys.append(read(line))
            except (BadSigners, BadSignature) as problem:
                raise BadSigners(f"line {number} of the passkeys: {problem.message}", problem.remedy) from problem
    _refuse_doubles(passkeys)
    return tuple(passkeys)


def read(line: str) -> Passkey:
    """Read one line. Refuse names and origins that look like others or are not visible."""
    fields = line.split(" ")
    if len(fields) != _FIELDS:
        raise BadSigners("it has another form", "NAME ORIGIN CREDENTIAL PUBLIC-KEY, with one space between them")
    who, origin, credential, public_key = fields
    if not _NAME.fullmatch(who) or _REFUSED_IN_NAMES & set(who):
        raise BadSigners(f"{who!r} is not a name", "use an address such as alice@example.com")
    _refuse_origin(origin)
    decode(credential, "the credential")
    decode(public_key, "the public key")
    return Passkey(who=who, origin=origin, credential=credential, public_key=public_key)


def canonical(text: str) -> str:
    """Return what the file says, in one form: comments and the order of the lines do not count."""
    return "".join(f"{line}\n" for line in sorted(passkey.text for passkey in parse(text)))


def challenge(statement: str) -> bytes:
    """Return the challenge of an assertion: the SHA-256 of the statement, so that it can be used for nothing else."""
    return sha256(statement.encode()).digest()


def verify(proof: PasskeyProof, passkey: Passkey) -> int:
    """Check that the passkey made this assertion over the proof's statement, with the person verified.

    Return the counter of the authenticator; 0 if it has none. Raise BadSignature if anything is wrong.
    """
    fields = (proof.credential, proof.client_data, proof.authenticator_data, proof.signature)
    if any(len(value) > LONGEST for value in fields):
        raise BadSignature("a field of the passkey's answer is too long")
    if proof.credential != passkey.credential:
        raise BadSignature("the answer is by another passkey")
    _refuse_frames(proof.client_data)
    webauthn, refusals = _library()
    try:
        verified = webauthn.verify_authentication_response(
            credential={
                "id": proof.credential,
                "rawId": proof.credential,
                "type": "public-key",
                "response": {
                    "clientDataJSON": proof.client_data,
                    "authenticatorData": proof.authenticator_data,
                    "signature": proof.signature,
                },
            },
            expected_challenge=challenge(proof.statement),
            expected_rp_id=passkey.rp_id,
            expected_origin=passkey.origin,
            credential_public_key=decode(passkey.public_key, "the public key"),
            credential_current_sign_count=0,
            require_user_verification=True,
        )
    except refusals as problem:
        raise BadSignature(
            f"the passkey's answer does not hold: {problem}", "open the page again and approve there"
        ) from problem
    return int(verified.new_sign_count)


def signed_by(proof: PasskeyProof, passkey: Passkey) -> bool:
    """True if the passkey made the assertion, for whatever text, page and time. It does not say that the answer counts."""
    webauthn, refusals = _library()
    from cryptography.exceptions import InvalidSignature

    try:
        public_key = webauthn.helpers.decode_credential_public_key(decode(passkey.public_key, "the public key"))
        webauthn.helpers.verify_signature(
            public_key=webauthn.helpers.decoded_public_key_to_cryptography(public_key),
            signature_alg=public_key.alg,
            signature=decode(proof.signature, "the signature"),
            data=decode(proof.authenticator_data, "the authenticator's data")
            + sha256(decode(proof.client_data, "the client data")).digest(),
        )
    except refusals:
        return False
    except (InvalidSignature, BadSignature):
        return False
    return True


def decode(text: str, what: str) -> bytes:
    """Return the bytes of base64url text. Refuse every other spelling of the same bytes."""
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)) if _BASE64URL.fullmatch(text) else b""
    except (binascii.Error, ValueError):
        data = b""
    if not data or encode(data) != text:
        raise BadSignature(f"{what} is not base64url")
    return data


def encode(data: bytes) -> str:
    """Return bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def counter_of(proof: PasskeyProof) -> int:
    """Return the counter that an assertion states: bytes 33 to 36 of the authenticator's data; 0 if it has none."""
    return int.from_bytes(decode(proof.authenticator_data, "the authenticator's data")[33:37], "big")


def _refuse_frames(client_data: str) -> None:
    """Refuse an assertion that a frame of another site asked for."""
    try:
        fields = json.loads(decode(client_data, "the client data"))
    except (ValueError, RecursionError) as problem:
        raise BadSignature("the client data is not JSON") from problem
    if not isinstance(fields, dict) or fields.get("crossOrigin", False) is not False:
        raise BadSignature("the passkey was asked by a frame of another site")


def _refuse_origin(origin: str) -> None:
    """Refuse an origin that is not one, and one without TLS beyond this machine: browsers offer passkeys to no other."""
    parts = urlsplit(origin)
    try:
        port = parts.port
    except ValueError:
        port = 0
    host = parts.hostname or ""
    spelled = f"{parts.scheme}://{host}" + (f":{port}" if port else "")
    secure = parts.scheme == "https" or (parts.scheme == "http" and host == "localhost")
    if not secure or origin != spelled or not re.fullmatch(r"[a-z0-9.-]{1,253}", host):
        raise BadSigners(f"{origin!r} is not an origin", "https://whet.example.com, or http://localhost:8787")


def _refuse_doubles(passkeys: Iterable[Passkey]) -> None:
    seen: set[str] = set()
    for passkey in passkeys:
        for name in (passkey.credential, passkey.public_key):
            if name in seen:
                raise BadSigners(f"a passkey of {passkey.who} is listed twice", "one passkey stands for one person")
            seen.add(name)


def _library() -> tuple[Any, tuple[type[Exception], ...]]:
    """Return the library and the errors that it raises about an assertion."""
    try:
        import webauthn
        from webauthn.helpers.exceptions import WebAuthnException
    except ImportError as missing:
        raise EnvironmentProblem("passkeys need another package", "pip install 'whet[web]'") from missing
    return webauthn, (WebAuthnException, ValueError, KeyError, TypeError, IndexError)
