"""Secrets that are recognised by the text before them: assignments, headers, addresses, command lines."""

from __future__ import annotations

import re
from functools import cache

from whet.domain.secret_commands import command_forms
from whet.domain.secret_forms import Form, is_mixed, is_template

_SUFFIX = r"(?:s|_?\d{1,3}|[_-](?:value|hash|old|new|current|prod|dev|test|live|base64))?"
_SERVICES = "admin api app auth become db ftp imap login mail mongo mysql pg postgres proxy redis root smtp ssh user"
_PASSWORD = rf"(?:pass(?:word|wd|phrase|code)|(?:{_SERVICES.replace(' ', '|')})[_-]?pass|(?<![A-Za-z])pwd){_SUFFIX}"
_OF_KEYS = "api access private auth account shared encryption signing master session license"
_SECRET = (
    rf"(?:secret(?:[_-]?(?:access)?[_-]?key)?|(?:{_OF_KEYS.replace(' ', '|')})[_-]?key"
    rf"|credentials?|sharedaccesskey|sharedaccesssignature|connection[_-]?string){_SUFFIX}"
)
_SECRET_HINTS = "secret credential sharedaccess connection " + " ".join(
    f"{word}{sign}key" for word in _OF_KEYS.split() for sign in ("", "_", "-")
)
_TOKEN = rf"token{_SUFFIX}"
# After the name: a closing quote or bracket of `"password":` or `env["PASSWORD"] =`, or an annotation, then the sign.
_ANNOTATION = (
    r"(?:\s?:\s?(?:Optional\[|Final\[)?(?:str|bytes|SecretStr|SecretBytes|Secret|Final)\]?(?:\s?\|\s?None)?(?=\s?=))?"
)
_SIGN = rf"(?:\\{{0,3}}[\"']\]?)?{_ANNOTATION}\s{{0,4}}(?:=>|:=|==|=|:)\s{{0,4}}"
_QUOTED = r"[bBrRuUfF]{0,2}\\{0,3}(?:\"(?P<%s>(?:[^\"\\\n]|\\(?![\"'])[^\n]){4,512}+)|'(?P<%s>(?:[^'\\\n]|\\(?![\"'])[^\n]){4,512}+))"
_BARE = r"(?P<secret>[^\s\"'\\,;&(){}\[\]<>|`]{4,512}+)(?!\()"
_CODE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|self\..*|https?://.*|\.{0,2}/.*|[A-Za-z]*[*?^$|+].*")
_CONSTANTS = frozenset(
    [
        "none",
        "null",
        "true",
        "false",
        "str",
        "bytes",
        "int",
        "string",
        "text",
        "optional",
        "any",
        "self",
        "undefined",
        "empty",
        "missing",
    ]
)


def _quoted(name: str) -> str:
    """Return the expression for a name, a sign and a quoted value."""
    return rf"(?i:{name}{_SIGN}){_QUOTED.replace('P<%s>', 'P<secret>', 1).replace('P<%s>', 'P<other>')}"


def _bare(name: str, signs: str = "=>|:=|==|=|:") -> str:
    """Return the expression for a name, a sign and a value without quotes."""
    return rf"(?i:{name}{_SIGN.replace('=>|:=|==|=|:', signs)}){_BARE}"


def _is_password(value: str) -> bool:
    """True if a quoted value is one word and not a placeholder. A sentence is a message about the password."""
    return " " not in value.strip() and not is_template(value) and value.lower() not in _CONSTANTS


def _is_bare_password(value: str) -> bool:
    """True if a value without quotes does not look like a variable or an attribute."""
    if is_template(value) or value.lower() in _CONSTANTS or _CODE.fullmatch(value):
        return False
    return is_mixed(value) or not re.search(r"^[_\W]|pass|pwd|secret|token|key|value|arg", value, re.IGNORECASE)


def _is_quoted_in_sentence(value: str) -> bool:
    """True if a quoted value after the word "password" looks random; most quoted words there name a field."""
    return _is_password(value) and is_mixed(value)


def _is_value(value: str) -> bool:
    return _is_password(value) and not _CODE.fullmatch(value) and len(value) >= 8


def _is_mixed_password(value: str) -> bool:
    """True if a value after a colon looks random; a plain word there begins a message or names a type."""
    return is_mixed(value) and _is_bare_password(value)


def _is_bare_secret(value: str) -> bool:
    return len(value) >= 8 and _is_bare_password(value)


def _is_generated(value: str) -> bool:
    return _is_value(value) and is_mixed(value)


def _is_credential(value: str) -> bool:
    return is_mixed(value) or len(value) >= 16


def _is_in_address(value: str) -> bool:
    return not is_template(value) and value.lower() not in ("password", "passwd", "pass", "pwd", "secret", "token")


def _is_cookie(value: str) -> bool:
    return "=" in value and not is_template(value.partition("=")[2])


