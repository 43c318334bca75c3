"""The state of a simulated shell while a command text is evaluated."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from whet.guard.shell.model.harm import Danger, FoundCommand, Harm, Span
from whet.guard.shell.model.placeholders import OWN_PROCESS, PRIVATE_CONTENT, UNKNOWN, display

MAX_COMMANDS = 10_000
MAX_DEPTH = 40  # of command texts within command texts
MAX_VALUES = 6  # of one variable, and so evaluations of one command
MAX_VALUE_LENGTH = 16_384
MAX_TEXT = 262_144  # characters of all nested command texts together

UNPARSED = "the text cannot be fully parsed as shell"

# Variables that every shell has set. "~" stands for the home folder in every path.
PRESET_VARIABLES = {
    "HOME": "~",
    "PWD": ".",
    "IFS": " \t\n",
    "SHELL": "/bin/bash",
    "BASH": "/bin/bash",
    "TMPDIR": "/tmp",
    "EDITOR": "vi",
    "VISUAL": "vi",
    "PAGER": "less",
    "PPID": OWN_PROCESS + UNKNOWN,
    "BASHPID": OWN_PROCESS + UNKNOWN,
    "$": OWN_PROCESS + UNKNOWN,
}
_CREDENTIALS = frozenset(
    {"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "SSH_PRIVATE_KEY", "PRIVATE_KEY", "GPG_PRIVATE_KEY", "DEPLOY_KEY"}
)
_TEMPORARY_NAME = re.compile(r"(\w*_)?te?mp(_?(dir|directory|path|file|folder))?", re.IGNORECASE)

# Called with the arguments, the `via` of the call and standard input; returns the output.
Function = Callable[[list[str] | None, tuple[str, ...], str | None], str]


def _value_by_name(name: str) -> str | None:
    """Return a placeholder value for an unset variable whose name tells its content: `TMP_DIR`, `PRIVATE_KEY`."""
    if name in _CREDENTIALS:
        return PRIVATE_CONTENT + UNKNOWN
    return f"/tmp/{UNKNOWN}.made" if _TEMPORARY_NAME.fullmatch(name) else None


@dataclass(slots=True)
class ShellState:
    """Everything the text has set so far, the commands and dangers found in it, and the budgets left.

    A variable can have several values, because an assignment in a branch may or may not run. A command that uses such
    a variable is evaluated once for each value: `choice` is the index of the value to use, and `choice_count` is
    raised to the largest number of values of the variables that the command uses.
    """

    variables: dict[str, list[str]] = field(default_factory=dict)
    references: dict[str, str] = field(default_factory=dict)  # from `declare -n`: name -> the variable it refers to
    arrays: dict[str, list[str]] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    uncalled_functions: dict[str, Function] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)  # files that the text wrote: path -> content
    links: dict[str, str] = field(default_factory=dict)  # symbolic links that the text made: path -> target
    substitution_outputs: list[str] = field(default_factory=list)  # of process substitutions, by number
    positional: list[str] | None = None  # $1, $2, ...; None if they are unknown
    cwd: str = ""  # "" until the first `cd`
    output_used: bool = False  # a pipe, a substitution or a file receives the output
    parallel_depth: int = 0  # above zero, commands run at the same time as others
    conditional_depth: int = 0  # above zero, commands may not run: an assignment adds a value to the earlier ones
    choice: int = 0
    choice_count: int = 1
    commands_left: int = MAX_COMMANDS
    text_left: int = MAX_TEXT
    depth: int = 0
    call_stack: list[str] = field(default_factory=list)  # names of the functions and aliases being evaluated
    found_commands: list[FoundCommand] = field(default_factory=list)
    dangers: dict[tuple[Harm, str, Span], Danger] = field(default_factory=dict)
    startup_writes: list[tuple[str, Span]] = field(default_factory=list)  # writes to files that shells run on start
    too_many_words: bool = False
    is_unparsed: bool = False  # a text could not be parsed, even if it is harmless however a shell reads it
    given_up: str = ""  # why evaluation stopped early

    def add_danger(self, harm: Harm, reason: str, span: Span, *, raises: bool = False) -> None:
        """Add a danger once; of two that differ only in `raises`, keep the one that refuses."""
        reason = display(reason)
        key = (harm, reason, span)
        if key not in self.dangers or (self.dangers[key].raises and not raises):
            self.dangers[key] = Danger(harm, reason, span, raises)

    def add_unresolved(self, reason: str, span: Span) -> None:
        self.add_danger(Harm.UNRESOLVED, reason, span, raises=True)

    def value(self, name: str) -> str | None:
        """Return the value of a variable for the current choice; None if nothing is known of it."""
        values = self.variables.get(self.references.get(name, name))
        if values is None:
            return PRESET_VARIABLES.get(name) or _value_by_name(name)
        self.choice_count = max(self.choice_count, len(values))
        return values[min(self.choice, len(values) - 1)]

    def assign(self, name: str, value: str) -> None:
        """Set a variable. In a branch that may not run, keep the earlier values as further choices."""
        value = value if len(value) <= MAX_VALUE_LENGTH else UNKNOWN
        before = self.variables.get(name)
        if not self.conditional_depth or before is None:
            self.variables[name] = [value]
        elif value not in before:
            self.variables[name] = [value, *before] if len(before) < MAX_VALUES else [value, *before[:-2], UNKNOWN]

    def substitution_output(self, path: str) -> str:
        """Return what the command of a process substitution prints; `path` is its placeholder and number."""
        number = path[1:]
        if number.isdecimal() and len(number) < 6 and int(number) < len(self.substitution_outputs):
            return self.substitution_outputs[int(number)]
        return UNKNOWN

    def give_up(self, reason: str) -> None:
        """Stop evaluating; the whole command is then refused. The first reason is kept."""
        self.given_up = self.given_up or reason
