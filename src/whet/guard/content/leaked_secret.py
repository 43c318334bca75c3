"""Secrets in added lines, found by the expressions of detect-secrets. Nothing is verified over the network."""

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
# An IP address is not a secret. The detectors for IBM's services are not used either.
_UNUSED = frozenset({"Public IP (ipv4)", "IBM Cloud IAM Key", "IBM COS HMAC Credentials", "SoftLayer Credentials"})
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
_LONGEST_PIECE = 4096  # longer lines are searched in overlapping pieces


def leaked_secret(passage: Passage) -> Iterator[Remark]:
    """Block tokens of a known form; raise the tier for values that only look random or have the name of a secret."""
    for number, line in passage.added_text:
        for kind, value in _candidates(line):
            severity = _severity(kind, value, line, is_test=passage.is_test)
            if severity:
                yield Remark(number, severity, CODE, f"contains what looks like a secret: {kind.lower()}")


def secrets_in(text: str) -> Iterator[str]:
    """Yield the kinds of tokens of known forms in a text that is not a file."""
    for line in text.splitlines():
        for kind, value in _candidates(line):
            if _severity(kind, value, line, is_test=False) == "block":
                yield kind.lower()


def _severity(kind: str, value: str, line: str, *, is_test: bool) -> Severity | None:
    """Return how severe a candidate is; None if it is an example, a placeholder or an ordinary value."""
    if kind not in _ENTROPY and kind != _KEYWORD:
        if re.search("example|xxxx|0000|1234567", value, re.IGNORECASE) or _is_template(value):
            return None
        return "raise" if is_test else "block"
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
    """True if a value has letters and digits, as generated ones do."""
    return any(character.isdigit() for character in value) and any(character.isalpha() for character in value)


def _is_word_like(value: str) -> bool:
    """True if a value of high entropy was written by a person: joined words, a path, an alphabet."""
    words = re.findall(r"[a-z]{4,}|[A-Z][a-z]{3,}", value)
    successors = sum(ord(after) - ord(before) == 1 for before, after in pairwise(value))
    return sum(map(len, words)) * 2 > len(value) or successors * 2 >= len(value)


def _candidates(line: str) -> Iterator[tuple[str, str]]:
    """Yield `(kind, value)` for everything that a detector matches in a line."""
    for begin in range(0, len(line), _LONGEST_PIECE // 2):
        piece = line[begin : begin + _LONGEST_PIECE]
        for kind, plugin in detectors().items():
            for value in plugin.analyze_string(piece):
                limit = _ENTROPY.get(kind)
                if limit is None or plugin.calculate_shannon_entropy(value) > limit:  # type: ignore[attr-defined]
                    yield kind, value


@cache
def detectors() -> "dict[str, BasePlugin]":
    """Return the detectors by kind. They are loaded on the first call, because the library takes 0.2 seconds."""
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    classes: dict[str, Any] = get_mapping_from_secret_type_to_class()
    return {
        kind: cls(limit=_ENTROPY[kind]) if kind in _ENTROPY else cls()
        for kind, cls in classes.items()
        if kind not in _UNUSED
    }
