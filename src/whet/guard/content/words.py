"""The content rules for what is said and not run: suggestions, lessons, what is told about a patch."""

import re

from whet.guard.answer import Allow, GuardAnswer, Refuse
from whet.guard.content.destroys import destroying_command
from whet.guard.content.leaked_secret import secrets_in
from whet.guard.content.unseen import reorders
from whet.guard.paths.lookalikes import pretending_words

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


def words(text: str, what: str) -> GuardAnswer:
    """`what` names the text in a sentence. No harm, no theft, no deceit of whoever approves."""
    if reorders(text) or any(pretending_words(text)):
        return Refuse(f"{what} shows something else than it says", "deceives")
    if kind := next(secrets_in(text), ""):
        return Refuse(f"{what} holds what looks like a secret: {kind}", "secret_in_text")
    if command := destroying_command(text):
        return Refuse(f"{what} would destroy what is not its own ({command})", "destroys")
    if match := _SENDS.search(text):
        return Refuse(
            f"{what} asks to give secrets away or to run what comes from outside ({match[0][:80]!r})", "exfiltration"
        )
    if match := _DECEIVES.search(text):
        return Refuse(f"{what} asks to get around whoever decides ({match[0][:80]!r})", "deceives")
    return Allow()
