"""A new passkey: check the browser's answer and make the line of `whet.passkeys` from it."""

from hashlib import sha256

from whet.errors import BadSignature, EnvironmentProblem
from whet.signing import passkeys


def enrolment_challenge(who: str, origin: str) -> bytes:
    """Return the challenge of an enrolment. It need not be new each time: a new key proves nothing until it is signed for."""
    return sha256(f"whet passkey v1\norigin: {origin}\nwho: {who}\n".encode()).digest()


def new_line(who: str, origin: str, credential: str, client_data: str, attestation: str) -> str:
    """Return the line of a new passkey. Raise BadSignature if the browser's answer does not hold together."""
    try:
        import webauthn
        from webauthn.helpers.exceptions import WebAuthnException
    except ImportError as missing:
        raise EnvironmentProblem("passkeys need another package", "pip install 'whet[web]'") from missing
    rp_id = passkeys.Passkey(who=who, origin=origin, credential="", public_key="").rp_id
    try:
        verified = webauthn.verify_registration_response(
            credential={
                "id": credential,
                "rawId": credential,
                "type": "public-key",
                "response": {"clientDataJSON": client_data, "attestationObject": attestation},
            },
            expected_challenge=enrolment_challenge(who, origin),
            expected_rp_id=rp_id,
            expected_origin=origin,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError, IndexError) as problem:
        raise BadSignature(f"the new passkey does not hold: {problem}", "open /passkeys and try again") from problem
    made = passkeys.Passkey(
        who=who,
        origin=origin,
        credential=passkeys.encode(verified.credential_id),
        public_key=passkeys.encode(verified.credential_public_key),
    )
    return passkeys.read(made.text).text
