"""Secrets in added lines, by detect-secrets. Nothing is asked over the network: only its expressions are used."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark, Severity

if TYPE_CHECKING:
    from detect_secrets.plugins.base import BasePlugin

CODE = "secret_in_text"
_ENTROPY = {"Base64 High Entropy String": 4.5, "Hex High Entropy String": 3.0}
_KEYWORD = "Secret Keyword"
# An address is no secret, and a password in an address is judged by its own words.
_LEFT_OUT = frozenset({"Public IP (ipv4)", "IBM Cloud IAM Key", "IBM COS HMAC Credentials", "SoftLayer Credentials"})
_PLACEHOLDER = re.compile(
    r"x{3,}|example|sample|dummy|fake|test|foo|bar|baz|change.?me|place.?holder|your|\bmy|pass(word|wd|phrase)?|secret|token"
    r"|key|none|null|todo|insert|redacted|abc|1234|qwerty|user(name)?|admin|root|default|empty|value|string|hunter2|spam|egg",
    re.IGNORECASE,
)
_NOT_SECRET = re.compile(
    r"https?://|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(sha|md|blake)\d|integrity|checksum|digest|\bhash",
    re.IGNORECASE,
)
_SHORTEST = 8
_LONGEST_LINE = 4096  # the rest of a longer line is looked at in pieces


def leaked_secret(passage: Passage) -> Iterator[Remark]:
    """A token in a known form blocks; a value that only looks or is called like one asks for a reader."""
    for number, line in passage.added_text:
        for kind, value in _found(line):
            severity = _severity(kind, value, line, is_test=passage.is_test)
            if severity:
                yield Remark(number, severity, CODE, f"holds what looks like a secret: {kind.lower()}")


def secrets_in(text: str) -> Iterator[str]:
    """The kinds of token in known forms that a text holds; for what is not a file."""
    for line in text.splitlines():
        yield from (
            kind.lower() for kind, value in _found(line) if _severity(kind, value, line, is_test=False) == "block"
        )


def _severity(kind: str, value: str, line: str, *, is_test: bool) -> Severity | None:
    if kind not in _ENTROPY and kind != _KEYWORD:
        known = re.search("example|xxxx|0000|1234567", value, re.IGNORECASE) or _is_template(value)
        return None if known else "raise" if is_test else "block"
    if (
        is_test
        or len(value) < _SHORTEST
        or re.search(r"\s", value)
        or _PLACEHOLDER.search(value)
        or _is_template(value)
        or _NOT_SECRET.search(line)
    ):
        return None
    if kind == _KEYWORD:
        return "raise" if _is_mixed(value) else None
    return "raise" if _is_mixed(value) and not _is_word_like(value) else None


def _is_template(value: str) -> bool:
    return bool(re.search(r"[{}<>$%*]|\.\.\.", value))


def _is_mixed(value: str) -> bool:
    """Letters and digits, as generated values have them."""
    return any(character.isdigit() for character in value) and any(character.isalpha() for character in value)


def _is_word_like(value: str) -> bool:
    """Names in one word, a path, an alphabet: high in entropy, and written by hand."""
    words = re.findall(r"[a-z]{4,}|[A-Z][a-z]{3,}", value)
    return sum(map(len, words)) * 2 > len(value) or _counts_up(value)


def _counts_up(value: str) -> bool:
    """Half of it or more goes on from letter to letter: an alphabet."""
    steps = sum(ord(after) - ord(before) == 1 for before, after in pairwise(value))
    return steps * 2 >= len(value)


def _found(line: str) -> Iterator[tuple[str, str]]:
    for begin in range(0, len(line), _LONGEST_LINE // 2):
        piece = line[begin : begin + _LONGEST_LINE]
        for kind, plugin in detectors().items():
            for value in plugin.analyze_string(piece):
                limit = _ENTROPY.get(kind)
                if limit is None or plugin.calculate_shannon_entropy(value) > limit:  # type: ignore[attr-defined]
                    yield kind, value


@cache
def detectors() -> "dict[str, BasePlugin]":
    """Loaded where they are first asked for: the library takes a fifth of a second."""
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    classes: dict[str, Any] = get_mapping_from_secret_type_to_class()
    made = {kind: cls(limit=_ENTROPY[kind]) if kind in _ENTROPY else cls() for kind, cls in classes.items()}
    return {kind: plugin for kind, plugin in made.items() if kind not in _LEFT_OUT}
