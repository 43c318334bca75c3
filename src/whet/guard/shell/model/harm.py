"""Kinds of harm, and the dangers and commands found in a text."""

from enum import StrEnum
from typing import NamedTuple

Span = tuple[int, int]


class Harm(StrEnum):
    """A kind of harm. The value is part of the answer's code: `command_deletion`."""

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
    WHET = "whet"
    CONCEALED = "concealed"
    UNRESOLVED = "unresolved"


class Danger(NamedTuple):
    """A danger and its place in the judged text. With `raises`, a person is asked instead of refusing."""

    harm: Harm
    reason: str
    span: Span
    raises: bool = False


class FoundCommand(NamedTuple):
    """A simple command with its words as the shell expands them.

    `via` lists the commands that led to this one, outermost first: `sudo sh -c ls` finds `ls` via `sudo`, `sh -c`.
    """

    name: str
    arguments: tuple[str, ...]
    span: Span
    via: tuple[str, ...] = ()
