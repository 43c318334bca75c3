"""Secrets in test output, test ids, tracebacks and the lines around a change reach no record and no output of whet."""

from pathlib import Path

from tests.domain.secret_samples import HEX, A
from tests.support import MakeRepo, Repo

OLD = "gh" + "p_" + A[3:39]
FIRST, SECOND = "gh" + "p_" + A[:36], "gl" + "pat-" + A[5:25]
PARAMETERS = ("xo" + "xb-123456789012-123456789012-abcdefabcdef", "xo" + "xb-123456789012-123456789012-fedcbafedcba")
SECRETS = (OLD, FIRST, SECOND, *PARAMETERS, "s3cr3tpw9", "oldsword-fish1", "swordfish-2", HEX[:40])

MODULE = f'''"""Items."""
OLD_TOKEN = "{OLD}"
def first(items):
    """Return the first item."""
    return items[1]
PASSWORD = "oldsword-fish1"
'''
TESTS = f'''import logging
import sys
import pytest
from shop import first

FIRST, SECOND = "{FIRST}", "{SECOND}"
ADDRESS = "postgresql://ann:s3cr3tpw9@db/app"


def test_first():
    print("printed", FIRST)
    print(SECOND, file=sys.stderr)
    logging.warning("logged %s", ADDRESS)
    assert first([FIRST, SECOND]) == FIRST


def test_message():
    assert first(["a", "b"]) == "a", f"token {{SECOND}} at {{ADDRESS}}"


def test_raises():
    if first([0, 1]):
        raise ValueError("refresh_token='{HEX[:40]}' is wrong")


@pytest.mark.parametrize("token", {list(PARAMETERS)!r})
def test_parameter(token):
    assert first([token, 1]) == token


def test_ok():
    assert first([1, 1]) == 1
'''
POLICY = '[deploy]\nstrategy = "merge"\n[propose]\nrepair_seconds = 8\n'


def test_no_secret_reaches_the_record_or_an_output(make_repo: MakeRepo) -> None:
    repo = make_repo({"shop.py": MODULE, "test_shop.py": TESTS, "whet.toml": POLICY, ".gitignore": ".whet/\n"})
    shown = [repo.whet("scan", "--json"), repo.whet("scan"), repo.whet("run", "--dry-run"), repo.whet("run", "--json")]
    proposal = shown[-1].json[0]["proposal"]
    for command in (("show",), ("show", "--json"), ("diff", "--json")):
        shown.append(repo.whet(command[0], proposal, *command[1:]))
    approved = repo.whet("approve", proposal, "--yes", "--why", "the password=swordfish-2 is not needed")
    assert approved.code == 0, approved.err
    shown += [approved, repo.whet("history", "shop.py", "--diff", "1", "2"), repo.whet("history", "shop.py", "--json")]
    shown += [repo.whet("list", "--json"), repo.whet("prove", "HEAD~1..HEAD", "--format", "markdown")]
    texts = [result.out + result.err for result in shown]
    assert [secret for secret in SECRETS if any(secret in text for text in texts)] == []
    assert _secrets_in(repo.root / ".whet") == []
    assert "[redacted: GitHub token]" in "".join(texts)
    _assert_deployed_byte_for_byte(repo)


def _secrets_in(folder: Path) -> list[tuple[str, str]]:
    contents = {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return [(name, secret) for name, data in contents.items() for secret in SECRETS if secret.encode() in data]


def _assert_deployed_byte_for_byte(repo: Repo) -> None:
    assert repo.sh("git", "show", "HEAD:shop.py") == MODULE.replace("items[1]", "items[0]").strip()
    assert repo.whet("audit").code == 0
    message = repo.sh("git", "log", "--format=%B", "-3")
    assert [secret for secret in SECRETS if secret in message] == []
