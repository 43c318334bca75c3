"""Texts of other systems, made safe to store: secrets redacted, length limited."""

from functools import lru_cache

from whet.domain.redact import redact

LONGEST = 1_000
_LONGEST_READ = (
    4 * LONGEST
)  # cut first, because redacting is linear in the length; far enough not to cut a secret in two


def safe_text(text: str) -> str:
    """Return the text without secrets, cut to `LONGEST` characters."""
    return _safe_text(text[:_LONGEST_READ])


@lru_cache(maxsize=4096)
def _safe_text(text: str) -> str:
    redacted = redact(text.replace("\0", "\\0"))
    return redacted if len(redacted) <= LONGEST else f"{redacted[: LONGEST - 1]}…"


def text_of(value: object) -> str:
    """Return a JSON value as safe text; empty for null."""
    if value is None:
        return ""
    return safe_text(value if isinstance(value, str) else str(value)[:_LONGEST_READ])
