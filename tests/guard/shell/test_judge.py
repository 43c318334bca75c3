"""The answer of the shell guard, with and without an allow list, and the place of each danger."""

import pytest

from tests.guard.shell.rows import TABLES, must_refuse
from whet.guard.answer import Allow, Raise, Refuse
from whet.guard.shell import Harm, ShellPolicy, inspect, judge_command

ALLOW_LIST = ShellPolicy(allow=frozenset({"git", "grep", "ls", "sh", "rm", "env"}))
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
    "cat x", "git log | less", "ls $(cat x)", "./git status", "/tmp/git status", "sh -c 'cat x'", "env cat x",
    "rm -rf /", "git push --force", "$x", "g?t", "ls <(cat x)", "echo 'unclosed", "g''it status",
    "git() { cat x; }; git", "LD_PRELOAD=x ls",
]  # fmt: skip


@pytest.mark.parametrize("command", LISTED)
def test_an_allow_list_allows_the_commands_it_names(command: str) -> None:
    assert isinstance(judge_command(command, ALLOW_LIST), Allow)


@pytest.mark.parametrize("command", NOT_LISTED)
def test_an_allow_list_refuses_other_commands_even_nested_ones(command: str) -> None:
    assert isinstance(judge_command(command, ALLOW_LIST), Refuse)


def test_an_empty_allow_list_allows_no_command() -> None:
    assert isinstance(judge_command("ls", ShellPolicy(allow=frozenset())), Refuse)


@pytest.mark.parametrize("command", [
    "sudo ./install.sh", "doas python3 setup.py install", "su -c 'vim notes.txt'", "pkexec make install",
    "sudo rm /var/lib/app/lock", "sudo bash build.sh", "sudo env tools/run", "runuser -u app -- ./serve",
])  # fmt: skip
def test_a_command_as_another_user_is_raised_if_its_effect_is_not_seen(command: str) -> None:
    result = inspect(command)
    assert isinstance(result.answer, Raise), command
    assert {danger.harm for danger in result.dangers} == {Harm.PRIVILEGE}


def test_a_danger_is_reported_once() -> None:
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
def test_a_danger_has_the_span_of_its_place_in_the_text(command: str, place: str) -> None:
    start, end = next(danger.span for danger in inspect(command).dangers if danger.harm is Harm.DELETION)
    assert command[start:end] == place


def test_a_nested_command_lists_the_commands_that_led_to_it() -> None:
    commands = inspect("sudo sh -c 'env ls'").commands
    assert [(command.name, command.via) for command in commands] == [
        ("sudo", ()), ("sh", ("sudo",)), ("env", ("sudo", "sh -c")), ("ls", ("sudo", "sh -c", "env")),
    ]  # fmt: skip


def test_an_answer_has_a_reason_and_a_stable_code() -> None:
    assert judge_command("rm -rf /") == Refuse("the command deletes / with everything below", "command_deletion")
    assert judge_command("$x") == Raise("the name of the command is not known", "command_unresolved")


@pytest.mark.parametrize("table", TABLES)
def test_every_reason_is_one_sentence_with_a_subject(table: str) -> None:
    reasons = {judge_command(command).reason for _, command in must_refuse(table)}
    assert not [reason for reason in reasons if not reason.startswith("the ")]
    assert not [reason for reason in reasons if reason.startswith(("the command the ", "the command what "))]
