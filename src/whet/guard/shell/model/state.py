"""What is known while a text is followed: variables, functions, aliases, files, what was found, how much is left."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from whet.guard.shell.model.harm import Danger, FoundCommand, Harm, Span
from whet.guard.shell.model.placeholders import CONTENT, HOLE, OWN_PROCESS

MOST_COMMANDS = 10_000
DEEPEST = 40
MOST_VALUES = 6
LONGEST_VALUE = 16_384
MOST_TEXT = 262_144  # characters that nested texts may add up to

# What a shell finds set, as far as it is the same everywhere. "~" is the home folder wherever it stands.
GIVEN = {"HOME": "~", "PWD": ".", "IFS": " \t\n", "SHELL": "/bin/bash", "BASH": "/bin/bash", "TMPDIR": "/tmp",
         "EDITOR": "vi", "VISUAL": "vi", "PAGER": "less",
         "PPID": OWN_PROCESS + HOLE, "BASHPID": OWN_PROCESS + HOLE, "$": OWN_PROCESS + HOLE}  # fmt: skip
_CREDENTIALS = frozenset(
    {"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "SSH_PRIVATE_KEY", "PRIVATE_KEY", "GPG_PRIVATE_KEY", "DEPLOY_KEY"}
)

_TEMPORARY = re.compile(r"(\w*_)?te?mp(_?(dir|directory|path|file|folder))?", re.IGNORECASE)

Function = Callable[[list[str] | None, tuple[str, ...], str | None], str]  # arguments, where it hid, what it is fed


def _by_its_name(name: str) -> str | None:
    """What a variable holds that the text does not set, where its name leaves little doubt."""
    if name in _CREDENTIALS:
        return CONTENT + HOLE
    return f"/tmp/{HOLE}.made" if _TEMPORARY.fullmatch(name) else None


@dataclass(slots=True)
class Scene:
    variables: dict[str, list[str]] = field(default_factory=dict)
    references: dict[str, str] = field(default_factory=dict)  # `declare -n`: a name that stands for another
    arrays: dict[str, list[str]] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    uncalled: dict[str, Function] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    feeds: list[str] = field(default_factory=list)
    positional: list[str] | None = None
    cwd: str = ""
    piped: bool = False  # whether something takes what is printed: a pipe, a substitution, a file
    parallel: int = 0  # above zero, what is met runs beside something else
    maybe: int = 0  # above zero, what is met may not run: an assignment adds a value and keeps the others
    pick: int = 0
    choices: int = 1
    commands: int = MOST_COMMANDS
    text: int = MOST_TEXT
    depth: int = 0
    calling: list[str] = field(default_factory=list)
    found: list[FoundCommand] = field(default_factory=list)
    dangers: dict[tuple[Harm, str, Span], Danger] = field(default_factory=dict)
    startup: list[tuple[str, Span]] = field(default_factory=list)
    too_many_words: bool = False
    given_up: str = ""

    def say(self, harm: Harm, reason: str, span: Span, *, raises: bool = False) -> None:
        key = (harm, reason, span)
        if key not in self.dangers or (self.dangers[key].raises and not raises):
            self.dangers[key] = Danger(harm, reason, span, raises)

    def unresolved(self, reason: str, span: Span) -> None:
        self.say(Harm.UNRESOLVED, reason, span, raises=True)

    def value(self, name: str) -> str | None:
        values = self.variables.get(self.references.get(name, name))
        if values is None:
            return GIVEN.get(name) if name in GIVEN else _by_its_name(name)
        if len(values) > self.choices:
            self.choices = len(values)
        return values[min(self.pick, len(values) - 1)]

    def assign(self, name: str, value: str) -> None:
        value = value if len(value) <= LONGEST_VALUE else HOLE
        before = self.variables.get(name)
        if not self.maybe or before is None:
            self.variables[name] = [value]
        elif value not in before:
            self.variables[name] = [value, *before] if len(before) < MOST_VALUES else [value, *before[:-2], HOLE]

    def substituted(self, path: str) -> str:
        """What the file of a process substitution holds."""
        number = path[1:]
        return (
            self.feeds[int(number)]
            if number.isdecimal() and len(number) < 6 and int(number) < len(self.feeds)
            else HOLE
        )

    def give_up(self, reason: str) -> None:
        self.given_up = self.given_up or reason
