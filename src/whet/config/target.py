"""`[target]`, `[tests]` and `[sandbox]`: the project under test and how its suite runs."""

import re
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, Field

from whet.config.section import Section
from whet.domain.call_policy import TEST_PATHS


class TestsPolicy(Section):
    """`[tests]`: the command that runs the target's suite.

    The runners `pytest`, `unittest` and `junit` report an outcome per test id; `exit` reports only the exit code, which proves
    nothing by itself. `folders` are passed to pytest (empty: pytest's own settings decide), `args` are further options.
    """

    runner: Annotated[str, Field(pattern="^(pytest|unittest|junit|exit|none)$")] = "pytest"
    folders: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    junit_path: str = "junit.xml"
    timeout_seconds: Annotated[int, Field(ge=1)] = 900
    at_once: Annotated[int, Field(ge=1)] = 2
    paths: tuple[str, ...] = TEST_PATHS


def below_the_root(pattern: str) -> str:
    """Refuse a glob that is absolute or leads out of the repository."""
    parts = PurePosixPath(pattern).parts
    if not parts or parts[0].startswith("/") or ".." in parts:
        raise ValueError(f"{pattern!r} is not a path below the repository's top folder")
    if any("**" in part and part != "**" for part in parts):
        raise ValueError(f"{pattern!r} is not a valid glob: ** must stand alone between slashes")
    return pattern


def file_pattern(pattern: str) -> str:
    """Refuse a glob that is absolute, leads out of the repository, or would match nothing: .gitignore has no {a,b}."""
    readable = re.sub(r"\[[!^]?(?:[\w.](?:-[\w.])?)+\]", "", pattern)
    if pattern.startswith(("!", "#")) or set(readable) & set("\\{},|[]"):
        raise ValueError(f"{pattern!r} is not a pattern as in .gitignore: write one entry for each alternative")
    return below_the_root(pattern)


class TargetPolicy(Section):
    """`[target]`: the project that whet works on. `extra_files` names files outside git that the tests need;
    `constants`, `protocol` and `skill` are the globs of the layers."""

    interpreter: str = ""
    branch: str = ""
    extra_files: tuple[Annotated[str, AfterValidator(below_the_root)], ...] = ()
    constants: tuple[str, ...] = ("**/constants.py", "**/settings.py", "**/defaults.py")
    protocol: tuple[str, ...] = ("*.yml", "*.yaml", "*.json", "**/*.yml", "**/*.yaml", "**/*.json")
    skill: tuple[str, ...] = ("*.md", "**/*.md", "**/prompts/**")
    replay_commits: Annotated[int, Field(ge=0, le=1000)] = 20


class SandboxPolicy(Section):
    """`[sandbox]`: the limits of every run in the sandbox."""

    memory_mb: Annotated[int, Field(ge=64)] = 4096
    processes: Annotated[int, Field(ge=1)] = 512
    file_size_mb: Annotated[int, Field(ge=1)] = 1024
    tree_size_mb: Annotated[int, Field(ge=8)] = 2048
    output_mb: Annotated[int, Field(ge=1)] = 64
