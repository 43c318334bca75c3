"""The forms of secrets that whet recognises in text, as one table.

A form applies only if one of its hints (literals) is in the text, so that ordinary text costs only searches for literals. Every expression takes linear time: repetitions are possessive or bounded, and a match begins at a boundary.
The forms of detect-secrets are among them; a test compares the two.
"""

from __future__ import annotations

import re
from functools import cache

TYPE_CHECKING = False  # importing typing or dataclasses would slow down `import whet` in an application
if TYPE_CHECKING:
    from collections.abc import Callable

_START = r"(?<![A-Za-z0-9])"
_CUT = r"\.\.\.[A-Za-z0-9_+/=-]{4,200}+"  # pytest cuts the middle out of a long value
_SHORTENED = f"(?:{_CUT})?"
_WORD = "[A-Za-z0-9_-]"


class Form:
    """A kind of secret. If the expression has a group `secret`, only that group is the secret."""

    __slots__ = ("hints", "in_context", "is_secret", "kind", "pattern")

    def __init__(self, kind: str, hints: str, pattern: str, is_secret: Callable[[str], bool] | None = None) -> None:
        self.kind, self.hints = kind, tuple(hints.split())
        self.pattern = re.compile(pattern)
        self.is_secret = is_secret
        self.in_context = "secret" in self.pattern.groupindex


def is_mixed(value: str) -> bool:
    """True if a value has letters and digits, as generated ones do."""
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))


def is_template(value: str) -> bool:
    """True if a value is a placeholder: `{password}`, `$TOKEN`, `<secret>`, `****`, or whet's own mark."""
    return value.startswith(("[redacted", "{", "$", "<", "%(", "%s")) or not value.strip("*.xX-_ ")


