"""Secrets are assembled from pieces here, so that this file contains none."""

import pytest

from tests.guard.content.rows import lines, remarks
from whet.guard.content.leaked_secret import leaked_secret, secrets_in

GITHUB = "ghp_" + "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"
AWS = "AKIA" + "5F6TQ2L7PZN4XK3D"
SLACK = "xoxb-" + "263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1MBS"
STRIPE = "sk_live_" + "ReTllpYQYfIZu2Jnf2lAPFjD"
JWT = (
    "eyJ" + "hbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMDAwMDAwMDk4NzY1IiwibmFtZSI6IkpvaG4gRG9lIn0"
    ".SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"
)  # fmt: skip
KEY = "-----BEGIN RSA " + "PRIVATE KEY-----"
RANDOM = "kR7vQ2xLp9" + "Zt4WmB8nYc3HdJ6sGf1TqE"
HEX = "9f86d081e1c2b3a4" + "55d7c0e8f1a2b394"

MUST_ALLOW = {
    "no secret": "x = 1\n",
    "a placeholder": 'password = "xxx"\n',
    "an example": 'api_key = "example-key-1"\n',
    "a word": 'password = "hunter2hunter2"\n',
    "a test value": 'secret = "test1234567"\n',
    "a template": 'password = "{0}9kLmX2qQ"\n',
    "a value to fill in": 'password = "9kLm%X2qQvv"\n',
    "seven characters": 'password = "9kLmX2q"\n',
    "an empty one": 'password = ""\n',
    "a short one": 'password = "a1b2"\n',
    "a variable": "password = other1234\n",
    "from a function": "token = get_token(name1)\n",
    "words without digits": 'passwd = "correcthorsebattery"\n',
    "the documented key of AWS": f'x = "{"AKIA" + "IOSFODNN7EXAMPLE"}"\n',
    "a uuid": f'key = "{"123e4567-e89b-12d3-a456" + "-426614174000"}"\n',
    "an address": 'url = "https://example.org/a9Kq2LmZx7Wv4TbN8c"\n',
    "a digest": f'sha256 = "{HEX}"\n',
    "an alphabet": 'letters = "abcdefghijklmnopqrstuvwxyz0123456789"\n',
    "an alphabet in capitals": 'letters = "DEFGHIJKLMNOPQRSTUVWXYZ56789"\n',
    "half an alphabet": 'letters = "defghi9JKLMN8pqrstu7VWXYZ"\n',
    "words in one": 'x = "GlobalUnicodeHexParserFixture9Wjkz4Bdqv"\n',
    "no digits": 'x = "kRvQxLpZtWmBnYcHdJsGfTqEkRvQxLpZ"\n',
    "names": 'x = "SuperLongClassNameThatWasWritten2Times"\n',
    "an IP address": 'host = "93.184.216.34"\n',
}
MUST_SPEAK = {
    "GitHub": (f'token = "{GITHUB}"\n', "block"),
    "AWS": (f'key = "{AWS}"\n', "block"),
    "Slack": (f'x = "{SLACK}"\n', "block"),
    "Stripe": (f'x = "{STRIPE}"\n', "block"),
    "a JWT": (f'x = "{JWT}"\n', "block"),
    "a private key": (f'x = """{KEY}\n"""\n', "block"),
    "in a comment": (f"# {GITHUB}\n", "block"),
    "a password with digits": ('password = "9kLmX2qQvv"\n', "raise"),
    "a random value": (f'x = "{RANDOM}"\n', "raise"),
    "eight characters": ('password = "9kLmX2qQ"\n', "raise"),
    "a password of words": ('password = "Wonderful9Mountain"\n', "raise"),
    "random hex": (f'x = "{HEX}"\n', "raise"),
    "far in a long line": (f'x = "{"- " * 3000}"; y = "{GITHUB}"\n', "block"),
}


@pytest.mark.parametrize("text", MUST_ALLOW.values(), ids=MUST_ALLOW.keys())
def test_ordinary_values_are_not_remarked_on(text: str) -> None:
    assert remarks(leaked_secret, text) == set()


@pytest.mark.parametrize(("text", "severity"), MUST_SPEAK.values(), ids=MUST_SPEAK.keys())
def test_secrets_are_remarked_on(text: str, severity: str) -> None:
    severities = {remarked for remarked, code in remarks(leaked_secret, text) if code == "secret_in_text"}
    assert severity in severities
    assert severities <= {severity, "raise"}


def test_an_old_or_moved_secret_is_not_remarked_on() -> None:
    old = f'token = "{GITHUB}"\n'
    assert remarks(leaked_secret, old + "x = 1\n", old) == set()
    assert remarks(leaked_secret, f"if True:\n    {old}", old) == set()
    assert remarks(leaked_secret, f"{old}if True:\n    {old}", old) != set()


def test_in_a_test_a_token_raises_the_tier_and_a_random_value_does_not() -> None:
    assert remarks(leaked_secret, f'token = "{GITHUB}"\n', is_test=True) == {("raise", "secret_in_text")}
    assert remarks(leaked_secret, f'x = "{RANDOM}"\npassword = "9kLmX2qQvv"\n', is_test=True) == set()


def test_the_remark_has_the_line_of_the_secret() -> None:
    assert lines(leaked_secret, f'a = 1\nx = "{STRIPE}"\n') == [2]


def test_every_text_file_is_searched() -> None:
    assert ("block", "secret_in_text") in remarks(leaked_secret, f"token: {GITHUB}\n", path="config/a.yaml")


def test_in_prose_only_tokens_of_known_forms_count() -> None:
    assert list(secrets_in(f"use {GITHUB} please")) == ["github token"]
    assert list(secrets_in("the password is 9kLmX2qQvv, x = 'example'")) == []
