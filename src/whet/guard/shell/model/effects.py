"""Effects of code in another language (Python, awk, SQL, ...) that a command line contains."""

from dataclasses import dataclass

from whet.guard.shell.model.harm import Harm

MAX_LENGTH = 8_192  # characters of code; longer code is not searched, because the patterns would take too long


@dataclass(frozen=True, slots=True)
class RunsCommand:
    """The code hands a command text to a shell.

    With `slot`, the text stands where a tool expects one of its own helper programs, such as a pager
    (see `evaluate/program_slots.py`).
    """

    text: str
    slot: bool = False


@dataclass(frozen=True, slots=True)
class CausesHarm:
    """The code does harm by itself, or (`raises`) a person must look at it."""

    harm: Harm
    reason: str
    raises: bool = False


CodeEffect = RunsCommand | CausesHarm

LEFT_OUT = "..."  # the placeholder in manuals for code that the reader fills in
TOO_LONG = CausesHarm(Harm.UNRESOLVED, "the code in it is too long to be checked", raises=True)