# Tokens with a prefix of their own: kind, prefixes, characters, least number of characters after the prefix.
_PREFIXED = (
    ("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", _WORD, 10),
    ("GitLab token", "glpat- gldt- glft- glrt- glsoat- glcbt- glimt- glptt- glagent- gloas- GR1348941", _WORD, 10),
    ("Slack token", "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe. xapp-", "[A-Za-z0-9.-]", 10),
    ("Stripe key", "sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ whsec_", "[A-Za-z0-9]", 10),
    ("Anthropic key", "sk-ant-", _WORD, 10),
    ("OpenAI key", "sk-proj- sk-svcacct- sk-admin-", _WORD, 10),
    ("Google API key", "AIza", _WORD, 20),
    ("Google OAuth token", "ya29. GOCSPX-", "[A-Za-z0-9._-]", 10),
    ("npm token", "npm_", "[A-Za-z0-9]", 20),
    ("PyPI token", "pypi-AgE", _WORD, 10),
    ("RubyGems key", "rubygems_", "[0-9a-f]", 20),
    ("Docker token", "dckr_pat_ dckr_oat_", _WORD, 10),
    ("Hugging Face token", "hf_ api_org_", "[A-Za-z0-9]", 20),
    ("Replicate token", "r8_", "[A-Za-z0-9]", 20),
    ("Groq key", "gsk_", "[A-Za-z0-9]", 20),
    ("xAI key", "xai-", "[A-Za-z0-9]", 20),
    ("Perplexity key", "pplx-", "[A-Za-z0-9]", 20),
    ("Databricks token", "dapi", "[0-9a-f]", 30),
    ("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", "[0-9a-f]", 20),
    ("Square token", "sq0csp- sq0atp- sq0idp-", r"[A-Za-z0-9\\_-]", 10),
    ("Shopify token", "shpat_ shpca_ shppa_ shpss_", "[A-Za-z0-9]", 20),
    ("Mailgun key", "key-", "[0-9a-f]", 32),
    ("New Relic key", "NRAK- NRJS- NRII-", _WORD, 16),
    ("Linear key", "lin_api_ lin_oauth_", "[A-Za-z0-9]", 20),
    ("Notion token", "ntn_", "[A-Za-z0-9]", 20),
    ("Figma token", "figd_", _WORD, 20),
    ("Atlassian token", "ATATT3 ATCTT3 ATBB", "[A-Za-z0-9_=-]", 20),
    ("Vault token", "hvs. hvb. hvr.", _WORD, 20),
    ("Doppler token", "dp.pt. dp.st. dp.ct.", "[A-Za-z0-9._-]", 20),
    ("Pulumi token", "pul-", "[0-9a-f]", 30),
    ("Postman key", "PMAK-", _WORD, 20),
    ("Grafana token", "glsa_ glc_", "[A-Za-z0-9_=+/-]", 20),
    ("Sentry token", "sntrys_ sntryu_", "[A-Za-z0-9_=+/-]", 20),
    ("Supabase token", "sbp_ sb_secret_", "[A-Za-z0-9_-]", 20),
    ("PlanetScale token", "pscale_tkn_ pscale_pw_ pscale_oauth_", "[A-Za-z0-9_.=-]", 20),
    ("Contentful token", "CFPAT-", _WORD, 20),
    ("Dynatrace token", "dt0c01. dt0s16.", "[A-Z0-9.]", 20),
    ("Fly.io token", "fo1_ fm1r_ fm2_", "[A-Za-z0-9+/=_,-]", 20),
    ("Heroku key", "HRKU-", _WORD, 20),
    ("Tailscale key", "tskey-", _WORD, 16),
    ("age key", "AGE-SECRET-KEY-1", "[0-9A-Z]", 20),
    ("Facebook token", "EAACEdEose0cBA", "[0-9A-Za-z]", 10),
    ("Artifactory key", "AKCp AKC5 AKC8", "[A-Za-z0-9]", 10),
)
_PEM = r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
_PEM_END = r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
_PEM_BODY = r"(?:[^-]|-(?!----))*+"
_AWS_PREFIX = "(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)"
# Further tokens, each recognised by itself. Tokens of a fixed length may follow each other without a gap, as in a message
# that was put together: kind, hints, expression, further condition.
_TOKENS: tuple[tuple[str, str, str, Callable[[str], bool] | None], ...] = (
    ("private key", "PRIVATE", rf"{_PEM}(?:{_PEM_BODY}{_PEM_END}|[A-Za-z0-9+/=\s\\|>'\",]{{0,8000}}+)", None),
    ("private key", "PRIVATE", rf"\A{_PEM_BODY}{_PEM_END}", None),  # its beginning was cut off
    ("private key", "Private-Lines", r"Private-Lines: \d{1,3}+\s++(?:[A-Za-z0-9+/=]{1,80}+\s?){1,80}+", None),
    (
        "AWS access key",
        "AKIA ASIA ABIA ACCA A3T",
        rf"{_START}(?:(?:{_AWS_PREFIX}[0-9A-Z]{{16}}){{1,50}}+(?![A-Za-z0-9])|{_AWS_PREFIX}[0-9A-Z]{{1,12}}{_CUT})",
        None,
    ),
    ("Alibaba access key", "LTAI", rf"{_START}LTAI[A-Za-z0-9]{{16,30}}(?![A-Za-z0-9])", is_mixed),
    ("OpenAI key", "sk-", rf"{_START}sk-(?:{_WORD}{{16,}}+{_SHORTENED}|{_WORD}++{_CUT})", is_mixed),
    (
        "JSON web token",
        "eyJ",
        rf"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_=-]{{6,}}+\.[A-Za-z0-9_=-]{{6,}}+(?:\.[A-Za-z0-9_.+/=-]*+)?{_SHORTENED}",
        None,
    ),
    ("JSON web token", "eyJ", r"(?<![A-Za-z0-9_+/-])eyJ[A-Za-z0-9_-]++\.\.\.[A-Za-z0-9_-]{4,}+", None),
    ("SendGrid key", "SG.", rf"{_START}SG\.{_WORD}{{10,}}+(?:\.{_WORD}++)?{_SHORTENED}", is_mixed),
    (
        "Twilio key",
        "AC SK",
        r"(?:AC|SK)(?<![A-Za-z0-9]..)[0-9a-f]{32}(?:(?:AC|SK)[0-9a-f]{32}){0,50}+(?![A-Za-z0-9])",
        None,
    ),
    (
        "Mailchimp key",
        "-us",
        r"(?<![A-Za-z0-9])[0-9a-z]{32}-us(?:[0-9]{1,2}[0-9a-z]{32}-us){0,50}[0-9]{1,2}(?![A-Za-z0-9])",
        None,
    ),
    (
        "Telegram token",
        ":",
        rf"[0-9](?<![A-Za-z0-9].)[0-9]{{7,9}}:{_WORD}{{35}}(?:[0-9]{{8,10}}:{_WORD}{{35}}){{0,50}}(?!{_WORD})",
        is_mixed,
    ),
    (
        "Discord token",
        ".",
        rf"[MNO](?<!{_WORD}.){_WORD}{{23,27}}\.{_WORD}{{6}}\.(?:{_WORD}{{51,68}}\.{_WORD}{{6}}\.){{0,50}}{_WORD}{{27,40}}(?!{_WORD})",
        is_mixed,
    ),
    ("webhook address", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9_/]{8,}+", None),
    ("webhook address", "/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/[0-9]{5,25}/[A-Za-z0-9_-]{8,}+", None),
    ("Terraform token", ".atlasv1.", r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{20,}+", None),
    ("Artifactory key", "AKC", r"(?<![A-Za-z0-9+/=])AKC[A-Za-z0-9]{40,}+(?![A-Za-z0-9+/=])", is_mixed),
    ("password hash", "$", r"\$(?:2[abxy]|5|6|y|argon2id?|argon2i)\$[A-Za-z0-9./$=,+-]{20,}+", None),
)


def _prefixed(kind: str, prefixes: str, characters: str, least: int) -> Form:
    names = "|".join(re.escape(prefix) for prefix in prefixes.split())
    whole, cut = rf"{characters}{{{least},}}+{_SHORTENED}", rf"{characters}{{1,}}+{_CUT}"
    return Form(kind, prefixes, rf"{_START}(?:{names})(?:{whole}|{cut})")


@cache
def token_forms() -> tuple[Form, ...]:
    """Return the forms that are recognised by themselves, wherever they are."""
    return (*(Form(*row) for row in _TOKENS), *(_prefixed(*row) for row in _PREFIXED))


def hinted(forms: tuple[Form, ...], text: str) -> list[Form]:
    """Return the forms that the text may contain, in their order."""
    hints = _hints(forms)
    numbers = {number for hint in hints if hint in text for number in hints[hint]}
    return [forms[number] for number in sorted(numbers)]


@cache
def _hints(forms: tuple[Form, ...]) -> dict[str, list[int]]:
    hints: dict[str, list[int]] = {}
    for number, form in enumerate(forms):
        for hint in form.hints:
            hints.setdefault(hint, []).append(number)
    return hints
