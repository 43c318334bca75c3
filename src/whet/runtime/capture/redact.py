"""Recognise secrets, by the name of the argument or field and by the look of the text, and redact them."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from whet.domain.redact import redact

_NAMES = frozenset(
    """password passwords passwd passphrase pwd secret secrets token apikey authorization auth credential credentials
    cookie cookies csrf jwt bearer ssn cvv cvc pin otp privatekey accesskey secretkey sessionid passcode pw creds""".split()  # noqa: SIM905
)
_ENDINGS = ("password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "credentials")
_PAIRS = frozenset(
    {"api key", "private key", "access key", "secret key", "session id", "session key", "card number", "account key"}
    | {
        f"{service} pass"
        for service in [
            "admin",
            "db",
            "ftp",
            "mail",
            "mongo",
            "mysql",
            "pg",
            "postgres",
            "proxy",
            "redis",
            "root",
            "smtp",
            "ssh",
            "sudo",
            "user",
        ]
    }
)
# A tool with such a name answers with a secret, if it answers with text. Tokens are not among them: parsers have them too.
_ANSWERS_SECRET = re.compile(
    r"(?:^|[._])(?:get|read|load|fetch|make|create|generate|new|derive|ask|find|lookup|decrypt|reveal|issue)_(?:\w+_)?"
    r"(?:password|passphrase|secret|api_?key|access_?(?:key|token)|private_?key|credentials?)$"
)
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")

SHORTEST = 12
"""The least number of characters of a secret that is recognised by its look."""

_CARD = re.compile(r"\d(?:[ -]?\d){12,18}")
REPLACEMENT = "[redacted]"
_SHORTEST_EQUAL, _SHORTEST_PART, _MOST_ECHOES = 3, 6, 100


@lru_cache(maxsize=4096)
def is_secret_name(name: str, more: frozenset[str] = frozenset()) -> bool:
    """True if a name contains a word for a secret, or is in `more`.

    `api_key`, `userPassword` and `X-Auth-Token` are secret; `max_tokens` and `author` are not. Words are split at `_`,
    `-` and capital letters.
    """
    words = [word.lower() for word in _WORD.findall(name)]
    secret = (
        not _NAMES.isdisjoint(words)
        or not _PAIRS.isdisjoint(map(" ".join, pairwise(words)))
        or any(word.endswith(_ENDINGS) for word in words)
    )
    return secret or name.lower() in more


def answers_secret(tool: str) -> bool:
    """True if a tool's name says that its answer is a secret: `accounts.get_password`."""
    return _ANSWERS_SECRET.search(tool) is not None


class Echoes:
    """The texts of a call that a name showed to be secret. The call may repeat them where no name shows it."""

    __slots__ = ("_texts",)

    def __init__(self) -> None:
        self._texts: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self._texts)

    def add(self, value: object) -> None:
        """Add the texts in a captured value."""
        if type(value) is str:
            if len(value) >= _SHORTEST_EQUAL and len(self._texts) < _MOST_ECHOES:
                self._texts.add(value)
        elif type(value) is dict:
            for item in value.values():
                self.add(item)
        elif type(value) is list or type(value) is tuple:
            for item in value:
                self.add(item)

    def replaced(self, text: str) -> str:
        """Return a text without the secrets. Short ones are found only if they are the whole text."""
        if text in self._texts:
            return REPLACEMENT
        for secret in sorted(self._texts, key=len, reverse=True):
            if len(secret) >= _SHORTEST_PART:
                text = text.replace(secret, REPLACEMENT)
        return text


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
