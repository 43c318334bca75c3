"""A new passkey: check the browser's answer to an invitation."""

from whet.domain.invitation import Invitation
from whet.errors import BadSignature, EnvironmentProblem
from whet.signing import passkeys


def new_passkey(invitation: Invitation, credential: str, client_data: str, attestation: str) -> passkeys.Passkey:
    """Return the passkey that a browser made for an invitation; its challenge is the SHA-256 of the signed statement.

    Raise BadSignature if the browser's answer does not hold together.
    """
    try:
        import webauthn
        from webauthn.helpers.exceptions import WebAuthnException
    except ImportError as missing:
        raise EnvironmentProblem("passkeys need another package", "pip install 'whet[web]'") from missing
    who, origin = invitation.invited, invitation.origin
    try:
        verified = webauthn.verify_registration_response(
            credential={
                "id": credential,
                "rawId": credential,
                "type": "public-key",
                "response": {"clientDataJSON": client_data, "attestationObject": attestation},
            },
            expected_challenge=passkeys.challenge(invitation.vote.statement),
            expected_rp_id=passkeys.Passkey(who=who, origin=origin, credential="", public_key="").rp_id,
            expected_origin=origin,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError, IndexError) as problem:
        raise BadSignature(
            f"the new passkey does not hold: {problem}", "open the link again and try again"
        ) from problem
    made = passkeys.Passkey(
        who=who,
        origin=origin,
        credential=passkeys.encode(verified.credential_id),
        public_key=passkeys.encode(verified.credential_public_key),
    )
    return passkeys.read(made.text)
