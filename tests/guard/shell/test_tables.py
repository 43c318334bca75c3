"""The two tables: what must be refused and under which harm, and what a developer types all day."""

import pytest

from tests.guard.shell.attacked import ORDINARY_ATTACKED, REFUSED_ATTACKED
from tests.guard.shell.fresh import ORDINARY_FRESH, REFUSED_FRESH
from tests.guard.shell.mainstream import ORDINARY_MAINSTREAM, REFUSED_MAINSTREAM
from tests.guard.shell.ordinary import ORDINARY
from tests.guard.shell.refused import REFUSED
from tests.guard.shell.unseen import ORDINARY_UNSEEN, REFUSED_UNSEEN
from whet.guard.answer import Allow, Refuse
from whet.guard.shell import Harm, inspect


@pytest.mark.parametrize(
    ("harm", "command"), [*REFUSED, *REFUSED_UNSEEN, *REFUSED_ATTACKED, *REFUSED_MAINSTREAM, *REFUSED_FRESH]
)
def test_is_refused_and_found_under_its_harm(harm: str, command: str) -> None:
    seen = inspect(command)
    assert isinstance(seen.answer, Refuse)
    assert harm in {danger.harm for danger in seen.dangers}


@pytest.mark.parametrize(
    "command", [*ORDINARY, *ORDINARY_UNSEEN, *ORDINARY_ATTACKED, *ORDINARY_MAINSTREAM, *ORDINARY_FRESH]
)
def test_an_ordinary_command_is_allowed(command: str) -> None:
    seen = inspect(command)
    assert isinstance(seen.answer, Allow), seen.dangers


def test_the_tables_are_as_long_as_they_should_be_and_touch_every_harm() -> None:
    assert len({command for _, command in REFUSED}) >= 500
    assert len(set(ORDINARY)) >= 800
    raised_only = {Harm.CONCEALED, Harm.UNRESOLVED}
    assert {harm for harm, _ in REFUSED} == {harm.value for harm in Harm} - raised_only


def test_shells_are_found_behind_sixty_programs() -> None:
    escapes = [command for harm, command in (*REFUSED, *REFUSED_UNSEEN) if harm == "shell_escape"]
    assert len({inspect(command).commands[0].name for command in escapes}) >= 60
