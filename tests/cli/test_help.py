"""Every command explains itself, with an example."""

import sys

import pytest
import typer.main
from typer.testing import CliRunner

from tests.cli.words import SMALL, refuses, refuses_in_json
from tests.support import MakeRepo, Repo
from whet.cli.main import app

COMMANDS = sorted(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


@pytest.fixture
def anywhere(make_repo: MakeRepo) -> Repo:
    return make_repo(SMALL)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_shows_an_example(command: str) -> None:
    said = CliRunner().invoke(app, [command, "--help"])
    assert said.exit_code == 0
    assert f"Example: {'cd my-repo && ' if command == 'init' else ''}whet {command}" in " ".join(said.output.split())


def test_the_help_lists_every_command_and_the_exit_codes(anywhere: Repo) -> None:
    said = anywhere.whet("--help")
    assert all(command in said.out for command in COMMANDS)
    assert "Exit codes" in said.out
    assert anywhere.whet("-h").out == said.out


def test_an_unknown_command_and_an_unknown_option_are_usage_errors(anywhere: Repo) -> None:
    refuses(anywhere.whet("frobnicate"), 2, "frobnicate", "whet --help")
    refuses(anywhere.whet("scan", "--frobnicate"), 2, "--frobnicate")
    refuses_in_json(anywhere.whet("frobnicate", "--json"), 2, "usage", "frobnicate")
    refuses_in_json(anywhere.whet("run", "--top", "0", "--json"), 2, "usage", "--top")
    refuses_in_json(anywhere.whet("show", "--json"), 2, "usage", "which")


def test_python_can_run_it_as_a_module(anywhere: Repo) -> None:
    said = anywhere.sh(sys.executable, "-m", "whet", "--help")
    assert all(command in said for command in COMMANDS)
