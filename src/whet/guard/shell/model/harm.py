"""What a command can do to somebody, and where in the text it was seen."""

from enum import StrEnum
from typing import NamedTuple

Span = tuple[int, int]


class Harm(StrEnum):
    DELETION = "deletion"
    DEVICE = "device"
    SYSTEM = "system"
    PERMISSIONS = "permissions"
    EXHAUSTION = "exhaustion"
    PROCESSES = "processes"
    POWER = "power"
    ACCOUNTS = "accounts"
    TRACES = "traces"
    GIT_HISTORY = "git_history"
    DATABASE = "database"
    INFRASTRUCTURE = "infrastructure"
    PACKAGES = "packages"
    FIREWALL = "firewall"
    PERSISTENCE = "persistence"
    REVERSE_SHELL = "reverse_shell"
    PIPE_TO_SHELL = "pipe_to_shell"
    ENCODED = "encoded"
    EXFILTRATION = "exfiltration"
    SECRETS = "secrets"
    PRIVILEGE = "privilege"
    SHELL_ESCAPE = "shell_escape"
    ENVIRONMENT = "environment"
    CONCEALED = "concealed"
    UNRESOLVED = "unresolved"


class Danger(NamedTuple):
    """`span` is where it stands in the text that was asked about; `raises` asks for a person instead of refusing."""

    harm: Harm
    reason: str
    span: Span
    raises: bool = False


class FoundCommand(NamedTuple):
    """A simple command, its name and arguments as the shell would see them, and what it hid in, outermost first."""

    name: str
    arguments: tuple[str, ...]
    span: Span
    via: tuple[str, ...] = ()
