"""What code of another language, given on the command line, starts or does."""

from dataclasses import dataclass

from whet.guard.shell.model.harm import Harm

LONGEST = 8_192  # characters of code that are looked through by its form


@dataclass(frozen=True, slots=True)
class Starts:
    """A command text that is handed to a shell; in a `slot`, a program that another one is told to start (`slots.py`)."""

    text: str
    slot: bool = False


@dataclass(frozen=True, slots=True)
class Does:
    harm: Harm
    reason: str
    raises: bool = False


Finding = Starts | Does

TOO_LONG = Does(Harm.UNRESOLVED, "the code in it is too long to be looked through", raises=True)
