"""Commands that must be refused under a given harm, and everyday commands that must be allowed.

One test judges a whole table and reports every wrong row: a test per row would be 10,000 tests to collect.
"""

import pytest

from tests.guard.shell.rows import TABLES, must_allow, must_raise, must_refuse
from whet.guard.answer import Allow, Raise, Refuse
from whet.guard.shell import Harm, inspect


@pytest.mark.parametrize("table", TABLES)
def test_every_dangerous_command_is_refused_under_its_harm(table: str) -> None:
    wrong = []
    for harm, command in must_refuse(table):
        result = inspect(command)
        harms = {danger.harm.value for danger in result.dangers}
        if not isinstance(result.answer, Refuse) or harm not in harms:
            wrong.append(f"{command!r}: expected Refuse for {harm}, got {result.answer} for {sorted(harms)}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("table", TABLES)
def test_every_ordinary_command_is_allowed(table: str) -> None:
    wrong = []
    for command in must_allow(table):
        result = inspect(command)
        if not isinstance(result.answer, Allow):
            wrong.append(f"{command!r}: expected Allow, got {result.answer}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("table", ["escapes", "named"])
def test_every_command_that_a_person_must_see_is_raised(table: str) -> None:
    wrong = []
    for command in must_raise(table):
        answer = inspect(command).answer
        if not isinstance(answer, Raise):
            wrong.append(f"{command!r}: expected Raise, got {answer}")
    assert not wrong, "\n".join(wrong)


def test_the_core_tables_are_long_and_cover_every_harm() -> None:
    refused = must_refuse("core")
    assert len({command for _, command in refused}) >= 500
    assert len(set(must_allow("core"))) >= 800
    only_raised = {Harm.CONCEALED, Harm.UNRESOLVED}
    assert {harm for harm, _ in refused} == {harm.value for harm in Harm} - only_raised


@pytest.mark.parametrize("table", TABLES)
def test_every_row_of_a_table_has_a_command_and_a_known_harm(table: str) -> None:
    refused = must_refuse(table)
    assert {harm for harm, _ in refused} <= {harm.value for harm in Harm}
    assert all(command.strip() for _, command in refused)
    assert all(command.strip() for command in must_allow(table))


def test_shells_are_found_behind_sixty_programs() -> None:
    rows = (*must_refuse("core"), *must_refuse("blind"))
    escapes = [command for harm, command in rows if harm == "shell_escape"]
    assert len({inspect(command).commands[0].name for command in escapes}) >= 60
