"""The answer, the two modes, and where a danger stands."""

import pytest

from whet.guard.answer import Allow, Raise, Refuse
from whet.guard.shell import Harm, ShellPolicy, inspect, judge_command

GIT = ShellPolicy(allow=frozenset({"git", "grep", "ls", "sh", "rm", "env"}))
LISTED = [
    "git status",
    "ls | grep x",
    "/usr/bin/git log",
    "sh -c 'git diff'",
    "A=b git log",
    "f() { git log; }; f",
    "if [ -f x ]; then ls; fi",
    "rm x",
    "x=1",
]
NOT_LISTED = [
    "cat x", "git log | less", "ls $(cat x)", "./git status", "/tmp/git status", "sh -c 'cat x'", "env cat x", "rm -rf /", "git push --force",
    "$x", "g?t", "ls <(cat x)", "echo 'unclosed", "g''it status", "git() { cat x; }; git", "LD_PRELOAD=x ls",
]  # fmt: skip


@pytest.mark.parametrize("command", LISTED)
def test_an_allow_list_allows_what_it_names(command: str) -> None:
    assert isinstance(judge_command(command, GIT), Allow)


@pytest.mark.parametrize("command", NOT_LISTED)
def test_an_allow_list_refuses_all_else_wherever_it_hides(command: str) -> None:
    assert isinstance(judge_command(command, GIT), Refuse)


def test_an_empty_allow_list_allows_no_command() -> None:
    assert isinstance(judge_command("ls", ShellPolicy(allow=frozenset())), Refuse)


def test_the_rights_of_another_user_want_a_person() -> None:
    for command in ("sudo apt-get install jq", "doas ls", "su -c ls x", "pkexec ls"):
        seen = inspect(command)
        assert isinstance(seen.answer, Raise), command
        assert {danger.harm for danger in seen.dangers} == {Harm.PRIVILEGE}


def test_a_danger_is_told_once() -> None:
    assert len(inspect("f() { rm -rf /; }; f; f; f").dangers) == 1


SPANS = [
    ("ls; rm -rf /", "rm -rf /"),
    ("sh -c 'rm -rf /' && ls", "'rm -rf /'"),
    ("sudo sh -c 'rm -rf /'", "'rm -rf /'"),
    ("é=1; rm -rf /", "rm -rf /"),
    ("echo é | tee ü; rm -rf /", "rm -rf /"),
    ("eval 'sh -c \"rm -rf /\"'", "'sh -c \"rm -rf /\"'"),
    ("echo $(rm -rf /)", "rm -rf /"),
    ("echo 'rm -rf /' | sh", "sh"),
    ("find . -exec rm -rf {} \\;", "find . -exec rm -rf {} \\;"),
]


@pytest.mark.parametrize(("command", "place"), SPANS)
def test_a_danger_says_where_it_stands(command: str, place: str) -> None:
    start, end = next(danger.span for danger in inspect(command).dangers if danger.harm is Harm.DELETION)
    assert command[start:end] == place


def test_a_command_says_what_it_hid_in() -> None:
    found = inspect("sudo sh -c 'env ls'").commands
    assert [(one.name, one.via) for one in found] == [
        ("sudo", ()), ("sh", ("sudo",)), ("env", ("sudo", "sh -c")), ("ls", ("sudo", "sh -c", "env")),
    ]  # fmt: skip


def test_the_reason_is_a_sentence_and_the_code_is_stable() -> None:
    assert judge_command("rm -rf /") == Refuse("the command deletes / with everything below", "command_deletion")
    assert judge_command("$x") == Raise("the name of the command is not known", "command_unresolved")
