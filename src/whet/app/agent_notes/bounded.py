"""The bounds of texts that programs record for people to read."""

from whet.domain.redact import redact
from whet.errors import UsageError

MOST_CHARACTERS = 2_000


def bounded(text: str, what: str, most: int = MOST_CHARACTERS) -> str:
    """Return the text without surrounding space and with secrets redacted. Refuse an empty one and a long one.

    `what` names the text in the refusal, for example "the objection".
    """
    text = text.strip()
    if not text:
        raise UsageError(f"{what} is empty", "say it in a few sentences")
    if len(text) > most:
        raise UsageError(f"{what} has {len(text):,} characters, {most:,} are the most", "say it in fewer words")
    return redact(text)
