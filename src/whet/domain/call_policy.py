"""The settings that decide about calls of tools, apart from the other settings.

A hook of a coding agent needs them before every call. Loading all of `whet.config` would take most of its time.
"""

from dataclasses import dataclass

TEST_PATHS = (
    "tests/**", "test/**", "**/tests/**", "**/test/**", "test_*.py", "**/test_*.py", "*_test.py", "**/*_test.py",
    "conftest.py", "**/conftest.py",
)  # fmt: skip
SENSITIVE = ("**/payments/**", "**/billing/**", "**/migrations/**")


@dataclass(frozen=True)
class AccessRule:
    """The tools that callers in one scope may use (`allow`) and may not use (`deny`), as globs."""

    scope: str
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


@dataclass(frozen=True)
class CommandArgument:
    """Tools (a glob) whose `argument` is a shell command."""

    tool: str
    argument: str = "command"


@dataclass(frozen=True)
class CallPolicy:
    """The paths and tools of a policy. The defaults are those of a repository without whet.toml."""

    protected: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = SENSITIVE
    tests: tuple[str, ...] = TEST_PATHS
    changes_whet: bool = False
    rules: tuple[AccessRule, ...] = ()
    shell_tools: tuple[CommandArgument, ...] = ()
