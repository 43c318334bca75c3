"""Secrets are replaced by a mark; ordinary output stays as it is."""

import random
import re
from typing import Any

import pytest

from tests.domain.command_samples import HIDDEN, SECRET
from tests.domain.command_samples import ORDINARY as ORDINARY_COMMANDS
from tests.domain.secret_samples import HEX, ORDINARY, SAMPLES, A
from whet.domain import redact as module
from whet.domain.redact import environment_secrets, redact, redact_diff, redact_tokens
from whet.domain.redact_noun import redact_noun
from whet.domain.suggestion import Suggestion
from whet.domain.suite import Failure
from whet.guard.content.leaked_secret import detectors

GITHUB = SAMPLES["GitHub, classic"][1]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_secret_is_replaced(name: str) -> None:
    text, secret = SAMPLES[name]
    for surrounding in (text, f"E   AssertionError: {text}", f"line\n{text}\nline", f"x\t{text}\n"):
        if name == "private key, beginning missing" and surrounding != text:
            continue  # only the text after a cut begins inside a key
        redacted = redact(surrounding)
        assert secret not in redacted
        assert "[redacted: " in redacted
        assert redact(redacted) == redacted
    pieces = [piece for piece in re.split(r"[\s.]|\\n", secret) if len(piece) >= 12 and not piece.startswith("--")]
    assert not [piece for piece in pieces if piece in redact(text)]


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("escape", ["\\n", "\\t", "\\x1b[31m", "\x1b[31m", "\\\\u0022", "%20"])
def test_a_secret_directly_behind_an_escape_is_replaced(name: str, escape: str) -> None:
    """As in the `repr` of text with several lines, in coloured output, and in addresses."""
    text, secret = SAMPLES[name]
    if name == "private key, beginning missing":
        return
    redacted = redact(f"E  AssertionError: assert 'x{escape}{text}'")
    assert secret not in redacted
    assert redact(redacted) == redacted


def test_a_coloured_name_shows_the_secret_after_it() -> None:
    shown = redact("\x1b[1mpassword\x1b[0m = \x1b[33m'tr0ub4dor&3'\x1b[39m, once more: tr0ub4dor&3")
    assert shown == "\x1b[1mpassword\x1b[0m = \x1b[33m'[redacted: password]'\x1b[39m, once more: [redacted: password]"


