"""Recognise secrets, by the name of the argument or field and by the look of the text, and redact them."""

from __future__ import annotations

import re
from itertools import pairwise

from whet.domain.redact import redact

_NAMES = frozenset(
    """password passwords passwd passphrase pwd secret secrets token apikey authorization auth credential credentials
    cookie cookies csrf jwt bearer ssn cvv cvc pin otp privatekey accesskey secretkey sessionid""".split()  # noqa: SIM905
)
_PAIRS = frozenset(
    {"api key", "private key", "access key", "secret key", "session id", "session key", "card number", "account key"}
)
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")

SHORTEST = 12
"""The least number of characters of a secret that is recognised by its look."""

_CARD = re.compile(r"\d(?:[ -]?\d){12,18}")
REPLACEMENT = "[redacted]"


def is_secret_name(name: str, more: frozenset[str] = frozenset()) -> bool:
    """True if a name contains a word for a secret, or is in `more`.

    `api_key`, `userPassword` and `X-Auth-Token` are secret; `max_tokens` and `author` are not. Words are split at `_`,
    `-` and capital letters.
    """
    words = [word.lower() for word in _WORD.findall(name)]
    secret = not _NAMES.isdisjoint(words) or not _PAIRS.isdisjoint(map(" ".join, pairwise(words)))
    return secret or name.lower() in more


def has_secret(text: str) -> bool:
    """True if the text contains a known form of a secret or a payment card number."""
    return redact(text) != text or any(_is_card(match[0]) for match in _CARD.finditer(text))


def redacted(text: str) -> str:
    """Return the text with every recognised secret replaced."""
    return _CARD.sub(lambda match: REPLACEMENT if _is_card(match[0]) else match[0], redact(text))


def _is_card(digits: str) -> bool:
    """True if the check digit is right: the sum of the digits, every second one doubled, must end in 0 (Luhn)."""
    numbers = [int(digit) for digit in reversed(digits) if digit.isascii() and digit.isdigit()]
    return sum(number if at % 2 == 0 else sum(divmod(2 * number, 10)) for at, number in enumerate(numbers)) % 10 == 0
