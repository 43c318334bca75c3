"""Paths of tools and of ordinary source: `must_refuse.txt` and `must_allow.txt`, one path per line."""

from pathlib import Path

import pytest

from whet.config import Config, GuardPolicy
from whet.guard.answer import Allow, Refuse
from whet.guard.paths.protected import protected_path
from whet.guard.paths.secret_files import secret_file

# Look-alike letters of other alphabets.
LOOKALIKES = str.maketrans({"a": "\u0430", "e": "\u0435", "o": "\u043e", "c": "\u0441", "p": "\u0440"})


def table(name: str) -> list[str]:
    lines = (Path(__file__).parent / name).read_text().splitlines()
    return [line for line in lines if not line.startswith("#")]


MUST_REFUSE, MUST_ALLOW = table("must_refuse.txt"), table("must_allow.txt")


def is_refused(path: str) -> bool:
    answers = [protected_path(path, Config()), secret_file(path, Config())]
    return any(isinstance(answer, Refuse) for answer in answers)


def test_the_tables_are_large_and_hold_no_path_twice() -> None:
    assert len(MUST_REFUSE) >= 200
    assert len(MUST_ALLOW) >= 150
    assert len({*MUST_REFUSE, *MUST_ALLOW}) == len(MUST_REFUSE) + len(MUST_ALLOW)


@pytest.mark.parametrize("path", MUST_REFUSE)
def test_a_path_of_a_tool_is_refused_in_every_spelling(path: str) -> None:
    for spelling in (path, path.upper(), path.title(), path.translate(LOOKALIKES)):
        assert is_refused(spelling), spelling


@pytest.mark.parametrize("path", MUST_ALLOW)
def test_a_path_of_ordinary_source_is_allowed(path: str) -> None:
    assert protected_path(path, Config()) == Allow()
    assert secret_file(path, Config()) == Allow()


@pytest.mark.parametrize("path", [path for path in MUST_REFUSE if isinstance(secret_file(path, Config()), Allow)])
def test_the_policy_opens_a_path_of_a_tool(path: str) -> None:
    assert isinstance(protected_path(path, Config(guard=GuardPolicy(open=(path,)))), Allow)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (".cursor/rules/a.md", "it belongs to a coding agent: Cursor"),
        ("packages/a/.claude/settings.json", "it belongs to a coding agent: Claude Code"),
        ("hatch_build.py", "it runs when the package is built"),
        ("action.yml", "CI runs it, often with secrets"),
        ("mise.toml", "a task runner or version manager runs it"),
        ("docs/conf.py", "it runs when the documentation is built"),
        (".nobody-knows/a.toml", "hidden files belong to tools and not to the program"),
    ],
)
def test_the_reason_says_why_a_path_is_protected(path: str, reason: str) -> None:
    answer = protected_path(path, Config())
    assert isinstance(answer, Refuse)
    assert answer.reason.endswith(f": {reason}")
