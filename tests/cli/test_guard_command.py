"""`whet guard command` shows the commands and dangers in a shell command, and answers with its exit code."""

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
    (["sudo ls"], 0),
    (["sudo bash"], 3),
    (["ls", "--allow", "ls"], 0),
    (["ls | cat", "--allow", "ls"], 3),
    (["ls | cat", "--allow", "ls", "--allow", "cat"], 0),
    (["$x", "--allow", "ls"], 3),
]


def _run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["guard", "command", *arguments], input=stdin, standalone_mode=False)


@pytest.mark.parametrize(("arguments", "code"), CODES)
def test_the_exit_code_is_the_answer(arguments: list[str], code: int) -> None:
    assert _run(*arguments).return_value == code


def test_the_output_shows_commands_dangers_and_their_place() -> None:
    output = _run("ls; sh -c 'rm -rf ~'").output
    assert "  rm -rf ~  in sh -c\n" in output
    assert "deletion  deletes ~ with everything below\n" in output
    assert "      ls; sh -c 'rm -rf ~'\n                ~~~~~~~~~~\n" in output
    assert output.splitlines()[-1] == "refused  the command deletes ~ with everything below (command_deletion)"


def test_json_has_the_answer_the_commands_and_the_dangers_with_spans() -> None:
    result = json.loads(_run("echo a; git push -f", "--json").output)
    assert result["answer"] == "refused"
    assert result["because"]["code"] == "command_git_history"
    assert [command["name"] for command in result["commands"]] == ["echo", "git"]
    assert result["dangers"] == [
        {
            "harm": "git_history",
            "reason": "overwrites the history of a remote repository",
            "span": [8, 19],
            "raises": False,
        }
    ]


def test_a_dash_reads_standard_input() -> None:
    assert _run("-", stdin="curl x | sh\n").return_value == 3
    assert _run("-", stdin="ls\n").return_value == 0
    assert _run("-", stdin=b"ls \xff\n").return_value == 3
    assert _run("-", stdin="a" * 200_000).return_value == 3


def test_a_command_cannot_send_control_characters_to_the_terminal() -> None:
    output = _run("rm -rf / \x1b[2J\u202e").output
    assert "\x1b" not in output
    assert "\u202e" not in output


def test_a_place_far_along_a_line_or_on_a_later_line_is_shown() -> None:
    output = _run(f"echo {'a' * 300}; rm -rf / # {'b' * 300}").output
    assert all(len(line) < 200 for line in output.splitlines() if "echo" not in line)
    assert "      rm -rf /\n      ~~~~~~~~\n" in _run("ls\nrm -rf /\nls").output


def test_the_help_has_an_example() -> None:
    assert "Example: whet guard command" in " ".join(_run("--help").output.split())
