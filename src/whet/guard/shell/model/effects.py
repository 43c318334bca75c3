"""What code of another language, given on the command line, starts or does."""

from dataclasses import dataclass

from whet.guard.shell.model.harm import Harm

MAX_LENGTH = 8_192  # characters of code that are looked through by its form


@dataclass(frozen=True, slots=True)
class RunsCommand:
    """A command text that is handed to a shell; in a `slot`, a program that another one is told to start (`slots.py`)."""

    text: str
    slot: bool = False


@dataclass(frozen=True, slots=True)
class CausesHarm:
    harm: Harm
    reason: str
    raises: bool = False


CodeEffect = RunsCommand | CausesHarm

TOO_LONG = CausesHarm(Harm.UNRESOLVED, "the code in it is too long to be looked through", raises=True)
