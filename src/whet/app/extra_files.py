"""Files outside git that the tests need: `target.extra_files` names them, and every tree in the sandbox gets a copy."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from whet.domain.own_files import STATE_FOLDER
from whet.errors import EnvironmentProblem, Refused
from whet.git.git import Git

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


def read_extra_files(git: Git, patterns: Sequence[str]) -> dict[str, bytes]:
    """Return the content of every file of the checkout that a pattern matches, by path.

    The patterns are those of .gitignore. Files of git and of whet itself are left out. A pattern that matches no file is
    refused, because the tests would miss that file in the sandbox.
    """
    if not patterns:
        return {}
    from pathspec import GitIgnoreSpec  # slow to import, and rarely needed

    files = _matching(git, GitIgnoreSpec.from_lines(patterns), patterns)
    for pattern in patterns:
        if not pattern.startswith("!") and not any(GitIgnoreSpec.from_lines([pattern]).match_files(files)):
            raise EnvironmentProblem(
                f"target.extra_files: {pattern!r} matches no file", "correct it in whet.toml, or create the file"
            )
    try:
        return {name: real.read_bytes() for name, real in sorted(files.items())}
    except OSError as problem:
        raise EnvironmentProblem(
            f"target.extra_files: {problem.filename} cannot be read: {problem.strerror}",
            "make it readable for your user",
        ) from problem


def _matching(git: Git, spec: "GitIgnoreSpec", patterns: Sequence[str]) -> dict[str, Path]:
    """Return the real path of every regular file in the checkout that `spec` matches, by its path below the root.

    git does not follow links to folders; files behind one are found by globbing the patterns.
    """
    root = git.root
    listed = git.ask("ls-files", "--cached", "--others", "-z").split(b"\0")
    paths = {os.fsdecode(raw) for raw in listed if raw}
    for pattern in patterns:
        paths |= {path.relative_to(root).as_posix() for path in root.glob(pattern.removeprefix("!"))}
    private = {STATE_FOLDER, ".git"}
    files = {}
    for name in paths:
        if not (root / name).is_file() or not spec.match_file(name):
            continue
        real = _inside(root, name)
        if not private & {*name.split("/"), *real.relative_to(root.resolve()).parts}:
            files[name] = real
    return files


def _inside(root: Path, name: str) -> Path:
    """Return the real path of a file; refuse a link that leads out of the repository."""
    real = (root / name).resolve()
    if not real.is_relative_to(root.resolve()):
        raise Refused(
            f"target.extra_files: {name} leads out of the repository, to {real}",
            "copy it into the repository, or narrow target.extra_files in whet.toml",
        )
    return real
