"""Every command explains itself, with an example."""

import sys

import pytest
import typer.main
from typer.testing import CliRunner

from tests.cli.refusals import SMALL, refuses, refuses_in_json
from tests.support import MakeRepo, Repo
from whet.cli.main import app

COMMANDS = sorted(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return make_repo(SMALL)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_shows_an_example(command: str) -> None:
    result = CliRunner().invoke(app, [command, "--help"])
    assert result.exit_code == 0
    assert f"Example: {'cd my-repo && ' if command == 'init' else ''}whet {command}" in " ".join(result.output.split())


def test_the_help_lists_every_command_and_the_exit_codes(repo: Repo) -> None:
    result = repo.whet("--help")
    assert all(command in result.out for command in COMMANDS)
    assert "Exit codes" in result.out
    assert repo.whet("-h").out == result.out


def test_an_unknown_command_and_an_unknown_option_are_usage_errors(repo: Repo) -> None:
    refuses(repo.whet("frobnicate"), 2, "frobnicate", "whet --help")
    refuses(repo.whet("scan", "--frobnicate"), 2, "--frobnicate")
    refuses_in_json(repo.whet("frobnicate", "--json"), 2, "usage", "frobnicate")
    refuses_in_json(repo.whet("run", "--top", "0", "--json"), 2, "usage", "--top")
    refuses_in_json(repo.whet("show", "--json"), 2, "usage", "which")


def test_whet_runs_as_a_python_module(repo: Repo) -> None:
    result = repo.sh(sys.executable, "-m", "whet", "--help")
    assert all(command in result for command in COMMANDS)
