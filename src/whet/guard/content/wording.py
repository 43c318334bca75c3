"""Content rules for text that is not code: suggestions, lessons, descriptions of a patch."""

import re

from whet.guard.answer import Allow, GuardAnswer, Refuse
from whet.guard.content.destructive_code import destructive_command
from whet.guard.content.invisible_text import reorders_text
from whet.guard.content.leaked_secret import secrets_in
from whet.guard.paths.lookalikes import mixed_words

_WHO = r"(approvers?|reviewers?|users?|humans?|person|people|maintainers?|operators?|anyone|anybody)"
_SECRETS = (
    r"(secrets?|tokens?|passwords?|credentials?|private keys?|api keys?|ssh keys?|environment( variables)?|\.env)"
)
_DECEIVES = re.compile(
    r"\b(ignore|forget|disregard)\s+(all\s+|any\s+)?(the\s+|your\s+)?(previous|prior|above|earlier)\s+(instructions?|rules?|prompts?)"
    rf"|\b(do\s+not|don't|never)\s+(tell|show|mention|inform|ask|notify|alert)\b.{{0,30}}\b{_WHO}"
    rf"|\bwithout\s+(the\s+|any\s+)?{_WHO}('s?)?\s+(knowing|noticing|approval|consent|seeing)"
    r"|\b(already|been|was)\s+(reviewed|approved|vetted|audited|signed\s+off)\b.{0,40}\b(approve|merge|skip|no\s+need|just|so)\b"
    r"|\b(no\s+need|unnecessary|not\s+necessary|need\s+not|needn't)\s+(to\s+)?(read|review|look|check|inspect|open)\b"
    r"|\bskip\s+(the\s+)?(review|approval|reading)\b|\b(approve|merge)\s+(this|it)\s+(without|blindly|unread)"
    rf"|\b(hide|conceal)\s+(this|it|that|the\s+\w+)\s+from\b"
    r"|\b(disable|bypass|circumvent|evade|defeat|switch\s+off|turn\s+off|get\s+around)\s+(the\s+|whet's\s+|all\s+|its\s+)?"
    r"(guard|sandbox|approvals?|gates?|kill\s+switch|audit|ledger|safeguards?)\b",
    re.IGNORECASE | re.DOTALL,
)
_SENDS = re.compile(
    rf"\b(send|post|upload|exfiltrate|leak|e?-?mail|forward|transmit)\b.{{0,60}}\b{_SECRETS}\b.{{0,40}}"
    r"(https?://|ftp://|\S+@\S+\.\w+|\bto\s+(an?\s+)?(external|remote|my|our)\b)"
    r"|\b(curl|wget)\b[^|;\n]*\|\s*(sudo\s+)?(ba|z|da|k)?sh\b",
    re.IGNORECASE | re.DOTALL,
)


def judge_wording(text: str, what: str) -> GuardAnswer:
    """Refuse a text that hides characters, holds a secret, asks for harm or tries to get around the approver.

    `what` names the text in the reason, for example "the suggestion".
    """
    if reorders_text(text) or any(mixed_words(text)):
        return Refuse(f"{what} contains characters that are displayed as others", "deceives")
    if kind := next(secrets_in(text), ""):
        return Refuse(f"{what} contains what looks like a secret: {kind}", "secret_in_text")
    if command := destructive_command(text):
        return Refuse(f"{what} contains a destructive command: `{command}`", "destroys")
    if match := _SENDS.search(text):
        reason = f"{what} asks to send secrets away or to run downloaded code: {match[0][:80]!r}"
        return Refuse(reason, "exfiltration")
    if match := _DECEIVES.search(text):
        return Refuse(f"{what} asks to get around the approver: {match[0][:80]!r}", "deceives")
    return Allow()
