"""What is known while a text is followed: variables, functions, aliases, files, what was found, how much is left."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from whet.guard.shell.model.harm import Danger, FoundCommand, Harm, Span
from whet.guard.shell.model.placeholders import OWN_PROCESS, PRIVATE_CONTENT, UNKNOWN

MAX_COMMANDS = 10_000
MAX_DEPTH = 40
MAX_VALUES = 6
MAX_VALUE_LENGTH = 16_384
MAX_TEXT = 262_144  # characters that nested texts may add up to

# What a shell finds set, as far as it is the same everywhere. "~" is the home folder wherever it stands.
PRESET_VARIABLES = {"HOME": "~", "PWD": ".", "IFS": " \t\n", "SHELL": "/bin/bash", "BASH": "/bin/bash", "TMPDIR": "/tmp",
         "EDITOR": "vi", "VISUAL": "vi", "PAGER": "less",
         "PPID": OWN_PROCESS + UNKNOWN, "BASHPID": OWN_PROCESS + UNKNOWN, "$": OWN_PROCESS + UNKNOWN}  # fmt: skip
_CREDENTIALS = frozenset(
    {"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "SSH_PRIVATE_KEY", "PRIVATE_KEY", "GPG_PRIVATE_KEY", "DEPLOY_KEY"}
)

_TEMPORARY = re.compile(r"(\w*_)?te?mp(_?(dir|directory|path|file|folder))?", re.IGNORECASE)

Function = Callable[[list[str] | None, tuple[str, ...], str | None], str]  # arguments, where it hid, what it is fed


def _by_its_name(name: str) -> str | None:
    """What a variable holds that the text does not set, where its name leaves little doubt."""
    if name in _CREDENTIALS:
        return PRIVATE_CONTENT + UNKNOWN
    return f"/tmp/{UNKNOWN}.made" if _TEMPORARY.fullmatch(name) else None


@dataclass(slots=True)
class ShellState:
    variables: dict[str, list[str]] = field(default_factory=dict)
    references: dict[str, str] = field(default_factory=dict)  # `declare -n`: a name that stands for another
    arrays: dict[str, list[str]] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    uncalled_functions: dict[str, Function] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    substitution_outputs: list[str] = field(default_factory=list)
    positional: list[str] | None = None
    cwd: str = ""
    output_used: bool = False  # whether something takes what is printed: a pipe, a substitution, a file
    parallel_depth: int = 0  # above zero, what is met runs beside something else
    conditional_depth: int = 0  # above zero, what is met may not run: an assignment adds a value and keeps the others
    choice: int = 0
    choice_count: int = 1
    commands_left: int = MAX_COMMANDS
    text_left: int = MAX_TEXT
    depth: int = 0
    call_stack: list[str] = field(default_factory=list)
    found_commands: list[FoundCommand] = field(default_factory=list)
    dangers: dict[tuple[Harm, str, Span], Danger] = field(default_factory=dict)
    startup_writes: list[tuple[str, Span]] = field(default_factory=list)
    too_many_words: bool = False
    given_up: str = ""

    def add_danger(self, harm: Harm, reason: str, span: Span, *, raises: bool = False) -> None:
        key = (harm, reason, span)
        if key not in self.dangers or (self.dangers[key].raises and not raises):
            self.dangers[key] = Danger(harm, reason, span, raises)

    def add_unresolved(self, reason: str, span: Span) -> None:
        self.add_danger(Harm.UNRESOLVED, reason, span, raises=True)

    def value(self, name: str) -> str | None:
        values = self.variables.get(self.references.get(name, name))
        if values is None:
            return PRESET_VARIABLES.get(name) if name in PRESET_VARIABLES else _by_its_name(name)
        if len(values) > self.choice_count:
            self.choice_count = len(values)
        return values[min(self.choice, len(values) - 1)]

    def assign(self, name: str, value: str) -> None:
        value = value if len(value) <= MAX_VALUE_LENGTH else UNKNOWN
        before = self.variables.get(name)
        if not self.conditional_depth or before is None:
            self.variables[name] = [value]
        elif value not in before:
            self.variables[name] = [value, *before] if len(before) < MAX_VALUES else [value, *before[:-2], UNKNOWN]

    def substitution_output(self, path: str) -> str:
        """What the file of a process substitution holds."""
        number = path[1:]
        return (
            self.substitution_outputs[int(number)]
            if number.isdecimal() and len(number) < 6 and int(number) < len(self.substitution_outputs)
            else UNKNOWN
        )

    def give_up(self, reason: str) -> None:
        self.given_up = self.given_up or reason
