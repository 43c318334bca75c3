"""What must not be written down: by the name of what holds it, and by how it looks."""

from __future__ import annotations

import re
from itertools import pairwise

_NAMES = frozenset(
    [
        "password",
        "passwords",
        "passwd",
        "passphrase",
        "pwd",
        "secret",
        "secrets",
        "token",
        "apikey",
        "authorization",
        "auth",
        "credential",
        "credentials",
        "cookie",
        "cookies",
        "csrf",
        "jwt",
        "bearer",
        "ssn",
        "cvv",
        "cvc",
        "pin",
        "otp",
        "privatekey",
        "accesskey",
        "secretkey",
        "sessionid",
        "signature",
    ]
)
_PAIRS = frozenset(
    {"api key", "private key", "access key", "secret key", "session id", "session key", "card number", "account key"}
)
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")

PATTERN = re.compile(
    r"(?:AKIA|ASIA)[0-9A-Z]{16}"  # AWS
    r"|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}"  # forges
    r"|xox[abprs]-[A-Za-z0-9-]{10,}"  # Slack
    r"|\b[sr]k[-_](?:live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{16,}"  # Stripe, model providers
    r"|AIza[0-9A-Za-z_-]{30,}"  # Google
    r"|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"  # JSON web tokens
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)"
    r"|(?i:\b(?:bearer|basic)\s+[A-Za-z0-9+/_.=-]{12,})"  # Authorization headers
    r"|(?<=://)[^/\s:@\"]{1,200}:[^/\s@\"]{1,200}(?=@)"  # user:password in an address
    r"|(?i:\b(?:password|passwd|secret|api_?key|access_?token)\b[\"']?\s*[=:]\s*[\"']?[^\s\"',;&]{3,})"
    r"|\b(?:\d[ -]?){12}(?:\d[ -]?){1,6}\d\b(?<=\d{4})"  # payment cards
)
REPLACEMENT = "[redacted]"

_answers: dict[str, bool] = {}


def is_secret_name(name: str, more: frozenset[str] = frozenset()) -> bool:
    """`api_key`, `userPassword` and `X-Auth-Token` are; `max_tokens` and `author` are not. Words are told apart by `_`,
    `-` and capitals."""
    answer = _answers.get(name)
    if answer is None:
        words = [word.lower() for word in _WORD.findall(name)]
        answer = not _NAMES.isdisjoint(words) or not _PAIRS.isdisjoint(map(" ".join, pairwise(words)))
        if len(_answers) < 10_000:
            _answers[name] = answer
    return answer or name.lower() in more


def redacted(text: str) -> str:
    return PATTERN.sub(REPLACEMENT, text)
