"""Replace secrets in text from outside by a fixed mark, before the text is recorded, shown or given to a model.

The same secret gets the same mark everywhere, and the mark says only its kind. So a failure signature does not depend on
the secret. Redacting twice changes nothing more.
"""

from __future__ import annotations

import os
import re
from functools import cache

from whet.domain.secret_contexts import context_forms
from whet.domain.secret_forms import hinted, is_template, token_forms

TYPE_CHECKING = False  # importing typing would slow down `import whet` in an application
if TYPE_CHECKING:
    from collections.abc import Mapping

    from whet.domain.secret_forms import Form

MARK = "[redacted: {}]"
_MARK = re.compile(r"(\[redacted: [^\]\n]*\])")
_ECHOED = 8  # a secret of this length is replaced in the whole text, not only where its context shows it
_MOST_ECHOED = 200
_MOST_PASSES = 8  # a secret directly behind another one is recognised once the other is replaced
_HINT = re.compile(
    r"[A-Za-z0-9_.+/=$:-]{12}|pass|pwd|secret|token|key|auth|cookie|://|private|basic|bearer|login|rabbitmq|_pw|[\s\"']-[a-z]|<<<|/user:|/add|identified",
    re.IGNORECASE,
)
_SECRET_VARIABLE = re.compile(
    r"TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|APIKEY|(?:API|ACCESS|PRIVATE|AUTH|SIGNING|ENCRYPTION|_)_?KEY\b|^KEY$|_PWD$|_AUTH$"
)
_KEY_BEGINS, _KEY_ENDS = "PRIVATE KEY-----", "-----END "
_KEY_LINE = re.compile(r"[ +-]?\s*[A-Za-z0-9+/=]{16,}")
# Escapes in printed texts, colours of a terminal, escaped characters of an address. Their last letter or digit stands directly
# before a secret that begins there, and hides where it begins. A row of backslashes is read once, from its start.
_ESCAPE = re.compile(
    r"(?:\x1b|(?<!\\)\\+(?:x1b|033|u001b))\[[0-9;]{0,20}[A-Za-z]"
    r"|(?<!\\)\\+(?:[abefnrtv0]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})|%[0-9A-Fa-f]{2}"
)
_ADDRESS = re.compile(r"://[^/\s:@]*:([^/\s]+)@")


def redact(text: str, echoed: Mapping[str, str] | None = None) -> str:
    """Return the text with every recognised secret replaced by its mark. `echoed` are further secrets, with their kinds."""
    known = {**environment_secrets(), **(echoed or {})}
    for _ in range(_MOST_PASSES):
        redacted = _redact_once(text, known)
        if redacted == text:
            break
        text = redacted
    return text


def _redact_once(text: str, known: Mapping[str, str]) -> str:
    text = _replace(text, known)
    if not _HINT.search(text):
        return text
    own = _behind_escapes(text, (*token_forms(), *context_forms()))
    for form in (*hinted(token_forms(), text), *hinted(context_forms(), text.lower())):
        text = _apply(form, text, own)
    return _replace(text, own)


def _behind_escapes(text: str, forms: tuple[Form, ...]) -> dict[str, str]:
    """Return the secrets that a text shows once its escapes are spaces, with their kinds."""
    secrets: dict[str, str] = {}
    apart = _ESCAPE.sub(" ", text)
    if apart != text:
        for form in hinted(forms, f"{apart}\0{apart.lower()}"):
            apart = _apply(form, apart, secrets, tokens_too=True)
    return secrets


def redact_diff(text: str) -> str:
    """Return a diff with secrets replaced in such a way that no added code is hidden from its reader.

    In an added line only tokens are replaced, each by itself; in the other lines everything that `redact` replaces, and
    the lines of a private key.
    """
    lines, in_key = [], False
    for line in text.split("\n"):
        in_key = (in_key or _KEY_BEGINS in line) and _KEY_ENDS not in line
        if in_key and _KEY_LINE.fullmatch(line):
            lines.append(line[:1] + MARK.format("private key"))
        else:
            lines.append(_redact_line(line) if line.startswith("+") else redact(line))
    return "\n".join(lines)


def _redact_line(line: str) -> str:
    """Replace the tokens of a line that have no space in them; code between two of them stays visible."""
    return " ".join(_replace(redact_tokens(word), environment_secrets()) for word in line.split(" "))


def redact_tokens(text: str) -> str:
    """Return the text with only those secrets replaced that no program text contains by accident: tokens of known forms.

    For text that must stay as it is otherwise: patches and test files.
    """
    for _ in range(_MOST_PASSES):
        before = text
        text = _replace(text, _behind_escapes(text, token_forms()))
        for form in hinted(token_forms(), text):
            text = _apply(form, text, {})
        if text == before:
            break
    return text


def secrets_in_context(text: str) -> dict[str, str]:
    """Return the secrets of a text that only their context shows, with their kinds."""
    secrets: dict[str, str] = {}
    if _HINT.search(text):
        for form in hinted(context_forms(), text.lower()):
            _apply(form, text, secrets)
    return secrets


def _apply(form: Form, text: str, secrets: dict[str, str], *, tokens_too: bool = False) -> str:
    """Replace the secrets of one form.

    A secret that was recognised by its context may stand elsewhere without it, so it is also added to `secrets`; so are
    others, if asked for.
    """
    mark = MARK.format(form.kind)

    def replaced(match: re.Match[str]) -> str:
        group = (
            next((name for name in ("secret", "other") if match.groupdict().get(name)), None) if form.in_context else 0
        )
        if group is None:
            return match[0]
        secret = match[group]
        if form.is_secret and not form.is_secret(secret):
            return match[0]
        if form.in_context or tokens_too:
            for echo in {secret, *secret.split()[-1:]}:  # of `Bearer x` also x alone
                if len(echo) >= _ECHOED and len(secrets) < _MOST_ECHOED:
                    secrets.setdefault(echo, form.kind)
        begin = match.start(group) - match.start()
        return match[0][:begin] + mark + match[0][begin + len(secret) :]

    return form.pattern.sub(replaced, text)


def _replace(text: str, secrets: Mapping[str, str]) -> str:
    """Replace these secrets by their marks, longest first. Marks that are already in the text stay, even if a secret (such as
    `password`) occurs in one."""
    for secret in sorted(secrets, key=len, reverse=True):
        if secret in text:
            parts = _MARK.split(text)  # every second part is a mark
            parts[::2] = [part.replace(secret, MARK.format(secrets[secret])) for part in parts[::2]]
            text = "".join(parts)
    return text


@cache
def environment_secrets() -> Mapping[str, str]:
    """Return the secrets in this process's environment, with their kinds: values of variables with the name of a secret,
    and passwords in addresses, also as they look in an address or in quotes."""
    secrets: dict[str, str] = {}
    for name, value in os.environ.items():
        kind = f"value of {name}"
        if _SECRET_VARIABLE.search(name.upper()) and not value.startswith(("/", "./")):
            _add(secrets, value, kind)
        for password in _ADDRESS.findall(value):
            _add(secrets, password, kind)
    return secrets


def _add(secrets: dict[str, str], value: str, kind: str) -> None:
    from urllib.parse import quote  # takes a while to load, and most processes have no such variable

    if len(value) >= _ECHOED and not value.isalpha() and not is_template(value):
        for spelling in (value, quote(value, safe=""), repr(value)[1:-1]):
            secrets.setdefault(spelling, kind)