@cache
def context_forms() -> tuple[Form, ...]:
    """Return the forms whose secret follows a name; only the secret is replaced."""
    return (
        Form("password", "://", r"://[^/\s:@\"'\\]{0,100}+:(?P<secret>[^/\s\"'\\]{1,200})(?=@)", _is_in_address),
        Form(
            "Authorization header",
            "authorization",
            r"(?i:authorization(?:\\{0,3}[\"']\]?)?\s{0,4}[:=,]\s{0,4}[bru]?(?:\\{0,3}[\"'])?)"
            r"(?P<secret>(?i:(?:bearer|basic|token|digest|negotiate|apikey|aws4-hmac-sha256)\s++)?[^\s\"'\\,;]{6,4096}+)",
            is_mixed,
        ),
        Form(
            "bearer token",
            "bearer",
            r"(?i:(?<![A-Za-z])bearer\s{1,4})(?P<secret>[A-Za-z0-9+/_.~=-]{12,4096}+)",
            _is_credential,
        ),
        Form(
            "basic credentials",
            "basic",
            r"(?i:(?<![A-Za-z])basic\s{1,4})(?P<secret>[A-Za-z0-9+/]{8,4096}+={0,2})",
            is_mixed,
        ),
        Form(
            "cookie",
            "cookie",
            r"(?i:cookie(?:\\{0,3}[\"']\]?)?\s{0,4}[:=]\s{0,4}[bru]?(?:\\{0,3}[\"'])?)(?P<secret>[A-Za-z0-9_.-]{1,80}=[^\"'\\\n]{8,4096}+)",
            _is_cookie,
        ),
        Form("password", "pass pwd", _quoted(_PASSWORD), _is_password),
        Form("password", "pass pwd", _bare(_PASSWORD, ":"), _is_mixed_password),
        Form("password", "pass pwd", _bare(_PASSWORD, "=>|:=|==|="), _is_bare_password),
        Form(
            "password",
            "pass",
            r"(?i:pass(?:word|wd|phrase)\s{1,4}\\{0,3}[\"'])(?P<secret>[^\s\"'\\]{6,200}+)(?=\\{0,3}[\"'])",
            _is_quoted_in_sentence,
        ),
        Form(
            "password",
            "password",
            r"(?i:login\s{1,4}\S{1,100}\s{1,4}password\s{1,4})(?P<secret>[^\s\"']{4,200}+)",
            _is_password,
        ),
        Form(
            "password",
            "pass",
            r"(?i:--(?:[a-z0-9]{1,20}-){0,3}pass(?:word|wd|phrase|code)?(?:[ =]|\\{0,3}[\"']\s?,\s?\\{0,3}[\"'])[\"']?)"
            r"(?P<secret>[^\s\"']{4,200}+)",
            _is_password,
        ),
        Form(
            "password",
            "-u --user",
            r"(?:-u|--user)[ =][\"']?[A-Za-z0-9_.@-]{1,100}+:(?P<secret>[^\s\"']{4,200}+)",
            _is_generated,
        ),
        *command_forms(),
        Form("secret", _SECRET_HINTS, _quoted(_SECRET), _is_value),
        Form("secret", _SECRET_HINTS, _bare(_SECRET), _is_bare_secret),
        Form("token", "token", _quoted(_TOKEN), _is_generated),
        Form("token", "token", _bare(_TOKEN), _is_generated),
        Form(
            "secret",
            "--",
            r"(?i:--(?:[a-z]{1,20}-){0,3}(?:api-?key|key-secret|secret|token)(?:[ =]|\", ?\"|', ?')[\"']?)(?P<secret>[^\s\"']{8,400}+)",
            is_mixed,
        ),
        Form(
            "password",
            "pass secret token",
            rf"(?i:<(?:[a-z]{{1,20}}:)?(?:{_PASSWORD}|{_SECRET}|[a-z]{{0,20}}{_TOKEN})>)(?P<secret>[^<>\s]{{4,512}}+)(?=</)",
            _is_password,
        ),
        Form(
            "credentials",
            "auth",
            r"(?:\\{0,3}[\"']_?auth\\{0,3}[\"']\s{0,4}:\s{0,4}\\{0,3}[\"'])(?P<secret>[A-Za-z0-9+/]{12,4096}+={0,2})(?=\\{0,3}[\"'])",
            is_mixed,
        ),
        Form(
            "secret",
            "secret password token apikey",
            r"(?:Secret(?:Str|Bytes|Text)?|Password|Token|ApiKey|APIKey)\((?:value=)?b?[\"'](?P<secret>[^\"'\s\\]{8,512}+)(?=[\"'])",
            _is_generated,
        ),
        Form(
            "signature",
            "sig",
            r"(?i:[?&](?:sig|signature|x-amz-signature|x-goog-signature)=)(?P<secret>[A-Za-z0-9%+/=_-]{16,400}+)",
            is_mixed,
        ),
    )
