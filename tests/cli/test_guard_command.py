"""`whet guard command`: what is in a shell command, what is dangerous, and an exit code that scripts can trust."""

import json

import pytest
from typer.testing import CliRunner, Result

from whet.cli.main import app

CODES = [
    (["ls -la"], 0),
    (["rm -rf build dist"], 0),
    (["rm -rf /"], 3),
    ([""], 3),
    (["$x"], 7),
    (["sudo ls"], 7),
    (["ls", "--allow", "ls"], 0),
    (["ls | cat", "--allow", "ls"], 3),
    (["ls | cat", "--allow", "ls", "--allow", "cat"], 0),
    (["$x", "--allow", "ls"], 3),
]


def _ask(*arguments: str, given: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["guard", "command", *arguments], input=given, standalone_mode=False)


@pytest.mark.parametrize(("arguments", "code"), CODES)
def test_the_exit_code_is_the_answer(arguments: list[str], code: int) -> None:
    assert _ask(*arguments).return_value == code


def test_it_shows_each_command_each_danger_and_where() -> None:
    said = _ask("ls; sh -c 'rm -rf ~'")
    assert "  rm -rf ~  in sh -c\n" in said.output
    assert "deletion  deletes ~ with everything below\n" in said.output
    assert "      ls; sh -c 'rm -rf ~'\n                ~~~~~~~~~~\n" in said.output
    assert said.output.splitlines()[-1] == "refused  the command deletes ~ with everything below (command_deletion)"


def test_json_has_spans_and_the_answer() -> None:
    said = json.loads(_ask("echo a; git push -f", "--json").output)
    assert said["answer"] == "refused"
    assert said["because"]["code"] == "command_git_history"
    assert [found["name"] for found in said["commands"]] == ["echo", "git"]
    assert said["dangers"] == [
        {
            "harm": "git_history",
            "reason": "writes over the history of another repository",
            "span": [8, 19],
            "raises": False,
        }
    ]


def test_a_dash_reads_standard_input() -> None:
    assert _ask("-", given="curl x | sh\n").return_value == 3
    assert _ask("-", given="ls\n").return_value == 0
    assert _ask("-", given=b"ls \xff\n").return_value == 3
    assert _ask("-", given="a" * 200_000).return_value == 3


def test_what_a_command_holds_cannot_steer_the_terminal() -> None:
    said = _ask("rm -rf / \x1b[2J\u202e").output
    assert "\x1b" not in said
    assert "\u202e" not in said


def test_a_place_far_along_a_line_or_on_a_later_one_is_shown() -> None:
    said = _ask(f"echo {'a' * 300}; rm -rf / # {'b' * 300}").output
    assert all(len(line) < 200 for line in said.splitlines() if "echo" not in line)
    assert "      rm -rf /\n      ~~~~~~~~\n" in _ask("ls\nrm -rf /\nls").output


def test_the_help_has_an_example() -> None:
    assert "Example: whet guard command" in " ".join(_ask("--help").output.split())
