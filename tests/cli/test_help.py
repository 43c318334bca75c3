"""Every command explains itself, with an example."""

import sys

import pytest
import typer.main
from typer.testing import CliRunner

from tests.cli.refusals import SMALL, refuses, refuses_in_json
from tests.support import MakeRepo, Repo
from whet.cli.main import app

COMMANDS = sorted(typer.main.get_command(app).commands)  # type: ignore[attr-defined]

_GROUPS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
SUBCOMMANDS = [[name, sub] for name in COMMANDS for sub in sorted(getattr(_GROUPS[name], "commands", ()))]


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


def test_the_summaries_of_the_commands_fit_80_columns() -> None:
    output = CliRunner(env={"COLUMNS": "80", "TERMINAL_WIDTH": "80"}).invoke(app, ["--help"]).output
    commands = output.partition("Commands:")[2].partition("Exit codes")[0].splitlines()
    rows = [line for line in commands if line.strip()]
    assert len(rows) == len(COMMANDS), "a summary is wrapped"
    assert all(len(row) <= 80 and not row.endswith("...") for row in rows), rows


@pytest.mark.parametrize("command", [[name] for name in COMMANDS] + SUBCOMMANDS, ids=" ".join)
def test_the_help_of_every_command_fits_80_columns(command: list[str]) -> None:
    output = CliRunner(env={"COLUMNS": "80", "TERMINAL_WIDTH": "80"}).invoke(app, [*command, "--help"]).output
    assert "Usage:" in output
    lines = [line for line in output.splitlines() if not line.startswith("Usage:")]
    assert [line for line in output.splitlines() if len(line) > 80] == []
    assert [line for line in lines if line.rstrip().endswith("...")] == [], "a summary is cut off"


def test_an_unknown_command_and_an_unknown_option_are_usage_errors(repo: Repo) -> None:
    refuses(repo.whet("frobnicate"), 2, "frobnicate", "whet --help")
    refuses(repo.whet("scan", "--frobnicate"), 2, "--frobnicate")
    refuses_in_json(repo.whet("frobnicate", "--json"), 2, "usage", "frobnicate")
    refuses_in_json(repo.whet("run", "--top", "0", "--json"), 2, "usage", "--top")
    refuses_in_json(repo.whet("show", "--json"), 2, "usage", "PROPOSAL")


def test_whet_runs_as_a_python_module(repo: Repo) -> None:
    result = repo.sh(sys.executable, "-m", "whet", "--help")
    assert all(command in result for command in COMMANDS)
