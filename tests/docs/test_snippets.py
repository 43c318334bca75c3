"""Every console snippet of the documents runs and prints what the document shows."""

from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from tests.docs.console import Command, Session, commands, documents, matches
from tests.docs.repositories import BUILDERS
from tests.support import write_forking_whet

SHELL_FENCES = ("```sh", "```bash", "```shell")
MOST_UNTESTED = 8  # they need an installation, docker, a browser, a model or a second person


def _scripts() -> list[list[Command]]:
    """Return the commands of each document, grouped by the repository that they run in."""
    every = [list(commands(document)) for document in documents()]
    return [list(group) for script in every for _, group in groupby(script, key=lambda command: command.place)]


SCRIPTS = _scripts()


NEED_WHETS_PYTHON = {"tools", "todos"}  # their targets import whet, or whet loads a plug-in that a page installs


def _name(script: list[Command]) -> str:
    return f"{script[0].document.name}-{script[0].place}"


# Pages of whole proofs and cycles that tests/cycle and tests/cli run too.
LONG = {
    "approvals.md-signed",
    "ci.md-own_tests",
    "ci.md-packages",
    "ci.md-stats",
    "models.md-asks_a_model",
    "service.md-stats",
    "undecided-calls.md-customers",
}


def _script(script: list[Command]) -> Any:
    marks = pytest.mark.long if _name(script) in LONG else ()
    return pytest.param(script, marks=marks, id=_name(script))


@pytest.mark.slow
@pytest.mark.parametrize("script", [_script(script) for script in SCRIPTS])
def test_the_snippets_of_a_document_print_what_it_shows(script: list[Command], tmp_path: Path) -> None:
    assert script[0].place in BUILDERS, f"{script[0].document.name} does not say which repository its snippets run in"
    folder = tmp_path / "my-repo"
    folder.mkdir()
    session = Session(folder, BUILDERS[script[0].place](folder))
    if script[0].place not in NEED_WHETS_PYTHON:
        session.programs = tmp_path / "programs"
        session.programs.mkdir()
        write_forking_whet(session.programs)
    for command in script:
        output = session.run(command.text)
        where = f"{command.document.name}:{command.line}: {command.text}"
        shown = "\n".join(command.expected)
        assert matches(command.expected, output), f"{where}\nshown:\n{shown}\nprinted:\n{output}"
        session.learn(command.expected, output)


def test_the_documents_that_a_reader_follows_have_snippets() -> None:
    names = {script[0].document.name for script in SCRIPTS}
    assert {"README.md", "tutorial.md", "ci.md", "approvals.md", "canary.md", "postgresql.md", "plugins.md"} <= names


def test_every_long_script_is_a_script() -> None:
    assert {_name(script) for script in SCRIPTS} >= LONG


def test_few_shell_blocks_are_left_untested() -> None:
    untested = [
        f"{document.name}: {line}"
        for document in documents()
        for line in document.read_text().splitlines()
        if line in SHELL_FENCES
    ]
    assert len(untested) <= MOST_UNTESTED, untested


def test_an_output_that_differs_is_noticed() -> None:
    assert matches(("3 tests passed in 1.2 s", "..."), "3 tests passed in 14 s\nand more\n")
    assert matches(("wrote ... (short)",), "wrote whet.toml (short)")
    assert matches(("p-12345678  done",), "p-abcdef01   done")
    assert not matches(('whet reject p-12345678 --why "..."',), 'whet reject p-12345678 --why "late"')
    assert not matches(("3 tests passed",), "2 tests passed")
    assert not matches(("3 tests passed",), "3 tests passed\nand a warning")
    assert not matches((), "a word")
