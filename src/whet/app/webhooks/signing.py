"""Signatures of webhooks: Standard Webhooks for those sent, GitHub's and GitLab's for those received. Pure functions."""

import base64
import binascii
import hashlib
import hmac
import secrets
from collections.abc import Mapping

PREFIX = "whsec_"
_TOLERANCE_SECONDS = 300


def make_secret() -> str:
    """Return a new secret in the form of Standard Webhooks."""
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the value of the header webhook-signature for a body."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(_key(secret), signed, hashlib.sha256)).decode()


def github_is_genuine(secret: str, headers: Mapping[str, str], body: bytes) -> bool:
    """True if X-Hub-Signature-256 is the HMAC of the raw body."""
    expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return _equal(headers.get("x-hub-signature-256", ""), expected)


def gitlab_is_genuine(secret: str, headers: Mapping[str, str], body: bytes, at: float) -> bool:
    """True if the request has a signature of Standard Webhooks over the raw body, not older than five minutes; or, from
    a GitLab that does not sign, the secret itself in X-Gitlab-Token."""
    if "webhook-signature" not in headers:
        return _equal(headers.get("x-gitlab-token", ""), secret)
    sent_at = headers.get("webhook-timestamp", "")
    if (
        not (sent_at.isascii() and sent_at.isdigit() and len(sent_at) < 12)
        or abs(at - int(sent_at)) > _TOLERANCE_SECONDS
    ):
        return False
    expected = sign(secret, headers.get("webhook-id", ""), int(sent_at), body)
    return any(_equal(signature, expected) for signature in headers["webhook-signature"].split())


def _equal(received: str, expected: str) -> bool:
    return hmac.compare_digest(received.encode(errors="replace"), expected.encode())


def _key(secret: str) -> bytes:
    """Return the bytes of a secret: decoded from base64 after `whsec_`, else the text itself."""
    if not secret.startswith(PREFIX):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except binascii.Error:
        return secret.encode()
