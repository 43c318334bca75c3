"""Tokens of programs that use the web server. Their secrets are stored as digests; no scope permits an approval."""

import hashlib
import json
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

from whet import state_folder
from whet.domain.clock import now
from whet.errors import StateUnusable, UsageError
from whet.files import MB

FILE = "tokens.json"
PREFIX = "whet_"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


class TokenScope(StrEnum):
    """A thing that a token may do. There is none for approving: that takes a signature of a person.

    `send` is for applications that export telemetry; alone, it does not permit to read.
    """

    READ = "read"
    SUGGEST = "suggest"
    PROVE = "prove"
    SEND = "send"


@dataclass(frozen=True, kw_only=True)
class Token:
    """A token on file: its name, its scopes and the SHA-256 of its secret. The secret itself is shown once, when made."""

    name: str
    scopes: frozenset[TokenScope]
    digest: str
    created_at: datetime
    expires_at: datetime | None = None

    @property
    def is_valid(self) -> bool:
        return self.expires_at is None or self.expires_at > now()


def parse_scopes(names: Iterable[str]) -> frozenset[TokenScope]:
    """Return the scopes with these names; reading is one of them, except for a token that only sends telemetry."""
    names = set(names)
    if unknown := sorted(names - {scope.value for scope in TokenScope}):
        known = ", ".join(scope.value for scope in TokenScope)
        raise UsageError(f"{unknown[0]!r} is not a scope", f"name one or more of {known}; no token can approve")
    scopes = frozenset(map(TokenScope, names))
    return scopes if scopes == {TokenScope.SEND} else scopes | {TokenScope.READ}


def create_token(state: Path, name: str, scopes: frozenset[TokenScope], days: int | None = None) -> tuple[Token, str]:
    """Make a token and return it with its secret, which is not stored. Refuse a name that is in use."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is not a name for a token", "use letters, digits, dots and dashes, such as ci")
    secret = PREFIX + secrets.token_urlsafe(32)
    token = Token(
        name=name,
        scopes=scopes,
        digest=_digest(secret),
        created_at=now(),
        expires_at=now() + timedelta(days=days) if days else None,
    )
    state_folder.make_folder(state)
    with state_folder.locked(state, f"{FILE}.lock"):
        tokens = list_tokens(state)
        if any(other.name == name for other in tokens):
            raise UsageError(f"there is a token {name!r} already", f"`whet tokens revoke {name}` removes it")
        _write(state, [*tokens, token])
    return token, secret


def revoke_token(state: Path, name: str) -> None:
    """Remove a token. The server refuses it from its next request on."""
    state_folder.make_folder(state)
    with state_folder.locked(state, f"{FILE}.lock"):
        tokens = list_tokens(state)
        kept = [token for token in tokens if token.name != name]
        if len(kept) == len(tokens):
            raise UsageError(f"there is no token {name!r}", "`whet tokens list` shows those there are")
        _write(state, kept)


def list_tokens(state: Path) -> list[Token]:
    """Return the tokens of a state folder, oldest first."""
    try:
        raw = state_folder.read(state, FILE, most_bytes=MB)
    except FileNotFoundError:
        return []
    try:
        return [_token(row) for row in json.loads(raw)]
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise StateUnusable(
            f"{state / FILE} cannot be read: {problem}", "remove it and make the tokens again"
        ) from None


def find_token(state: Path, secret: str) -> Token | None:
    """Return the valid token with this secret; None if there is none.

    The digests are compared, so the time that the comparison takes says nothing about the secret.
    """
    wanted = _digest(secret)
    return next((token for token in list_tokens(state) if token.digest == wanted and token.is_valid), None)


def describe_token(token: Token) -> dict[str, Any]:
    """Return a token as `whet tokens list` shows it, without its digest."""
    return {
        "name": token.name,
        "scopes": sorted(token.scopes),
        "created_at": token.created_at,
        "expires_at": token.expires_at,
        "valid": token.is_valid,
    }


def _write(state: Path, tokens: list[Token]) -> None:
    rows = [
        {
            "name": token.name,
            "scopes": sorted(token.scopes),
            "digest": token.digest,
            "created_at": token.created_at.isoformat(),
            "expires_at": token.expires_at.isoformat() if token.expires_at else None,
        }
        for token in tokens
    ]
    state_folder.replace(state, FILE, json.dumps(rows, indent=1).encode())


def _token(row: dict[str, Any]) -> Token:
    expires_at = row["expires_at"]
    return Token(
        name=str(row["name"]),
        scopes=frozenset(TokenScope(scope) for scope in row["scopes"]),
        digest=str(row["digest"]),
        created_at=datetime.fromisoformat(row["created_at"]),
        expires_at=datetime.fromisoformat(expires_at) if expires_at else None,
    )


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()