def test_a_token_behind_an_escape_in_program_text_is_replaced() -> None:
    assert GITHUB not in redact_tokens(f'+MESSAGE = "first line\\n{GITHUB}"')


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_output_stays(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize("command", HIDDEN)
def test_a_secret_in_the_arguments_of_a_command_is_replaced(command: str) -> None:
    text = f"running {command}".replace("@@", SECRET)
    for shown in (redact(text), redact(f"{text} | tee log\n"), redact(f"$ {text}\n$ ls")):
        assert SECRET not in shown
        assert redact(shown) == shown


@pytest.mark.parametrize("command", ORDINARY_COMMANDS)
def test_an_ordinary_command_stays(command: str) -> None:
    for text in (command, f"$ {command}\n$ ls -l\n", f"{command} && make -p build1"):
        assert redact(text) == text


@pytest.mark.parametrize("command", ["mysql -p@@", "curl -H 'Authorization: Bearer @@'", "sshpass -p @@ ssh ann@host"])
def test_a_secret_of_a_command_is_replaced_in_its_output(command: str) -> None:
    assert SECRET not in redact(f"$ {command}\nann {SECRET} host\n".replace("@@", SECRET))


def test_every_secret_of_a_command_and_of_each_line_is_replaced() -> None:
    lines = [
        "snmpget -A tr0ub4dor -X batt3ry-staple host",
        "curl -u ann:tr0ub4dor \\\n  -b sid=c0rrecthorse https://host",
    ]
    shown = redact("\n".join(lines * 3))
    assert not [secret for secret in ("tr0ub4dor", "batt3ry", "c0rrecthorse") if secret in shown]


@pytest.mark.parametrize(
    "piece", ["mysql -p", "curl -u a:", "htpasswd -b a ", "kinit <<<", "sshpass -p ", 'zip -P"', "echo 'a' | sudo "]
)
def test_hostile_commands_take_linear_time(piece: str) -> None:
    redact(piece * (40_000 // len(piece)))


def test_at_least_forty_forms_are_replaced() -> None:
    assert len(SAMPLES) >= 40


@pytest.mark.parametrize("kind", [kind for kind, plugin in detectors().items() if getattr(plugin, "denylist", None)])
def test_every_form_of_detect_secrets_is_among_the_samples(kind: str) -> None:
    """`Secret Keyword` is a list of names, which the guard weighs; assignments have samples of their own."""
    if kind in ("Secret Keyword", "Cloudant Credentials"):
        return
    plugin = detectors()[kind]
    assert any(set(plugin.analyze_string(line)) for text, _ in SAMPLES.values() for line in text.splitlines())


@pytest.mark.parametrize("first", ["AKIA{upper}", "SK{hex}", "{hex}-us12", "123456789:{mixed}", "M{head}.{six}.{tail}"])
def test_two_tokens_without_a_gap_are_replaced(first: str) -> None:
    pool = "A1b2C3d4E5f6G7h8I9j0" * 3
    parts = {
        "upper": pool.upper()[:16],
        "hex": "0a1b2c3d" * 4,
        "mixed": pool[:35],
        "head": pool[:23],
        "six": pool[:6],
        "tail": pool[:27],
    }
    token = first.format(**parts)
    assert token not in redact(f"ValueError: {token}{token}")
    assert token not in redact(f"ValueError: {token}{token}{token}\n")


def test_the_same_secret_gets_the_same_mark_and_other_text_stays() -> None:
    text = f"assert '{GITHUB}' == '{GITHUB}x1' and 1 == 2"
    assert redact(text) == "assert '[redacted: GitHub token]' == '[redacted: GitHub token]' and 1 == 2"


def test_a_secret_that_is_a_word_of_a_mark_changes_no_mark() -> None:
    marked = redact("login(password='password1') and password1 and token='hunter2-token'", {"password": "word"})
    assert "[redacted: [" not in marked
    assert redact(marked, {"password": "word"}) == marked


def test_a_secret_that_its_context_shows_is_replaced_everywhere_in_a_text() -> None:
    text = "assert login(password='swordfish-1') == 'swordfish-1'\n- swordfish-1\n"
    assert "swordfish" not in redact(text)


def test_a_secret_that_its_context_shows_is_replaced_everywhere_in_a_noun() -> None:
    failure = Failure(
        exception="AssertionError",
        message="login(password='swordfish-1')",
        frames=(("a.py", 3, "login"),),
        text="E   - swordfish-1",
        compared=("'swordfish-1'", "'x'"),
    )
    redacted = redact_noun(failure)
    assert "swordfish" not in str(redacted)
    assert redacted.frames == failure.frames


NAMED: list[tuple[Any, str]] = [
    ({"password": "hunter2"}, "hunter2"),
    ({"deep": [{"dbPassword": "hunter2"}]}, "hunter2"),
    ({"password": "a\"b\\c'd"}, "c'd"),
    ({"api_key": "a1b2c3d4e5"}, "a1b2c3d4e5"),
    ({"Authorization": "abc123def"}, "abc123def"),
    ({"refreshToken": "a1b2c3d4e5f6"}, "a1b2c3d4e5f6"),
    ({"client_secret": "swordfish1", "log": "sent swordfish1"}, "swordfish1"),
    ({"name": "DB_PASSWORD", "value": "hunter2"}, "hunter2"),
    ({"key": "smtp_password", "value": "hunter2"}, "hunter2"),
    ([("password", "hunter2")], "hunter2"),
    ([["X-Api-Key", "a1b2c3d4e5"]], "a1b2c3d4e5"),
    ('api_key: str = "swordfish"', "swordfish"),
    ("password: Optional[str] = 'hunter2'", "hunter2"),
    ("Config(user='ann', token='a1b2c3d4e5f6')", "a1b2c3d4e5f6"),
]


@pytest.mark.parametrize(("data", "secret"), NAMED)
def test_the_name_of_a_value_shows_that_it_is_a_secret(data: Any, secret: str) -> None:
    redacted = redact_noun(data)
    assert secret not in str(redacted)
    assert "[redacted: " in str(redacted)
    assert redact_noun(redacted) == redacted


@pytest.mark.parametrize(
    "data",
    [
        {"password": "This field is required.", "token": "identifier", "key": "cycle/p-1/observe"},
        {"password": None, "max_tokens": 4096, "secret": True, "passed": "tests/a.py::test_b"},
        {"token_variable": "GITHUB_TOKEN", "primary_key": "user_id1", "keys": {"f": "user.id"}},
        {"credential": "aGVsbG8gd29ybGQ123", "public_key": "pQECAyYgASFYIHh4eHg1"},
        [("password", "must be at least 8 characters"), ("token", "NAME")],
        {"name": "colour", "value": "blue-green1"},
        "def f(api_key: str = None, token: str | None = None, password: str = '') -> None: ...",
    ],
)
def test_a_value_with_an_ordinary_name_stays(data: Any) -> None:
    assert redact_noun(data) == data


def test_keys_that_become_equal_are_kept() -> None:
    other = GITHUB[:-1] + "Q"
    redacted = redact_noun({f"test[{GITHUB}]": "passed", f"test[{other}]": "failed", "n": 5})
    assert sorted(map(str, redacted.values())) == ["5", "failed", "passed"]
    assert GITHUB not in str(redacted)


def test_values_of_secret_variables_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    values = {
        "DEPLOY_TOKEN": "plain looking value",
        "MY_DB_PASSWORD": "it's/42 & more",
        "WHET_STORE_URL": "postgresql://ann:quite-long@host/db",
        "HOME_PAGE": "ordinary page",
        "SSH_AUTH_SOCK": "/run/ssh/agent.sock",
        "SHORT_TOKEN": "abc",
    }
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    environment_secrets.cache_clear()
    try:
        assert redact("got plain looking value") == "got [redacted: value of DEPLOY_TOKEN]"
        assert redact("x%27it" + "it%27s%2F42%20%26%20more") == "x%27it[redacted: value of MY_DB_PASSWORD]"
        assert "quite-long" not in redact("role ann, quite-long")
        for text in ("ordinary page", "/run/ssh/agent.sock", "abc abc"):
            assert redact(text) == text
    finally:
        monkeypatch.undo()
        environment_secrets.cache_clear()


@pytest.mark.parametrize(
    "piece",
    ["eyJ", "eyJa.", "gh" + "p_", "-----BEGIN RSA PRIV" + "ATE KEY-----", "password=", "password='", "://a:", "a:b@", "secret_key ",
     "Cookie: a=", "Authorization: Bearer ", "token: ", "AKIA", "M" * 24 + ".", "1234567890:", "$2b$", "SG.", "sk-", "\\", "'\"",
     "Private-Lines: 1\nA\n", "pwd=a\\", "passwordpassword = ", "--user a:", "login a password ", "secret\\\\\\'", "a" * 39 + "-us",
     "://" + "a" * 99, "A" * 70 + "\n", "-----END PRIV" + "ATE KEY-----", "=" , "[redacted: "],
)  # fmt: skip
def test_hostile_text_takes_linear_time(piece: str) -> None:
    """With a quadratic expression, a text of this length would take minutes."""
    redact(piece * (400_000 // len(piece)))
    redact_diff("+" + piece * (400_000 // len(piece)))


def test_many_different_secrets_take_linear_time() -> None:
    text = "\n".join(f"password='swordfish-{number}' token='{number:032x}a1'" for number in range(5000))
    assert "swordfish" not in redact(text)


def test_a_diff_hides_no_added_code() -> None:
    key = "PRIV" + "ATE KEY-----"
    diff = "\n".join(
        [
            "diff --git a/a.py b/a.py",
            f" TOKEN = '{GITHUB}'",
            "-password = 'swordfish-1'",
            f"-{A}",
            f"+# -----BEGIN {key}",
            "+password=start('rm'); secret_key='harmless1' + run(x)",
            "+import_module_of_the_attacker",
            f"+# -----END {key}",
            f" -----BEGIN {key}",
            f" {A}",
            f" -----END {key}",
            f"+token = '{GITHUB}'",
        ]
    )
    shown = redact_diff(diff)
    assert GITHUB not in shown
    assert "swordfish" not in shown
    assert f" {A}" not in shown
    added = [line for line in diff.splitlines() if line.startswith("+")]
    assert [line for line in shown.splitlines() if line.startswith("+")] == [
        *added[:-1],
        "+token = '[redacted: GitHub token]'",
    ]


def test_program_text_keeps_all_but_tokens() -> None:
    text = f"+password = 'swordfish-1'\n+{GITHUB}\n"
    suggestion = Suggestion(id="s", text="t", where="", by="ann", at=None, patch=text)  # type: ignore[arg-type]
    assert (
        redact_noun(suggestion).patch == redact_tokens(text) == "+password = 'swordfish-1'\n+[redacted: GitHub token]\n"
    )
    assert redact_noun({"recipe": {"text": text}})["recipe"]["text"] == redact_tokens(text)


def test_plain_data_without_secrets_is_not_copied() -> None:
    failure = Failure(exception="E", message="1 == 2", frames=(), text=HEX)
    assert redact_noun(failure) is failure


_PIECES = (
    *(part for sample in SAMPLES.values() for part in sample), *ORDINARY, "password", "=", ": ", "'", '"', "\\", "token", "]", "[",
    "...", "-", "_", ".", "/", "@", "://", "\n", " ", "secret", "key", "Bearer ", "Cookie: ", "a1b2c3d4e5", "{", "(", "+", "E   ",
    "[redacted: password]", "[redacted: value of X_TOKEN]",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(150))
def test_redacting_twice_changes_nothing_more(seed: int) -> None:
    """Evidence is redacted before its digest is taken and again by the ledger: both must agree."""
    choose = random.Random(seed)
    text = "".join(choose.choice(_PIECES) for _ in range(choose.randint(1, 8)))
    noun = {"message": text, "trace": [text, text[::2]], "diff": f"diff\n {text}\n+{text}"}
    for once, again in (
        (redact(text), redact(redact(text))),
        (redact_tokens(text), redact_tokens(redact_tokens(text))),
        (redact_noun(noun), redact_noun(redact_noun(noun))),
    ):
        assert once == again


def test_the_mark_names_only_the_kind() -> None:
    assert module.MARK.format("password") == "[redacted: password]"
