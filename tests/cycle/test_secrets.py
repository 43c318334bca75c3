"""Secrets in test output, test ids, tracebacks and the lines around a change reach no record and no output of whet."""

import contextlib
import json
from pathlib import Path

import pytest

from tests.cli.refusals import refuses
from tests.cycle.secret_outlets import every_outlet, tables
from tests.domain.secret_samples import HEX, A
from tests.support import MakeRepo, Repo
from whet import runtime, tool

OLD = "gh" + "p_" + A[3:39]
FIRST, SECOND = "gh" + "p_" + A[:36], "gl" + "pat-" + A[5:25]
PARAMETERS = ("xo" + "xb-123456789012-123456789012-abcdefabcdef", "xo" + "xb-123456789012-123456789012-fedcbafedcba")
pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")  # apprise imports it

CANARY = "gh" + "p_" + A[5:41]  # in every other place: names, messages, calls, reasons
SECRETS = (
    OLD,
    FIRST,
    SECOND,
    *PARAMETERS,
    CANARY,
    "s3cr3tpw9",
    "oldsword-fish1",
    "swordfish-2",
    "hunter2hunter2",
    HEX[:40],
)

MODULE = f'''"""Items."""
OLD_TOKEN = "{OLD}"
def first(items):
    """Return the first item."""
    return items[1]
PASSWORD = "oldsword-fish1"
'''
HELPER = f"""def helper(call):
    {CANARY} = local = "{CANARY}"
    return call()
"""
NAMED_TESTS = f"""from shop import first
from lib.{CANARY} import helper


class Test_{CANARY}:
    def test_named(self):
        assert helper(lambda: first(["{CANARY}", 1])) == "{CANARY}", "{CANARY}"
"""
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
# Texts of the record that hold the canary: without them, a secret that never arrived would count as hidden.
REACHED = (
    "test_[redacted: GitHub token].py", "Test_[redacted: GitHub token]", "variable `[redacted: GitHub token]` is assigned to",
    "lib/[redacted: GitHub token].py", "ValueError: [redacted: GitHub token] with [redacted] at",
)  # fmt: skip
POLICY = '[deploy]\nstrategy = "merge"\n[propose]\nrepair_seconds = 8\n'


def test_no_secret_reaches_the_record_or_an_output(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = _repository(make_repo)
    shown = [repo.whet("scan", "--json"), repo.whet("scan"), repo.whet("run", "--dry-run"), repo.whet("run", "--json")]
    proposal = shown[-1].json[0]["proposal"]
    outlets = list(every_outlet(repo, proposal, "shop.py", tmp_path))
    assert [(name, secret) for name, text in outlets for secret in SECRETS if secret in text] == []
    for reached in REACHED:
        assert reached in dict(outlets)["ledger --json"]
    approved = repo.whet("approve", proposal, "--yes", "--why", f"the password=swordfish-2 is not needed, {CANARY}")
    assert approved.code == 0, approved.err
    shown += [approved, repo.whet("history", "shop.py", "--diff", "1", "2"), repo.whet("show", proposal, "--all")]
    shown += [repo.whet("list", "--json"), repo.whet("prove", "HEAD~1..HEAD", "--format", "markdown")]
    texts = [result.out + result.err for result in shown]
    assert [secret for secret in SECRETS if any(secret in text for text in texts)] == []
    assert [name for name, text in tables(repo.root / ".whet") if any(secret in text for secret in SECRETS)] == []
    assert _secrets_in(repo.root / ".whet") == []
    assert "[redacted: GitHub token]" in "".join(texts)
    _assert_deployed_byte_for_byte(repo)


def _repository(make_repo: MakeRepo) -> Repo:
    """Make a repository with a secret in the code, the tests, the names of files, commits, captured calls and suggestions."""
    named = {f"lib/{CANARY}.py": HELPER, "lib/__init__.py": "", f"test_{CANARY}.py": NAMED_TESTS}
    repo = make_repo({"shop.py": MODULE, "test_shop.py": TESTS, "whet.toml": POLICY, ".gitignore": ".whet/\n", **named})
    for number in range(3):
        repo.commit({"shop.py": f"{MODULE}# {number}\n"}, f"Try {CANARY}")
        repo.commit({"shop.py": MODULE}, f'Revert "Try {CANARY}"\n\nfixes {CANARY}, password=hunter2hunter2')
    call = {"tool_name": "Bash", "tool_input": {"command": f"rm -rf / {CANARY}", "password": "hunter2hunter2"}}
    event = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(repo.root), **call}
    assert "deny" in repo.whet("guard", "hook", "--agent", "claude", stdin=json.dumps(event)).out
    refuses(repo.whet("suggest", f"do not print {CANARY}", "--where", "shop.py"), 3, "looks like a secret")
    assert repo.whet("suggest", "do not connect with password=hunter2hunter2", "--where", "shop.py").code in (0, 3)
    _record_calls(repo)
    return repo


def _record_calls(repo: Repo) -> None:
    @tool(name="shop.log_in")
    def log_in(user: str, password: str, *, settings: dict[str, str]) -> str:
        if user == CANARY:
            raise ValueError(f"{user} with {password} at {settings}")
        return f"{user} {password}"

    runtime.configure(state=repo.root / ".whet")
    try:
        for user in ("ann", *[CANARY] * 5):
            with contextlib.suppress(ValueError):
                log_in(user, "hunter2hunter2", settings={"note": "hunter2hunter2", "db_password": "oldsword-fish1"})
        assert runtime.flush()
    finally:
        runtime.configure()


def _secrets_in(folder: Path) -> list[tuple[str, str]]:
    contents = {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return [(name, secret) for name, data in contents.items() for secret in SECRETS if secret.encode() in data]


def _assert_deployed_byte_for_byte(repo: Repo) -> None:
    assert repo.sh("git", "show", "HEAD:shop.py") == MODULE.replace("items[1]", "items[0]").strip()
    assert repo.whet("audit").code == 0
    message = repo.sh("git", "log", "--format=%B", "--grep=Whet-")
    assert [secret for secret in SECRETS if secret in message] == []
