"""The target's interpreter: where it is, what it needs to be read inside the sandbox, whether it has pytest."""

import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whet.errors import EnvironmentProblem, InterpreterMissing, Refused
from whet.git.git import Git
from whet.sandbox.process import call

_PROBE = """
import importlib.util, json, site, sys
print(json.dumps({
    "version": ".".join(map(str, sys.version_info[:3])),
    "prefixes": [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix],
    "path": sys.path,
    "pytest": importlib.util.find_spec("pytest") is not None,
}))
"""


_MODULE = re.compile(r"([^\W\d]\w*)(?:\.py|(?:\.[\w-]+)?\.(?:so|pyd))?")


@dataclass(frozen=True)
class Interpreter:
    """`modules` are the names that can be imported without the repository: the library's and what is installed."""

    path: str
    version: str
    readable: tuple[str, ...]
    has_pytest: bool
    modules: frozenset[str] = frozenset()


def find(git: Git, configured: str) -> Path:
    """The interpreter the policy names, else the project's `.venv`, else the one that runs whet."""
    path = git.root / (configured or ".venv/bin/python")
    if path.exists():
        _refuse_what_the_repository_brings(path, git)
        return path
    if configured:
        raise InterpreterMissing(
            f"the interpreter {configured} does not exist", "set `target.interpreter` in whet.toml to one that does"
        )
    return Path(sys.executable)


def _refuse_what_the_repository_brings(path: Path, git: Git) -> None:
    """It is asked about itself outside the sandbox, so neither it nor its environment may come from the repository."""
    for hop in (path, *_links(path), path.resolve()):
        environment = Path(os.path.normpath(hop)).parent.parent
        for part in (
            Path(os.path.normpath(hop)),
            environment / "pyvenv.cfg",
            environment / "lib",
            environment / "lib64",
        ):
            if git.root in part.parents and git.tracks(part.relative_to(git.root).as_posix()):
                raise Refused(
                    f"the interpreter {path} comes with the repository, and nothing of that runs outside the sandbox",
                    "make a virtual environment that git does not track, and set `target.interpreter` to it",
                )


def probe(path: Path, root: Path) -> Interpreter:
    """Ask the interpreter itself, isolated from the current folder and the environment."""
    facts = _facts(path)
    folders = [*facts["prefixes"], *facts["path"], *(str(link.parent.parent) for link in _links(path))]
    readable, modules = _needed(folders, root), frozenset(_modules(facts["path"], root))
    return Interpreter(str(path), facts["version"], readable, facts["pytest"], modules)


def _facts(path: Path) -> dict[str, Any]:
    remedy = "set `target.interpreter` in whet.toml to a Python that runs here"
    try:
        done = call([str(path), "-I", "-c", _PROBE], env={"PATH": os.defpath}, timeout_seconds=30)
    except EnvironmentProblem as problem:
        raise InterpreterMissing(f"the interpreter does not start: {problem.message}", remedy) from problem
    if done.code != 0:
        said = done.err.strip().splitlines()[-1:] or [f"exit code {done.code}"]
        raise InterpreterMissing(f"the interpreter {path} does not start: {said[0]}", remedy)
    try:
        facts: dict[str, Any] = json.loads(done.out)
    except ValueError as problem:
        raise InterpreterMissing(f"{path} is no Python: it does not answer as one", remedy) from problem
    return facts


def _links(path: Path) -> list[Path]:
    """Where a chain of links passes through: each must exist inside for the last one to be found."""
    passed: list[Path] = []
    while path.is_symlink():
        path = path.parent / path.readlink()
        passed.append(path)
    return passed


def _modules(folders: list[str], root: Path) -> Iterator[str]:
    """What lies where imports are looked for, but for folders of the repository that an editable install names."""
    for folder in map(Path, filter(None, folders)):
        if folder.is_dir() and not _belongs_to(root, folder):
            found = (_MODULE.fullmatch(path.name) for path in folder.iterdir() if path.suffix or path.is_dir())
            yield from (match[1] for match in found if match)


def _belongs_to(root: Path, folder: Path) -> bool:
    return folder == root or (root in folder.parents and not _is_environment(folder))


def _needed(folders: list[str], root: Path) -> tuple[str, ...]:
    """What must be bound, outermost only. Never the repository, nor a folder above it or above a home."""
    kept: list[Path] = []
    for folder in sorted({Path(os.path.normpath(folder)) for folder in folders if folder}):
        too_much = folder in root.parents or folder in (Path("/"), Path.home(), *Path.home().parents)
        covered = any(folder == other or other in folder.parents for other in (*kept, Path("/usr")))
        if folder.exists() and not (_belongs_to(root, folder) or too_much or covered):
            kept.append(folder)
    return tuple(map(str, kept))


def _is_environment(folder: Path) -> bool:
    return any((parent / "pyvenv.cfg").exists() for parent in (folder, *folder.parents))
